// The routes of an agent's gateway: its state, messages and speakers for the operator, and its tasks for callers and for
// the operator.
import type { MessageDraft } from 'blazon/agp'
import { isDomain } from 'blazon/wellknown'
import { agentRoute, type Call, type Route, route } from '../access/route.ts'
import { keysOf } from '../agents/did.ts'
import { agentOrRefuse, nameOf, PUBLISH, READ } from '../agents/find.ts'
import { MODES, type Outcome, type TaskState, type Verdict } from '../contracts/gateway.ts'
import { gatewayStub, taskRpcOf } from '../env.ts'
import { json, noContent } from '../http/answer.ts'
import { type BodyRule, JSON_BODY, objectIn, refuseOtherMembers } from '../http/body.ts'
import { parseUrl } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { choice, integer, PAGED, pageIn } from '../http/query.ts'
import { sentIn, unwrapAnswer } from '../http/relay.ts'
import { chat } from './self.ts'
import { readSettings } from './tasks/tasks.ts'

const PAGE = 100
/** Leaves room in a message for the signatures and for names of 253 characters. */
const MOST_BYTES = 260_000
const DAY = 86_400
const MOST_DAYS = 7
/** The lifetime of a message that should go out at once. */
const LEAST_MS = 60_000
const MOST_NAMES = 500
const TYPES: readonly unknown[] = ['chat', 'task']
const CONTENT_TYPES: readonly unknown[] = ['text/plain', 'text/html', 'application/json']
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** The object of the agent that a call is for. */
const gatewayOf = (call: Call<'name'>) => gatewayStub(call.env, nameOf(call))

/** `GET /v1/agents/{name}/state`. */
async function readState(call: Call<'name'>): Promise<Response> {
  return json(await gatewayOf(call).state())
}

/**
 * `GET /v1/agents/{name}/messages?after=N`: the messages that the agent received, as they were signed, in order of
 * arrival.
 */
async function readMessages(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const rows = await gateway.messages(pageIn(call.url.searchParams, PAGE))
  const messages = rows.map(({ seq, about, at, text }) => ({ seq, agent: about, at: new Date(at).toISOString(), text }))
  return json({ messages })
}

/** `DELETE /v1/agents/{name}/messages?through=N`: removes the messages that the operator has taken. */
async function removeMessages(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const through = integer(call.url.searchParams, 'through', 0, 999_999_999)
  if (through === undefined)
    throw new Problem('bad-request', 'Expected the number of the last message as the parameter through.')
  return json({ removed: await gateway.removeThrough(through) })
}

/** `POST /v1/agents/{name}/messages`: sends a message to an agent, now or when it connects within `retainSeconds`. */
async function sendMessage(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const members = objectIn(call.body, ['to', 'type', 'content', 'contentType', 'replyTo', 'retainSeconds'])
  const { to, type = 'chat', content, contentType = 'text/plain', replyTo, retainSeconds = DAY } = members
  const isRight =
    typeof content === 'string' &&
    TYPES.includes(type) &&
    CONTENT_TYPES.includes(contentType) &&
    (replyTo === undefined || (typeof replyTo === 'string' && UUID.test(replyTo))) &&
    typeof retainSeconds === 'number' &&
    retainSeconds >= 0 &&
    retainSeconds <= MOST_DAYS * DAY
  if (!isRight)
    throw new Problem(
      'bad-request',
      `Expected a message with content; type, contentType and replyTo as in ADP/1.1; retainSeconds of at most ${MOST_DAYS * DAY}.`,
    )
  const message = {
    type: type as NonNullable<MessageDraft['type']>,
    content,
    contentType: contentType as NonNullable<MessageDraft['contentType']>,
    ...(replyTo !== undefined && { replyTo }),
  }
  if (new TextEncoder().encode(JSON.stringify(message)).length > MOST_BYTES)
    throw new Problem('body-too-large', `A message has at most ${MOST_BYTES} bytes of content.`, {
      members: { limit: MOST_BYTES },
    })
  const [name, id] = [nameOf(call), crypto.randomUUID()]
  const until = Date.now() + Math.max(LEAST_MS, retainSeconds * 1000)
  const outcome = await gateway.say(name, { id, to: agentIn(to), content: message, until }, retainSeconds === 0)
  if (outcome === 'kept') return json({ id }, 202)
  if (outcome === 'gone') throw new Problem('not-found', `Nothing was published as ${name}.`)
  if (outcome === 'self') throw new Problem('bad-request', 'An agent cannot send messages to itself.')
  if (outcome === 'full') throw new Problem('full', 'The queue of messages is full.')
  if (outcome === 'shut-out') throw new Problem('forbidden', 'This agent is not allowed, so it gets no messages.')
  throw new Problem('not-found', 'This agent has no open conversation.')
}

/** `GET /v1/agents/{name}/speakers`. */
async function readSpeakers(call: Call<'name'>): Promise<Response> {
  return json(await gatewayOf(call).speakers())
}

