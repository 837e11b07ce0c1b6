// The public routes for tasks (ADP/1.1 section 7.3): callers sign their requests or have a token.
import type { Call } from '../../access/route.ts'
import { agentOrRefuse } from '../../agents/find.ts'
import { taskRpcOf } from '../../env.ts'
import { apiHeaders } from '../../http/answer.ts'
import { type BodyRule, JSON_BODY } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { refuseOtherParameters } from '../../http/query.ts'
import { opened, sentIn } from '../../http/relay.ts'
import { agentAt } from '../here.ts'

/** The same limit as for a message. */
export const TASK_BODY: BodyRule = { ...JSON_BODY, bytes: 262_144 }
export const SWARM_BODY: BodyRule = { ...JSON_BODY, bytes: 4096 }

type Own = Call<never>

const idIn = (call: Own): string => (call.parts as Readonly<Record<string, string>>)['id']!

const json = (body: unknown, status = 200, own: Readonly<Record<string, string>> = {}) =>
  Response.json(body, { status, headers: apiHeaders(own) })
const nothing = () => new Response(null, { status: 204, headers: apiHeaders({}) })

async function taskRpc(call: Own, endpoint: string) {
  const { name } = await agentAt(call, endpoint)
  return taskRpcOf(call.env, name)
}

/** `POST /agent/tasks`: `{ "task": ..., "input": ..., "callback": ... }`. */
export async function giveTask(call: Own): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  const task = opened(await (await taskRpc(call, 'tasks')).give(sentIn(call)))
  return json(task, 202, { location: task.statusUrl! })
}

/** `GET /agent/tasks/{id}`: for the caller that gave the task. */
export async function readTask(call: Own): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  return json(opened(await (await taskRpc(call, 'tasks')).read(sentIn(call), idIn(call))))
}

/** `DELETE /agent/tasks/{id}`: cancels the task. */
export async function cancelTask(call: Own): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  return json(opened(await (await taskRpc(call, 'tasks')).cancel(sentIn(call), idIn(call))))
}

/** `POST /agent/webhook?task=ID`: the result of a task that this agent gave, from the agent that did it. */
export async function takeResult(call: Own): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, { task: 'once' })
  const { name } = await agentOrRefuse(call)
  opened(await taskRpcOf(call.env, name).answer(sentIn(call), call.url.searchParams.get('task')))
  return nothing()
}

/** `POST /agent/swarm/join`: `{ "agent": ..., "task": ..., "role": ... }`. */
export async function joinSwarm(call: Own): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  return json(opened(await (await taskRpc(call, 'swarm')).join(sentIn(call))))
}

/** `POST /agent/swarm/leave`: `{ "agent": ..., "task": ... }`. */
export async function leaveSwarm(call: Own): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  opened(await (await taskRpc(call, 'swarm')).leave(sentIn(call)))
  return nothing()
}

/** `GET /agent/swarm/members?task=TASK&role=ROLE`: for members only. */
export async function readMembers(call: Own): Promise<Response> {
  const { searchParams } = call.url
  refuseOtherParameters(searchParams, { task: 'once', role: 'once' })
  const task = taskIn(searchParams)
  const members = opened(await (await taskRpc(call, 'swarm')).members(sentIn(call), task, searchParams.get('role')))
  return json({ task, members })
}

function taskIn(query: URLSearchParams): string {
  const task = query.get('task')
  if (task !== null) return task
  throw new Problem('bad-request', 'The parameter task names the swarm.', { members: { parameter: 'task' } })
}
