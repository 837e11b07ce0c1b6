// A2A over HTTP: the version of a client, and errors as google.rpc.Status in 1.0 (section 11.6), in 0.3 as the JSON-RPC
// error object that its SDKs read.

import { handleInvocation, type SearchQuery } from 'blazon/directory'
import { isObject, type JsonObject } from '../../bindings/text/members.ts'
import { type Call, type Operation, route, type Tell } from '../access/route.ts'
import type { A2aVersion } from '../contracts/directory.ts'
import { shardedDirectory } from '../directory/service.ts'
import { apiHeaders } from '../http/answer.ts'
import { JSON_BODY, objectIn } from '../http/body.ts'
import { Problem, type ProblemName, statusOf } from '../http/problem.ts'

/** The version of a client that names none (A2A 1.0, section 3.6). */
const UNSAID = '0.3'

const A2A_TYPES: Readonly<Record<A2aVersion, string>> = {
  '1.0': 'application/a2a+json',
  '0.3': 'application/json',
}

/**
 * The version that a client asks for in the header or the parameter, without its patch number, which never counts;
 * undefined if it is not supported.
 */
export function versionOf({ request, url }: Pick<Call, 'request' | 'url'>): A2aVersion | undefined {
  const said = request.headers.get('a2a-version') ?? url.searchParams.get('A2A-Version') ?? ''
  const version = said.trim().replace(/^(\d+\.\d+)\.\d+$/, '$1') || UNSAID
  return Object.hasOwn(A2A_TYPES, version) ? (version as A2aVersion) : undefined
}

const DOMAIN = 'a2a-protocol.org'

/** For each error: the problem, the name of its gRPC status, and its JSON-RPC number (section 5.4). */
const FAULTS = {
  TASK_NOT_FOUND: ['not-found', 'NOT_FOUND', -32001],
  PUSH_NOTIFICATION_NOT_SUPPORTED: ['bad-request', 'FAILED_PRECONDITION', -32003],
  UNSUPPORTED_OPERATION: ['bad-request', 'FAILED_PRECONDITION', -32004],
  CONTENT_TYPE_NOT_SUPPORTED: ['bad-request', 'INVALID_ARGUMENT', -32005],
  VERSION_NOT_SUPPORTED: ['bad-request', 'FAILED_PRECONDITION', -32009],
  INVALID_PARAMS: ['bad-request', 'INVALID_ARGUMENT', -32602],
} as const satisfies Record<string, readonly [problem: ProblemName, status: string, code: number]>

/** The same for problems without an A2A error, by HTTP status. */
const OTHERS: Readonly<Record<number, readonly [status: string, code: number]>> = {
  400: ['INVALID_ARGUMENT', -32602],
  405: ['UNIMPLEMENTED', -32601],
  413: ['INVALID_ARGUMENT', -32602],
  415: ['INVALID_ARGUMENT', -32005],
  429: ['RESOURCE_EXHAUSTED', -32603],
  503: ['UNAVAILABLE', -32603],
}
const INTERNAL = ['INTERNAL', -32603] as const

class Fault extends Problem {
  readonly reason: keyof typeof FAULTS

  constructor(reason: keyof typeof FAULTS, detail: string) {
    super(FAULTS[reason][0], detail)
    this.reason = reason
  }
}

/** Answers with a problem in the form of the client's version; an unsupported version gets the form of 1.0. */
const tellFault: Tell = (problem, { request, url }) => {
  const http = statusOf(problem.name)
  const known = problem instanceof Fault ? problem.reason : undefined
  const [status, code] = known === undefined ? (OTHERS[http] ?? INTERNAL) : [FAULTS[known][1], FAULTS[known][2]]
  const { message } = problem
  const legacy = versionOf({ request, url }) === '0.3'
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: known ?? problem.name.toUpperCase().replaceAll('-', '_'),
    domain: known === undefined ? url.hostname : DOMAIN,
  }
  const body = legacy ? { code, message } : { error: { code: http, status, message, details: [info] } }
  const type = A2A_TYPES[legacy ? '0.3' : '1.0']
  const headers = apiHeaders({ ...problem.extras.headers, 'content-type': type })
  return new Response(JSON.stringify(body), { status: http, headers })
}