/** `POST /v1/agents/{name}/speakers`: `{ "speakers": "list", "allow": [...], "block": [...], "forget": [...] }`. */
async function changeSpeakers(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const members = objectIn(call.body, ['speakers', 'allow', 'block', 'forget'])
  const { speakers } = members
  const mode = MODES.find((one) => one === speakers)
  if (speakers !== undefined && mode === undefined)
    throw new Problem('bad-request', `Expected one of ${MODES.join(', ')} as the member speakers.`)
  const verdicts = [
    ...readVerdicts(members['allow'], 'allowed'),
    ...readVerdicts(members['block'], 'blocked'),
    ...readVerdicts(members['forget'], null),
  ]
  if (verdicts.length > MOST_NAMES) throw new Problem('bad-request', `Expected at most ${MOST_NAMES} agents.`)
  if (await gateway.letSpeak(mode, verdicts)) return json(await gateway.speakers())
  throw new Problem('full', 'The limit of remembered agents is reached.')
}

function readVerdicts(list: unknown = [], verdict: Verdict | null): readonly (readonly [string, Verdict | null])[] {
  if (!Array.isArray(list))
    throw new Problem('bad-request', 'Expected lists of agents as the members allow, block and forget.')
  return list.map((agent) => [agentIn(agent), verdict] as const)
}

function agentIn(text: unknown): string {
  const domain = typeof text === 'string' ? /^agent:([^/]+)$/.exec(text)?.[1] : undefined
  if (domain !== undefined && isDomain(domain)) return `agent:${domain.toLowerCase()}`
  throw new Problem('bad-request', 'Expected an agent as agent: and its domain, such as agent:bob.example.com.')
}

// The public routes for tasks (ADP/1.1 section 7.3): callers sign their requests or have a token.

/** The same limit as for a message. */
const TASK_BODY: BodyRule = { ...JSON_BODY, bytes: 262_144 }
const SWARM_BODY: BodyRule = { ...JSON_BODY, bytes: 4096 }

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
async function giveTask(call: Own): Promise<Response> {
  const task = unwrapAnswer(await (await tasksAt(call, 'tasks')).give(sentIn(call)))
  return json(task, 202, { location: task.statusUrl! })
}

/** `GET /agent/tasks/{id}`: for the caller that gave the task. */
async function readTask(call: Own): Promise<Response> {
  return json(unwrapAnswer(await (await tasksAt(call, 'tasks')).read(sentIn(call), idIn(call))))
}

/** `DELETE /agent/tasks/{id}`: cancels the task. */
async function cancelTask(call: Own): Promise<Response> {
  return json(unwrapAnswer(await (await tasksAt(call, 'tasks')).cancel(sentIn(call), idIn(call))))
}

/** `POST /agent/webhook?task=ID`: the result of a task that this agent gave, from the agent that did it. */
async function takeResult(call: Own): Promise<Response> {
  const { name } = await agentOrRefuse(call)
  unwrapAnswer(await taskRpcOf(call.env, name).answer(sentIn(call), call.url.searchParams.get('task')))
  return noContent()
}

/** `POST /agent/swarm/join`: `{ "agent": ..., "task": ..., "role": ... }`. */
async function joinSwarm(call: Own): Promise<Response> {
  return json(unwrapAnswer(await (await tasksAt(call, 'swarm')).join(sentIn(call))))
}

/** `POST /agent/swarm/leave`: `{ "agent": ..., "task": ... }`. */
async function leaveSwarm(call: Own): Promise<Response> {
  unwrapAnswer(await (await tasksAt(call, 'swarm')).leave(sentIn(call)))
  return noContent()
}

