import { agentRoute, type Route, route } from '../../access/route.ts'
import { PUBLISH, READ } from '../../agents/find.ts'
import { JSON_BODY } from '../../http/body.ts'
import {
  changeTaskSettings,
  giveToOther,
  listGiven,
  listTasks,
  moveTask,
  readOwnTask,
  readSwarms,
  readTaskSettings,
  takeTask,
} from './operator.ts'
import {
  cancelTask,
  giveTask,
  joinSwarm,
  leaveSwarm,
  readMembers,
  readTask,
  SWARM_BODY,
  TASK_BODY,
  takeResult,
} from './public.ts'

const limit = 'QUERIES'
const own = { access: READ, limit } as const

export const TASK_ROUTES: readonly Route[] = [
  agentRoute('/agent/tasks', { POST: { ...own, body: TASK_BODY, answer: giveTask } }),
  agentRoute('/agent/tasks/{id}', { GET: { ...own, answer: readTask }, DELETE: { ...own, answer: cancelTask } }),
  agentRoute('/agent/webhook', { POST: { ...own, body: TASK_BODY, answer: takeResult } }),
  agentRoute('/agent/swarm/join', { POST: { ...own, body: SWARM_BODY, answer: joinSwarm } }),
  agentRoute('/agent/swarm/leave', { POST: { ...own, body: SWARM_BODY, answer: leaveSwarm } }),
  agentRoute('/agent/swarm/members', { GET: { ...own, answer: readMembers } }),
  route('/agents/{name}/tasks', { POST: { ...own, body: TASK_BODY, answer: giveTask } }),
  route('/agents/{name}/tasks/{id}', {
    GET: { ...own, answer: readTask },
    DELETE: { ...own, answer: cancelTask },
  }),
  route('/agents/{name}/webhook', { POST: { ...own, body: TASK_BODY, answer: takeResult } }),
  route('/v1/agents/{name}/tasks', { GET: { access: PUBLISH, answer: listTasks } }),
  route('/v1/agents/{name}/tasks/take', { POST: { access: PUBLISH, answer: takeTask } }),
  route('/v1/agents/{name}/tasks/given', {
    GET: { access: PUBLISH, answer: listGiven },
    POST: { access: PUBLISH, body: TASK_BODY, answer: giveToOther },
  }),
  route('/v1/agents/{name}/tasks/settings', {
    GET: { access: PUBLISH, answer: readTaskSettings },
    PUT: { access: PUBLISH, body: JSON_BODY, answer: changeTaskSettings },
  }),
  route('/v1/agents/{name}/tasks/{id}', {
    GET: { access: PUBLISH, answer: readOwnTask },
    POST: { access: PUBLISH, body: JSON_BODY, answer: moveTask },
  }),
  route('/v1/agents/{name}/swarms', { GET: { access: PUBLISH, answer: readSwarms } }),
]