// A2A messages, in the ProtoJSON form of each version: parts are `parts` in 1.0, and `content` in 0.3.

/** The longest context id that an answer repeats, in characters. */
const LONGEST_CONTEXT = 256
const MOST_PARTS = 64

const TEXT = 'text/plain'
const JSON_TYPE = 'application/json'

interface A2aQuery {
  readonly query: SearchQuery
  readonly contextId: string | undefined
  /** The part types that the client accepts. */
  readonly takes: readonly string[]
}

/** Reads a message as a search: its text is the query, and a data part has the other members of `adp.discover`. */
function readMessage(body: Uint8Array, version: A2aVersion): A2aQuery {
  const { message, configuration } = objectIn(body)
  if (!isObject(message)) throw expected('message', 'an object')
  const { messageId, contextId = '', taskId = '' } = message
  if (typeof messageId !== 'string' || messageId === '') throw expected('message.messageId', 'a text')
  if (typeof contextId !== 'string' || contextId.length > LONGEST_CONTEXT) {
    throw expected('message.contextId', `a text of at most ${LONGEST_CONTEXT} characters`)
  }
  if (taskId !== '') throw noTask()
  return {
    query: queryIn(message, version),
    contextId: contextId === '' ? undefined : contextId,
    takes: readConfiguration(configuration),
  }
}

function noTask(): Fault {
  return new Fault('TASK_NOT_FOUND', 'This agent has no tasks: it answers every message at once with a message.')
}

function noPush(): Fault {
  return new Fault(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'This agent sends no push notifications: it answers every message at once.',
  )
}

function queryIn(message: JsonObject, version: A2aVersion): SearchQuery {
  const name = version === '0.3' && message['parts'] === undefined ? 'content' : 'parts'
  const parts = message[name]
  if (!Array.isArray(parts) || parts.length === 0) throw expected(`message.${name}`, 'a list of parts')
  if (parts.length > MOST_PARTS) throw expected(`message.${name}`, `at most ${MOST_PARTS} parts`)
  const texts: string[] = []
  const members: [string, unknown][] = []
  for (const [i, part] of parts.entries()) {
    const at = `message.${name}[${i}]`
    if (!isObject(part)) throw expected(at, 'an object')
    if (part['text'] !== undefined && part['data'] !== undefined)
      throw expected(at, 'a part with text or data, not with both')
    if (typeof part['text'] === 'string') texts.push(part['text'])
    else if (part['data'] !== undefined)
      for (const one of Object.entries(dataOf(part['data'], name, at))) members.push(one)
    else
      throw new Fault(
        'CONTENT_TYPE_NOT_SUPPORTED',
        `${at}: expected a part with text or data; files are not supported.`,
      )
  }
  const text = texts.join('\n').trim()
  if (text !== '') members.push(['query', text])
  const query: JsonObject = Object.fromEntries(members)
  if (Object.keys(query).length === 0) throw expected(`message.${name}`, 'a text that describes the agent to find')
  return query
}

function dataOf(data: unknown, name: string, at: string): JsonObject {
  const own = name === 'content' && isObject(data) ? data['data'] : data
  if (isObject(own)) return own
  throw expected(`${at}.data`, 'an object, as POST /adp/discover takes it')
}

function readConfiguration(configuration: unknown): readonly string[] {
  const read = configuration ?? {}
  if (!isObject(read)) throw expected('configuration', 'an object')
  if (read['taskPushNotificationConfig'] !== undefined || read['pushNotification'] !== undefined) throw noPush()
  const modes = read['acceptedOutputModes'] ?? []
  if (!Array.isArray(modes)) throw expected('configuration.acceptedOutputModes', 'a list of media types')
  const takes = [TEXT, JSON_TYPE].filter((type) => modes.length === 0 || modes.includes(type) || modes.includes('*/*'))
  if (takes.length > 0) return takes
  throw new Fault(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `The answer is ${TEXT} and ${JSON_TYPE}; acceptedOutputModes has neither.`,
  )
}