/** `GET /agent/swarm/members?task=TASK&role=ROLE`: for members only. */
async function readMembers(call: Own): Promise<Response> {
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

// The operator's API for an agent's tasks: those it was given, those it gave, and its settings.

/** A task may have 256 KiB, so an answer can't hold many more. */
const TASKS_PAGE = 20
const STATES = ['queued', 'taken', 'completed', 'failed', 'canceled'] as const
const LONGEST_ERROR = 1000

/** The tasks of the agent that a call is for. */
const tasksOf = (call: Call<'name'>) => taskRpcOf(call.env, nameOf(call))

/** `GET /v1/agents/{name}/tasks?after=N&limit=N&state=STATE`. */
async function listTasks(call: Call<'name'>): Promise<Response> {
  const { searchParams } = call.url
  const [page, state] = [pageIn(searchParams, TASKS_PAGE), choice(searchParams, 'state', STATES)]
  return json({ tasks: await tasksOf(call).list(page, state) })
}

/**
 * `POST /v1/agents/{name}/tasks/take`: takes the oldest waiting task, which no other caller then gets; 204 when there
 * is none.
 */
async function takeTask(call: Call<'name'>): Promise<Response> {
  const task = await tasksOf(call).take()
  return task === null ? noContent() : json(task)
}

/** `GET /v1/agents/{name}/tasks/{id}`. */
async function readOwnTask(call: Call<'name' | 'id'>): Promise<Response> {
  return json(unwrapAnswer(await tasksOf(call).find(call.parts.id)))
}

/** `POST /v1/agents/{name}/tasks/{id}`: `{ "state": "completed", "result": ... }`, `{ "state": "failed", "error": "..." }` or `{ "state": "taken" }`. */
async function moveTask(call: Call<'name' | 'id'>): Promise<Response> {
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
async function listGiven(call: Call<'name'>): Promise<Response> {
  const page = pageIn(call.url.searchParams, TASKS_PAGE)
  return json({ given: await tasksOf(call).listDelegated(page) })
}

/** `POST /v1/agents/{name}/tasks/given`: `{ "to": "agent:...", "task": ..., "input": ... }`. */
async function giveToOther(call: Call<'name'>): Promise<Response> {
  return json(unwrapAnswer(await tasksOf(call).giveTo(call.body)), 202)
}

/** `GET /v1/agents/{name}/tasks/settings`. */
async function readTaskSettings(call: Call<'name'>): Promise<Response> {
  return json(await tasksOf(call).settings())
}

/**
 * `PUT /v1/agents/{name}/tasks/settings`: `{ "anonymous": false, "origins": [], "taker": null }` replaces all settings.
 */
async function changeTaskSettings(call: Call<'name'>): Promise<Response> {
  const settings = readSettings(objectIn(call.body))
  return json(await tasksOf(call).set(settings))
}

/** `GET /v1/agents/{name}/swarms`: all swarms, or with `task` the members of one. */
async function readSwarms(call: Call<'name'>): Promise<Response> {
  const { searchParams } = call.url
  const tasks = tasksOf(call)
  const task = searchParams.get('task')
  if (task === null) return json({ swarms: await tasks.swarms() })
  return json({ task, members: await tasks.membersOf(task, searchParams.get('role')) })
}

const limit = 'QUERIES'
const own = { access: READ, limit } as const
const access = PUBLISH
const SWARM = { task: 'once', role: 'once' } as const

export const ROUTES: readonly Route[] = [
  agentRoute('/agent/chat', { GET: { ...own, answer: chat } }),
  agentRoute('/agent/tasks', { POST: { ...own, body: TASK_BODY, query: {}, answer: giveTask } }),
  agentRoute('/agent/tasks/{id}', {
    GET: { ...own, query: {}, answer: readTask },
    DELETE: { ...own, query: {}, answer: cancelTask },
  }),
  agentRoute('/agent/webhook', { POST: { ...own, body: TASK_BODY, query: { task: 'once' }, answer: takeResult } }),
  agentRoute('/agent/swarm/join', { POST: { ...own, body: SWARM_BODY, query: {}, answer: joinSwarm } }),
  agentRoute('/agent/swarm/leave', { POST: { ...own, body: SWARM_BODY, query: {}, answer: leaveSwarm } }),
  agentRoute('/agent/swarm/members', { GET: { ...own, query: SWARM, answer: readMembers } }),
  route('/agents/{name}/chat', { GET: { ...own, answer: chat } }),
  route('/agents/{name}/tasks', { POST: { ...own, body: TASK_BODY, query: {}, answer: giveTask } }),
  route('/agents/{name}/tasks/{id}', {
    GET: { ...own, query: {}, answer: readTask },
    DELETE: { ...own, query: {}, answer: cancelTask },
  }),
  route('/agents/{name}/webhook', {
    POST: { ...own, body: TASK_BODY, query: { task: 'once' }, answer: takeResult },
  }),
  route('/v1/agents/{name}/state', { GET: { access, query: {}, answer: readState } }),
  route('/v1/agents/{name}/messages', {
    GET: { access, query: PAGED, answer: readMessages },
    POST: { access, body: JSON_BODY, query: {}, answer: sendMessage },
    DELETE: { access, query: { through: 'once' }, answer: removeMessages },
  }),
  route('/v1/agents/{name}/speakers', {
    GET: { access, query: {}, answer: readSpeakers },
    POST: { access, body: JSON_BODY, query: {}, answer: changeSpeakers },
  }),
  route('/v1/agents/{name}/tasks', { GET: { access, query: { ...PAGED, state: 'once' }, answer: listTasks } }),
  route('/v1/agents/{name}/tasks/take', { POST: { access, query: {}, answer: takeTask } }),
  route('/v1/agents/{name}/tasks/given', {
    GET: { access, query: PAGED, answer: listGiven },
    POST: { access, body: TASK_BODY, query: {}, answer: giveToOther },
  }),
  route('/v1/agents/{name}/tasks/settings', {
    GET: { access, query: {}, answer: readTaskSettings },
    PUT: { access, body: JSON_BODY, query: {}, answer: changeTaskSettings },
  }),
  route('/v1/agents/{name}/tasks/{id}', {
    GET: { access, query: {}, answer: readOwnTask },
    POST: { access, body: JSON_BODY, query: {}, answer: moveTask },
  }),
  route('/v1/agents/{name}/swarms', { GET: { access, query: SWARM, answer: readSwarms } }),
]
