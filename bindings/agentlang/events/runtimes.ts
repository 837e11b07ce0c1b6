// Events of runtimes as events of AgentLang: one table for each runtime.
import { parse } from '../../document/parse.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import schema from './schema.json' with { type: 'json' }

/** The runtimes whose events can be read. */
export const RUNTIMES = ['langgraph', 'crewai', 'autogen'] as const
export declare namespace runtimeEvents {
  type Runtime = (typeof RUNTIMES)[number]
}

type EventType = Exclude<keyof typeof schema.$defs, 'event'>

/** How records of one type become events: `from` has members of the entry, or of the record around it. */
type Row = readonly [event: EventType, from: Readonly<Record<string, string>>, rest?: RowOptions]

interface RowOptions {
  /** The list with an entry for each event; by default the record is the entry. */
  readonly each?: string
  readonly only?: (entry: JsonObject) => boolean
  readonly fixed?: JsonObject
}

/** The names of tools that hand over to another agent of a graph. */
const HANDOFF = 'transfer_to_'
const isHandoff = ({ name }: JsonObject) => isText(name) && name.startsWith(HANDOFF)
const calls = (message: JsonObject) => Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0
const hasText = ({ content }: JsonObject) => contentText(content) !== ''
/** The output of a failed call is its error. */
const hasFailed = ({ status, is_error }: JsonObject) => status === 'error' || is_error === true
const isOfUser = ({ source }: JsonObject) => source === 'user'
const NODE = { agent_id: 'node', content: 'content' }
const SOURCE = { agent_id: 'source', content: 'content' }
const [USER, ASSISTANT] = [{ role: 'user' }, { role: 'assistant' }]

const TABLES: Readonly<Record<runtimeEvents.Runtime, Readonly<Record<string, readonly Row[]>>>> = {
  /** Messages in the updates of a graph; `node` is the node that they come from. */
  langgraph: {
    human: [['agent.message', NODE, { fixed: USER }]],
    ai: [
      ['agent.think', NODE, { only: (message) => calls(message) && hasText(message) }],
      ['agent.message', NODE, { only: (message) => !calls(message), fixed: ASSISTANT }],
      ['tool.call', { agent_id: 'node', tool: 'name', input: 'args', call_id: 'id' }, { each: 'tool_calls' }],
      ['agent.delegate', { from: 'node', to: 'name' }, { each: 'tool_calls', only: isHandoff, fixed: { task: '' } }],
    ],
    tool: [['tool.result', { call_id: 'tool_call_id', output: 'content' }]],
  },
  /** Events of the event bus. */
  crewai: {
    agent_reasoning_completed: [['agent.think', { agent_id: 'agent_role', content: 'plan' }]],
    agent_execution_completed: [['agent.message', { agent_id: 'agent_role', content: 'output' }, { fixed: ASSISTANT }]],
    tool_usage_started: [
      ['tool.call', { agent_id: 'agent_role', tool: 'tool_name', input: 'tool_args', call_id: 'event_id' }],
    ],
    tool_usage_finished: [['tool.result', { call_id: 'started_event_id', output: 'output' }]],
    tool_usage_error: [['tool.result', { call_id: 'started_event_id', error: 'error' }]],
  },
  /** Messages and events of AgentChat. */
  autogen: {
    TextMessage: [
      ['agent.message', SOURCE, { only: isOfUser, fixed: USER }],
      ['agent.message', SOURCE, { only: (message) => !isOfUser(message), fixed: ASSISTANT }],
    ],
    ThoughtEvent: [['agent.think', SOURCE]],
    ToolCallRequestEvent: [
      ['tool.call', { agent_id: 'source', tool: 'name', input: 'arguments', call_id: 'id' }, { each: 'content' }],
    ],
    ToolCallExecutionEvent: [['tool.result', { call_id: 'call_id', output: 'content' }, { each: 'content' }]],
    HandoffMessage: [['agent.delegate', { from: 'source', to: 'target', task: 'content' }]],
  },
}

/**
 * The events for one record of a runtime, in its order: an update of LangGraph (`streamMode: 'updates'`), an event of
 * CrewAI's bus, or a message of AutoGen's AgentChat. Other records give none.
 *
 * @example
 * for await (const update of await graph.stream(input, { streamMode: 'updates' }))
 *   events.push(...runtimeEvents('langgraph', update))
 *
 * @throws {RangeError} for an unknown runtime.
 */
export function runtimeEvents(
  runtime: runtimeEvents.Runtime,
  record: unknown,
  { now = new Date() }: { readonly now?: Date } = {},
): readonly JsonObject[] {
  if (!RUNTIMES.includes(runtime)) throw new RangeError(`runtime: expected one of ${RUNTIMES.join(', ')}`)
  const records = runtime === 'langgraph' ? messagesIn(record) : [record].filter(isObject)
  return records.flatMap((one) => eventsOf(runtime, one, now))
}

/** The messages of an update, which subgraphs precede with their path. Each gets the name of its node. */
function messagesIn(update: unknown): readonly JsonObject[] {
  const nodes = Array.isArray(update) ? update.at(-1) : update
  return Object.entries(objectOf(nodes)).flatMap(([node, value]) =>
    [member(objectOf(value), 'messages')].flat().flatMap((message) => (isObject(message) ? { ...message, node } : [])),
  )
}

function eventsOf(runtime: runtimeEvents.Runtime, record: JsonObject, now: Date): readonly JsonObject[] {
  const type = member(record, 'type')
  const rows = isText(type) ? (member(TABLES[runtime], type) as readonly Row[] | undefined) : undefined
  return (rows ?? []).flatMap(([event, from, { each, only = () => true, fixed } = {}]) => {
    const entries = each === undefined ? [record] : [member(record, each)].flat().filter(isObject)
    return entries.filter(only).flatMap((entry) => {
      const made: Record<string, unknown> = { type: event, timestamp: timestampOf(record, now) }
      for (const [name, theirs] of Object.entries(from)) {
        const value = memberOf(name, member(entry, theirs) ?? member(record, theirs))
        if (value !== undefined) made[name === 'output' && hasFailed(entry) ? 'error' : name] = value
      }
      const whole = { ...made, ...fixed }
      return schema.$defs[event].required.every((name) => Object.hasOwn(whole, name)) ? [whole] : []
    })
  })
}

/** The value of a member of an event; undefined if it is missing or invalid. */
function memberOf(name: string, value: unknown): unknown {
  if (name === 'content' || name === 'task') return contentText(value)
  if (name === 'input') return isText(value) ? (parse(value).document?.value ?? value) : value
  if (name === 'output' || name === 'error') return value
  if (!isText(value) || value === '') return undefined
  return name === 'to' && value.startsWith(HANDOFF) ? value.slice(HANDOFF.length) || undefined : value
}

/** A text, or the texts of a list of content blocks. */
function contentText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return isText(content) ? content : undefined
  return content
    .map((block) => member(objectOf(block), 'text'))
    .filter(isText)
    .join('')
}

/** The time of the record; `now` if it has none. */
function timestampOf(record: JsonObject, now: Date): string {
  const time = member(record, 'timestamp') ?? member(record, 'created_at')
  return isText(time) && timeOf(time) !== undefined ? time : now.toISOString()
}
