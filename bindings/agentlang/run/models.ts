// A model behind an endpoint for chat completions, as OpenAI and many servers have it.
import { parse } from '../../document/parse.ts'
import type { McpTransport } from '../../mcp/peer.ts'
import { readAtMost } from '../../net/deadline.ts'
import { reason } from '../../net/failure.ts'
import type { PermissionRequest } from '../../policy/request.ts'
import { isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { quoted, shown } from '../../text/words.ts'
import type { Budget, limitsOf } from './budget.ts'
import type { planContext } from './context.ts'
import type { ToolOutcome } from './contract.ts'

export declare namespace chatModel {
  interface Options {
    /** The endpoint itself, such as `http://localhost:11434/v1/chat/completions`. */
    readonly url: string
    readonly fetch: (url: string, init: RequestInit) => Promise<Response>
    /** The bearer token. It is sent to this URL only. */
    readonly key?: string
    /** The model to ask for, whatever the agent names. */
    readonly model?: string
    /** The member that limits the tokens of an answer. Default: `max_tokens`; newer models of OpenAI refuse that. */
    readonly limit?: 'max_tokens' | 'max_completion_tokens'
  }
}

const LARGEST_ANSWER = 4 << 20
/** Options of agents that an endpoint gets. Others could change where the request goes, or what it costs. */
const PASSED = ['temperature', 'top_p', 'stop', 'seed', 'presence_penalty', 'frequency_penalty']

/** A model at the endpoint that the user names. Follows no redirects. */
export function chatModel({ url, fetch, key, model: own, limit = 'max_tokens' }: chatModel.Options): ModelAdapter {
  return {
    async turn(messages, tools, { model, options, maxTokens, signal }) {
      const passed = PASSED.filter((name) => member(options, name) !== undefined).map((name) => [name, options[name]])
      const body = {
        ...Object.fromEntries(passed),
        model: own ?? model ?? 'default',
        [limit]: maxTokens,
        messages: messages.map(chatMessage),
        ...(tools.length > 0 && { tools: tools.map(chatTool) }),
      }
      const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' } as const
      const response = await fetch(url, request).catch((error: unknown) => {
        if (signal?.aborted) throw error
        const { origin, pathname } = new URL(url)
        throw new Error(`${origin}${pathname} cannot be reached: ${reason(error)}`)
      })
      const bytes = await readAtMost(response, LARGEST_ANSWER)
      if (bytes === undefined) throw new Error(`the answer is larger than ${LARGEST_ANSWER} bytes`)
      const value = parse(bytes, { maxDepth: 64 }).document?.value
      if (!response.ok) throw new Error(`the endpoint answered with status ${response.status}${reasonIn(value)}`)
      return turnIn(objectOf(value))
    },
  }
}

const chatTool = ({ name, description, input_schema: parameters }: ToolDefinition) => ({
  type: 'function',
  function: { name, ...(description !== undefined && { description }), parameters },
})

function chatMessage({ role, content, calls, call_ids = [] }: RunMessage): JsonObject {
  if (role === 'tool') return { role, content, tool_call_id: call_ids[0] }
  const made = calls?.map(({ id, tool, input }) => {
    return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }
  })
  return { role, content, ...(made && { tool_calls: made }) }
}

function reasonIn(value: unknown): string {
  const message = member(objectOf(member(objectOf(value), 'error')), 'message')
  return isText(message) ? `: ${quoted(message)}` : ''
}

function turnIn({ choices, usage }: JsonObject): ModelTurn {
  const [choice] = Array.isArray(choices) ? choices : []
  const message = member(objectOf(choice), 'message')
  if (!isObject(message)) throw new Error('the answer has no message')
  const { content, tool_calls, reasoning_content: thought } = message
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).map((call: unknown) => {
    const { name, arguments: text } = objectOf(member(objectOf(call), 'function'))
    const input = isText(text) ? parse(text === '' ? '{}' : text, { maxDepth: 64 }).document?.value : text
    if (!isText(name) || !isObject(input)) throw new Error('a call of the answer has invalid arguments')
    return { tool: name, input }
  })
  const { prompt_tokens, completion_tokens } = objectOf(usage)
  return {
    ...(isText(content) && { text: content }),
    ...(isText(thought) && { thought }),
    calls,
    ...(usage != null && { usage: { input: Number(prompt_tokens), output: Number(completion_tokens) } }),
  }
}

// A model that follows a script: for tests, demonstrations, and the replay of a log of events.

/** An answer of the script. Without an agent it is for any. */
interface ScriptTurn {
  readonly agent?: string
  readonly turn: ModelTurn
}

/**
 * A model that gives the answers of `{ turns: [{ agent, text, thought, calls: [{ tool, input }], usage }] }` in their
 * order, or those of the assistants in `{ events: [...] }`. Every agent gets the first answer that is left for it.
 *
 * @throws {TypeError} for another value.
 */
export function scriptModel(script: unknown): ModelAdapter {
  const { turns, events } = objectOf(script)
  const list = Array.isArray(events) ? turnsOf(events.filter(isObject)) : turns
  if (!Array.isArray(list) || !list.every(isObject))
    throw new TypeError(`script: expected an object with a list of turns or events, found ${shown(script)}`)
  const left: (ScriptTurn | undefined)[] = list.map(({ agent, ...turn }) => {
    return isText(agent) ? { agent, turn } : { turn }
  })
  return {
    async turn(_messages, _tools, { agent_id }) {
      const index = left.findIndex((one) => one !== undefined && (one.agent ?? agent_id) === agent_id)
      if (index < 0) throw new Error(`the script has no answer left for ${quoted(agent_id)}`)
      const [{ turn }] = left.splice(index, 1, undefined) as [ScriptTurn]
      return turn
    },
  }
}

