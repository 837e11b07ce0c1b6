// A2A messages, in the ProtoJSON form of each version: parts are `parts` in 1.0, and `content` in 0.3.
import type { SearchQuery } from 'blazon/directory'
import { isObject, type JsonObject } from '../../bindings/text/members.ts'
import type { A2aVersion } from '../contracts/directory.ts'
import { objectIn } from '../http/body.ts'
import { Fault } from './binding.ts'

/** The longest context id that an answer repeats, in characters. */
const LONGEST_CONTEXT = 256
const MOST_PARTS = 64

const TEXT = 'text/plain'
const JSON_TYPE = 'application/json'

export interface A2aQuery {
  readonly query: SearchQuery
  readonly contextId: string | undefined
  /** The part types that the client accepts. */
  readonly takes: readonly string[]
}

/** Reads a message as a search: its text is the query, and a data part has the other members of `adp.discover`. */
export function readMessage(body: Uint8Array, version: A2aVersion): A2aQuery {
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

export function noTask(): Fault {
  return new Fault('TASK_NOT_FOUND', 'This agent has no tasks: it answers every message at once with a message.')
}

export function noPush(): Fault {
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
export function messageOf(found: JsonObject, { contextId, takes }: A2aQuery, version: A2aVersion): JsonObject {
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
