import { agentRoute, type Route, route } from '../access/route.ts'
import { PUBLISH, READ } from '../agents/find.ts'
import { JSON_BODY } from '../http/body.ts'
import { PAGED } from '../http/query.ts'
import * as messages from './operator.ts'
import { chat } from './self.ts'
import * as tasks from './tasks/operator.ts'
import * as open from './tasks/public.ts'

const limit = 'QUERIES'
const own = { access: READ, limit } as const
const access = PUBLISH
const SWARM = { task: 'once', role: 'once' } as const
const { TASK_BODY, SWARM_BODY } = open

export const ROUTES: readonly Route[] = [
  agentRoute('/agent/chat', { GET: { ...own, answer: chat } }),
  agentRoute('/agent/tasks', { POST: { ...own, body: TASK_BODY, query: {}, answer: open.giveTask } }),
  agentRoute('/agent/tasks/{id}', {
    GET: { ...own, query: {}, answer: open.readTask },
    DELETE: { ...own, query: {}, answer: open.cancelTask },
  }),
  agentRoute('/agent/webhook', { POST: { ...own, body: TASK_BODY, query: { task: 'once' }, answer: open.takeResult } }),
  agentRoute('/agent/swarm/join', { POST: { ...own, body: SWARM_BODY, query: {}, answer: open.joinSwarm } }),
  agentRoute('/agent/swarm/leave', { POST: { ...own, body: SWARM_BODY, query: {}, answer: open.leaveSwarm } }),
  agentRoute('/agent/swarm/members', { GET: { ...own, query: SWARM, answer: open.readMembers } }),
  route('/agents/{name}/chat', { GET: { ...own, answer: chat } }),
  route('/agents/{name}/tasks', { POST: { ...own, body: TASK_BODY, query: {}, answer: open.giveTask } }),
  route('/agents/{name}/tasks/{id}', {
    GET: { ...own, query: {}, answer: open.readTask },
    DELETE: { ...own, query: {}, answer: open.cancelTask },
  }),
  route('/agents/{name}/webhook', {
    POST: { ...own, body: TASK_BODY, query: { task: 'once' }, answer: open.takeResult },
  }),
  route('/v1/agents/{name}/state', { GET: { access, query: {}, answer: messages.readState } }),
  route('/v1/agents/{name}/messages', {
    GET: { access, query: PAGED, answer: messages.readMessages },
    POST: { access, body: JSON_BODY, query: {}, answer: messages.sendMessage },
    DELETE: { access, query: { through: 'once' }, answer: messages.removeMessages },
  }),
  route('/v1/agents/{name}/speakers', {
    GET: { access, query: {}, answer: messages.readSpeakers },
    POST: { access, body: JSON_BODY, query: {}, answer: messages.changeSpeakers },
  }),
  route('/v1/agents/{name}/tasks', { GET: { access, query: { ...PAGED, state: 'once' }, answer: tasks.listTasks } }),
  route('/v1/agents/{name}/tasks/take', { POST: { access, query: {}, answer: tasks.takeTask } }),
  route('/v1/agents/{name}/tasks/given', {
    GET: { access, query: PAGED, answer: tasks.listGiven },
    POST: { access, body: TASK_BODY, query: {}, answer: tasks.giveToOther },
  }),
  route('/v1/agents/{name}/tasks/settings', {
    GET: { access, query: {}, answer: tasks.readTaskSettings },
    PUT: { access, body: JSON_BODY, query: {}, answer: tasks.changeTaskSettings },
  }),
  route('/v1/agents/{name}/tasks/{id}', {
    GET: { access, query: {}, answer: tasks.readOwnTask },
    POST: { access, body: JSON_BODY, query: {}, answer: tasks.moveTask },
  }),
  route('/v1/agents/{name}/swarms', { GET: { access, query: SWARM, answer: tasks.readSwarms } }),
]