/** Calls belong to the text before them, until one of them has a result. */
function turnsOf(events: readonly JsonObject[]): readonly JsonObject[] {
  const turns: { agent: unknown; text?: unknown; calls: JsonObject[] }[] = []
  const open = new Map<unknown, (typeof turns)[number]>()
  const callers = new Map<unknown, unknown>()
  const begin = (agent: unknown, text?: unknown) => {
    const turn = { agent, ...(text !== undefined && { text }), calls: [] }
    turns.push(turn)
    open.set(agent, turn)
    return turn
  }
  for (const { type, agent_id: agent, role, content, tool, input, call_id } of events) {
    if (type === 'agent.message' && role === 'assistant') begin(agent, content)
    else if (type === 'tool.call') {
      const turn = open.get(agent) ?? begin(agent)
      turn.calls.push({ tool, input })
      callers.set(call_id, agent)
    } else if (type === 'tool.result') open.delete(callers.get(call_id))
  }
  return turns
}

// A model behind another program, by lines of JSON: a turn is `{ type: 'turn', id, agent_id, model, provider, options,
// max_tokens, messages, tools }`, its answer `{ id, text, thought, calls: [{ tool, input }], usage }` or `{ id, error }`.

/** A model over a transport of messages. An answer to no turn, and a second one to the same turn, are ignored. */
export function lineModel(transport: McpTransport): ModelAdapter {
  const waiting = new Map<unknown, (answer: JsonObject | Error) => void>()
  let [turns, end]: [number, Error | undefined] = [0, undefined]
  const listen = async () => {
    for await (const answer of transport.messages) waiting.get(member(answer, 'id'))?.(answer)
    throw new Error('the program has ended')
  }
  listen().catch((error: Error) => {
    end = error
    for (const answer of waiting.values()) answer(error)
  })
  return {
    async turn(messages, tools, { maxTokens: max_tokens, signal, ...about }) {
      if (end !== undefined) throw end
      const id = ++turns
      try {
        const answered = new Promise<JsonObject | Error>((resolve) => waiting.set(id, resolve))
        await transport.send({ type: 'turn', id, ...about, max_tokens, messages, tools }, signal)
        const answer = await answered
        if (answer instanceof Error) throw answer
        if (isText(answer['error'])) throw new Error(answer['error'])
        return answer as ModelTurn
      } finally {
        waiting.delete(id)
      }
    },
  }
}

// The adapters through which a run reaches models and tools. The program that runs an agent provides them.

export interface ModelCall {
  readonly id: string
  readonly tool: string
  readonly input: JsonObject
}

/** A message of a conversation. Agents of one run share it; `agent_id` says whose message it is. */
export interface RunMessage extends planContext.Message {
  readonly agent_id: string
  readonly content: string
  /** The calls that an assistant makes. A message of the role `tool` answers the call of its `call_ids`. */
  readonly calls?: readonly ModelCall[]
}

/** A tool as a model sees it. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  readonly input_schema: JsonObject
  readonly output_schema?: unknown
}

export interface TurnOptions {
  readonly agent_id: string
  /** The key in `models`; undefined for an agent that names no model. */
  readonly model: string | undefined
  readonly provider: string | undefined
  /** The options of the model in agent.yaml, such as `temperature`. */
  readonly options: JsonObject
  /** The most tokens that the answer may have. */
  readonly maxTokens: number
  readonly signal: AbortSignal
}

/** The answer of a model: a text, calls, or both. Without calls the agent has finished. */
export interface ModelTurn {
  readonly text?: string
  /** Its reasoning, if it shows it. */
  readonly thought?: string
  readonly calls?: readonly Omit<ModelCall, 'id'>[]
  /** Without it, the most that the call can cost is charged. */
  readonly usage?: Budget.Tokens
}

export interface ModelAdapter {
  /** Asks the model once. Rejects with the reason of a failure. */
  turn(messages: readonly RunMessage[], tools: readonly ToolDefinition[], options: TurnOptions): Promise<ModelTurn>
  /** Counts the tokens of a text. Without it, budgets count each byte, and windows four bytes, as one token. */
  tokens?(text: string): number
}

export interface CallContext {
  readonly agent_id: string
  readonly signal: AbortSignal
  /** The lists of the agent and of those that it works for. Each must allow a URL or a path. */
  readonly allowedUrls: readonly (readonly string[])[]
  readonly allowedPaths: readonly (readonly string[])[]
  readonly limits: limitsOf.Limits
  /** Asks for a command, a URL or a file right before it is used: gives the reason why it is refused. */
  readonly permit?: (request: PermissionRequest) => Promise<string | undefined>
}

/** A tool that the host provides. */
export interface RunTool {
  readonly definition: ToolDefinition
  /** The capabilities without which it is not offered. */
  readonly needs?: readonly string[]
  /** It ends its work after `max_exec_time` itself. So the time in which it waits for its turn does not count. */
  readonly timesItself?: boolean
  call(input: JsonObject, context: CallContext): Promise<ToolOutcome>
}