/** The answer as a message, in the parts that the client accepts: a readable list, and the result of `adp.discover`. */
function messageOf(found: JsonObject, { contextId, takes }: A2aQuery, version: A2aVersion): JsonObject {
  const text = { text: listOf(found) }
  const all: Readonly<Record<string, JsonObject>> =
    version === '0.3'
      ? { [TEXT]: text, [JSON_TYPE]: { data: { data: found } } }
      : { [TEXT]: { ...text, mediaType: TEXT }, [JSON_TYPE]: { data: found, mediaType: JSON_TYPE } }
  return {
    messageId: crypto.randomUUID(),
    ...(contextId !== undefined && { contextId }),
    role: 'ROLE_AGENT',
    [version === '0.3' ? 'content' : 'parts']: takes.map((type) => all[type]),
  }
}

const LONGEST_LINE = 300

function listOf(found: JsonObject): string {
  const results = found['results'] as readonly { readonly agent_card: JsonObject; readonly standing?: string }[]
  if (results.length === 0) return 'No agent matches.'
  const lines = results.map(({ agent_card: { id, name, description = '' }, standing }, i) => {
    const line = `${i + 1}. ${name} <${id}> (${standing ?? 'none'}) ${description}`
    // Don't cut a character in half: strict JSON readers refuse that.
    return line
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, LONGEST_LINE)
      .replace(/[\ud800-\udbff]$/, '')
  })
  return lines.join('\n')
}

function expected(place: string, what: string): Fault {
  return new Fault('INVALID_PARAMS', `${place}: expected ${what}.`)
}

// The methods of A2A over HTTP+JSON (1.0 section 11, 0.3 section 3.2.3). Every message is a search of the directory.

/** `POST /message:send`. */
async function sendMessage(call: Call): Promise<Response> {
  const version = spoken(call)
  return answerJson({ message: await search(call, version) }, version)
}

/** `POST /message:stream`: a stream of a single event, because the answer is ready at once (1.0 section 3.1.2). */
async function streamMessage(call: Call): Promise<Response> {
  const message = await search(call, spoken(call))
  const headers = apiHeaders({ 'content-type': 'text/event-stream' })
  return new Response(`data: ${JSON.stringify({ message })}\n\n`, { headers })
}

async function search({ body, env }: Call, version: A2aVersion) {
  const asked = readMessage(body, version)
  const invocation = { method: 'adp.discover', body: JSON.stringify(asked.query) }
  const { status, body: found } = await handleInvocation(shardedDirectory(env), invocation)
  if (status === 'OK') return messageOf(found, asked, version)
  const [first] = (found['diagnostics'] ?? []) as readonly { readonly detail: string }[]
  if (status === 'INVALID_REQUEST') throw new Fault('INVALID_PARAMS', first?.detail ?? 'The search is invalid.')
  throw new Problem('unavailable', 'The directory does not answer right now.')
}

/** `GET /tasks`: always empty. */
function listTasks(call: Call): Response {
  return answerJson({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }, spoken(call))
}

/** Refuses to read, cancel or follow a task, because there are no tasks. */
function refuseTask(call: Call<'name'>): never {
  spoken(call)
  throw noTask()
}

function refusePush(call: Call<'name'>): never {
  spoken(call)
  throw noPush()
}

/** Refuses the extended card for authenticated clients. */
function refuseExtendedCard(call: Call): never {
  spoken(call)
  throw new Fault('UNSUPPORTED_OPERATION', 'There is only one card, at /.well-known/agent-card.json.')
}

function spoken(call: Pick<Call, 'request' | 'url'>): A2aVersion {
  const version = versionOf(call)
  if (version !== undefined) return version
  throw new Fault('VERSION_NOT_SUPPORTED', `This server supports A2A-Version ${Object.keys(A2A_TYPES).join(' and ')}.`)
}

function answerJson(content: object, version: A2aVersion): Response {
  return new Response(JSON.stringify(content), { headers: apiHeaders({ 'content-type': A2A_TYPES[version] }) })
}

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
