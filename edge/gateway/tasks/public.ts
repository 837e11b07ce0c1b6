// The public routes for tasks (ADP/1.1 section 7.3): callers sign their requests or have a token.
import type { Call } from '../../access/route.ts'
import { keysOf } from '../../agents/did.ts'
import { agentOrRefuse } from '../../agents/find.ts'
import { taskRpcOf } from '../../env.ts'
import { json, noContent } from '../../http/answer.ts'
import { type BodyRule, JSON_BODY } from '../../http/body.ts'
import { parseUrl } from '../../http/origins.ts'
import { Problem } from '../../http/problem.ts'
import { sentIn, unwrapAnswer } from '../../http/relay.ts'

/** The same limit as for a message. */
export const TASK_BODY: BodyRule = { ...JSON_BODY, bytes: 262_144 }
export const SWARM_BODY: BodyRule = { ...JSON_BODY, bytes: 4096 }

type Own = Call<never>

const idIn = (call: Own): string => (call.parts as Readonly<Record<string, string>>)['id']!

/**
 * The tasks of the agent whose metadata publishes this address, or a prefix of its path, as `endpoint`, and whose key is
 * here. A client at any other address got it from someone else, so it gets a 404.
 */
async function tasksAt(call: Own, endpoint: string) {
  const agent = await agentOrRefuse(call)
  const published = parseUrl(String(agent.metadata.endpoints[endpoint]))
  const { origin, pathname } = call.url
  const isHere = published?.origin === origin && `${pathname}/`.startsWith(`${published.pathname}/`)
  if (isHere && (await keysOf(call.env, agent)).kept.length > 0) return taskRpcOf(call.env, agent.name)
  throw new Problem('not-found', 'No agent is published here.')
}

/** `POST /agent/tasks`: `{ "task": ..., "input": ..., "callback": ... }`. */
export async function giveTask(call: Own): Promise<Response> {
  const task = unwrapAnswer(await (await tasksAt(call, 'tasks')).give(sentIn(call)))
  return json(task, 202, { location: task.statusUrl! })
}

/** `GET /agent/tasks/{id}`: for the caller that gave the task. */
export async function readTask(call: Own): Promise<Response> {
  return json(unwrapAnswer(await (await tasksAt(call, 'tasks')).read(sentIn(call), idIn(call))))
}

/** `DELETE /agent/tasks/{id}`: cancels the task. */
export async function cancelTask(call: Own): Promise<Response> {
  return json(unwrapAnswer(await (await tasksAt(call, 'tasks')).cancel(sentIn(call), idIn(call))))
}

/** `POST /agent/webhook?task=ID`: the result of a task that this agent gave, from the agent that did it. */
export async function takeResult(call: Own): Promise<Response> {
  const { name } = await agentOrRefuse(call)
  unwrapAnswer(await taskRpcOf(call.env, name).answer(sentIn(call), call.url.searchParams.get('task')))
  return noContent()
}

/** `POST /agent/swarm/join`: `{ "agent": ..., "task": ..., "role": ... }`. */
export async function joinSwarm(call: Own): Promise<Response> {
  return json(unwrapAnswer(await (await tasksAt(call, 'swarm')).join(sentIn(call))))
}

/** `POST /agent/swarm/leave`: `{ "agent": ..., "task": ... }`. */
export async function leaveSwarm(call: Own): Promise<Response> {
  unwrapAnswer(await (await tasksAt(call, 'swarm')).leave(sentIn(call)))
  return noContent()
}

/** `GET /agent/swarm/members?task=TASK&role=ROLE`: for members only. */
export async function readMembers(call: Own): Promise<Response> {
  const { searchParams } = call.url
  const task = taskIn(searchParams)
  const tasks = await tasksAt(call, 'swarm')
  const members = unwrapAnswer(await tasks.members(sentIn(call), task, searchParams.get('role')))
  return json({ task, members })
}

function taskIn(query: URLSearchParams): string {
  const task = query.get('task')
  if (task !== null) return task
  throw new Problem('bad-request', 'The parameter task names the swarm.', { members: { parameter: 'task' } })
}
