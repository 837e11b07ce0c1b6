// The operator's API for an agent's tasks: those it was given, those it gave, and its settings.
import type { Call } from '../../access/route.ts'
import { agentOrRefuse, nameOf } from '../../agents/definitions.ts'
import { keysOf } from '../../agents/did.ts'
import type { Outcome, TaskState } from '../../contracts/gateway.ts'
import { taskRpcOf } from '../../env.ts'
import { json, noContent } from '../../http/answer.ts'
import { type BodyRule, JSON_BODY, objectIn, refuseOtherMembers } from '../../http/body.ts'
import { parseUrl } from '../../http/origins.ts'
import { Problem } from '../../http/problem.ts'
import { choice, pageIn } from '../../http/query.ts'
import { opened, sentIn } from '../../http/relay.ts'
import { readSettings } from './settings.ts'

/** A task may have 256 KiB, so an answer can't hold many more. */
const PAGE = 20
const STATES = ['queued', 'taken', 'completed', 'failed', 'canceled'] as const
const LONGEST_ERROR = 1000

/** The tasks of the agent that a call is for. */
const tasksOf = (call: Call<'name'>) => taskRpcOf(call.env, nameOf(call))

/** `GET /v1/agents/{name}/tasks?after=N&limit=N&state=STATE`. */
export async function listTasks(call: Call<'name'>): Promise<Response> {
  const { searchParams } = call.url
  const [page, state] = [pageIn(searchParams, PAGE), choice(searchParams, 'state', STATES)]
  return json({ tasks: await tasksOf(call).list(page, state) })
}

/**
 * `POST /v1/agents/{name}/tasks/take`: takes the oldest waiting task, which no other caller then gets; 204 when there
 * is none.
 */
export async function takeTask(call: Call<'name'>): Promise<Response> {
  const task = await tasksOf(call).take()
  return task === null ? noContent() : json(task)
}

/** `GET /v1/agents/{name}/tasks/{id}`. */
export async function readOwnTask(call: Call<'name' | 'id'>): Promise<Response> {
  return json(opened(await tasksOf(call).one(call.parts.id)))
}

/** `POST /v1/agents/{name}/tasks/{id}`: `{ "state": "completed", "result": ... }`, `{ "state": "failed", "error": "..." }` or `{ "state": "taken" }`. */
export async function moveTask(call: Call<'name' | 'id'>): Promise<Response> {
  const { state, outcome } = moveIn(objectIn(call.body))
  return json(opened(await tasksOf(call).move(call.parts.id, state, outcome)))
}

function moveIn(members: Readonly<Record<string, unknown>>): {
  readonly state: TaskState
  readonly outcome: Outcome | null
} {
  const { state, result, error } = members
  if (state === 'taken') refuseOtherMembers(members, ['state'])
  if (state === 'taken') return { state, outcome: null }
  if (state === 'completed') refuseOtherMembers(members, ['state', 'result'])
  if (state === 'completed' && result !== undefined) return { state, outcome: { result } }
  refuseOtherMembers(members, ['state', 'error'])
  if (state === 'failed' && typeof error === 'string' && error.length <= LONGEST_ERROR)
    return { state, outcome: { error } }
  throw new Problem(
    'bad-request',
    `The member state is taken, completed with a result, or failed with an error of at most ${LONGEST_ERROR} characters.`,
  )
}

/** `GET /v1/agents/{name}/tasks/given?after=N&limit=N`: the tasks that the agent gave to others, with their results. */
export async function listGiven(call: Call<'name'>): Promise<Response> {
  const page = pageIn(call.url.searchParams, PAGE)
  return json({ given: await tasksOf(call).given(page) })
}

/** `POST /v1/agents/{name}/tasks/given`: `{ "to": "agent:...", "task": ..., "input": ... }`. */
export async function giveToOther(call: Call<'name'>): Promise<Response> {
  return json(opened(await tasksOf(call).giveTo(call.body)), 202)
}

/** `GET /v1/agents/{name}/tasks/settings`. */
export async function readTaskSettings(call: Call<'name'>): Promise<Response> {
  return json(await tasksOf(call).settings())
}

/**
 * `PUT /v1/agents/{name}/tasks/settings`: `{ "anonymous": false, "origins": [], "taker": null }` replaces all settings.
 */
export async function changeTaskSettings(call: Call<'name'>): Promise<Response> {
  const settings = readSettings(objectIn(call.body))
  return json(await tasksOf(call).set(settings))
}

/** `GET /v1/agents/{name}/swarms`: all swarms, or with `task` the members of one. */
export async function readSwarms(call: Call<'name'>): Promise<Response> {
  const { searchParams } = call.url
  const tasks = tasksOf(call)
  const task = searchParams.get('task')
  if (task === null) return json({ swarms: await tasks.swarms() })
  return json({ task, members: await tasks.membersOf(task, searchParams.get('role')) })
}

// The public routes for tasks (ADP/1.1 section 7.3): callers sign their requests or have a token.

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
  const task = opened(await (await tasksAt(call, 'tasks')).give(sentIn(call)))
  return json(task, 202, { location: task.statusUrl! })
}

/** `GET /agent/tasks/{id}`: for the caller that gave the task. */
export async function readTask(call: Own): Promise<Response> {
  return json(opened(await (await tasksAt(call, 'tasks')).read(sentIn(call), idIn(call))))
}

/** `DELETE /agent/tasks/{id}`: cancels the task. */
export async function cancelTask(call: Own): Promise<Response> {
  return json(opened(await (await tasksAt(call, 'tasks')).cancel(sentIn(call), idIn(call))))
}

/** `POST /agent/webhook?task=ID`: the result of a task that this agent gave, from the agent that did it. */
export async function takeResult(call: Own): Promise<Response> {
  const { name } = await agentOrRefuse(call)
  opened(await taskRpcOf(call.env, name).answer(sentIn(call), call.url.searchParams.get('task')))
  return noContent()
}

/** `POST /agent/swarm/join`: `{ "agent": ..., "task": ..., "role": ... }`. */
export async function joinSwarm(call: Own): Promise<Response> {
  return json(opened(await (await tasksAt(call, 'swarm')).join(sentIn(call))))
}

/** `POST /agent/swarm/leave`: `{ "agent": ..., "task": ... }`. */
export async function leaveSwarm(call: Own): Promise<Response> {
  opened(await (await tasksAt(call, 'swarm')).leave(sentIn(call)))
  return noContent()
}

/** `GET /agent/swarm/members?task=TASK&role=ROLE`: for members only. */
export async function readMembers(call: Own): Promise<Response> {
  const { searchParams } = call.url
  const task = taskIn(searchParams)
  const tasks = await tasksAt(call, 'swarm')
  const members = opened(await tasks.members(sentIn(call), task, searchParams.get('role')))
  return json({ task, members })
}

function taskIn(query: URLSearchParams): string {
  const task = query.get('task')
  if (task !== null) return task
  throw new Problem('bad-request', 'The parameter task names the swarm.', { members: { parameter: 'task' } })
}
