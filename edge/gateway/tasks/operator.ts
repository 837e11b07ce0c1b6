// The operator's API for an agent's tasks: those it was given, those it gave, and its settings.
import type { Call } from '../../access/route.ts'
import { nameOf } from '../../agents/find.ts'
import type { Outcome, TaskState } from '../../contracts/gateway.ts'
import { taskRpcOf } from '../../env.ts'
import { json, noContent } from '../../http/answer.ts'
import { objectIn, refuseOtherMembers } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { choice, pageIn } from '../../http/query.ts'
import { unwrapAnswer } from '../../http/relay.ts'
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
  return json(unwrapAnswer(await tasksOf(call).find(call.parts.id)))
}

/** `POST /v1/agents/{name}/tasks/{id}`: `{ "state": "completed", "result": ... }`, `{ "state": "failed", "error": "..." }` or `{ "state": "taken" }`. */
export async function moveTask(call: Call<'name' | 'id'>): Promise<Response> {
  const { state, outcome } = moveIn(objectIn(call.body))
  return json(unwrapAnswer(await tasksOf(call).move(call.parts.id, state, outcome)))
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
  return json({ given: await tasksOf(call).listDelegated(page) })
}

/** `POST /v1/agents/{name}/tasks/given`: `{ "to": "agent:...", "task": ..., "input": ... }`. */
export async function giveToOther(call: Call<'name'>): Promise<Response> {
  return json(unwrapAnswer(await tasksOf(call).giveTo(call.body)), 202)
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
