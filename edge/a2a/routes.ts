import { type Operation, route } from '../access/route.ts'
import { JSON_BODY } from '../http/body.ts'
import { listTasks, refuseExtendedCard, refusePush, refuseTask, sendMessage, streamMessage } from './answers.ts'
import { tellFault } from './binding.ts'

const SEND: Operation<never> = { limit: 'QUERIES', body: JSON_BODY, answer: sendMessage }
const STREAM: Operation<never> = { limit: 'QUERIES', body: JSON_BODY, answer: streamMessage }
const CARD: Operation<never> = { answer: refuseExtendedCard }
const TASK: Operation<'name'> = { answer: refuseTask }
const PUSH: Operation<'name'> = { answer: refusePush }

/** 0.3 has its paths below `/v1`, but the header decides the version on all of them. */
export const ROUTES = [
  route('/message:send', { POST: SEND }, tellFault),
  route('/v1/message:send', { POST: SEND }, tellFault),
  route('/message:stream', { POST: STREAM }, tellFault),
  route('/v1/message:stream', { POST: STREAM }, tellFault),
  route('/tasks', { GET: { answer: listTasks } }, tellFault),
  route('/tasks/{name}', { GET: TASK, POST: TASK }, tellFault),
  route('/v1/tasks/{name}', { GET: TASK, POST: TASK }, tellFault),
  route('/tasks/{name}/pushNotificationConfigs', { GET: PUSH, POST: PUSH }, tellFault),
  route('/v1/tasks/{name}/pushNotificationConfigs', { GET: PUSH, POST: PUSH }, tellFault),
  route('/tasks/{name}/pushNotificationConfigs/{config}', { GET: PUSH, DELETE: PUSH }, tellFault),
  route('/v1/tasks/{name}/pushNotificationConfigs/{config}', { GET: PUSH, DELETE: PUSH }, tellFault),
  route('/extendedAgentCard', { GET: CARD }, tellFault),
  route('/v1/card', { GET: CARD }, tellFault),
]
