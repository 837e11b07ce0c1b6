import { agentRoute, route } from '../access/route.ts'
import { PUBLISH, READ } from '../agents/find.ts'
import { JSON_BODY } from '../http/body.ts'
import { chat } from './chat.ts'
import { changeSpeakers, readMessages, readSpeakers, readState, removeMessages, sendMessage } from './operator.ts'
import { TASK_ROUTES } from './tasks/routes.ts'

export const ROUTES = [
  agentRoute('/agent/chat', { GET: { access: READ, limit: 'QUERIES', answer: chat } }),
  route('/agents/{name}/chat', { GET: { access: READ, limit: 'QUERIES', answer: chat } }),
  route('/v1/agents/{name}/state', { GET: { access: PUBLISH, answer: readState } }),
  route('/v1/agents/{name}/messages', {
    GET: { access: PUBLISH, answer: readMessages },
    POST: { access: PUBLISH, body: JSON_BODY, answer: sendMessage },
    DELETE: { access: PUBLISH, answer: removeMessages },
  }),
  route('/v1/agents/{name}/speakers', {
    GET: { access: PUBLISH, answer: readSpeakers },
    POST: { access: PUBLISH, body: JSON_BODY, answer: changeSpeakers },
  }),
  ...TASK_ROUTES,
]
