// A model behind an endpoint for chat completions, as OpenAI and many servers have it.
import { parse } from '../../../document/parse.ts'
import { readAtMost } from '../../../net/deadline.ts'
import { isObject, isText, type JsonObject, member, objectOf } from '../../../text/members.ts'
import { quoted } from '../../../text/words.ts'
import type { ModelAdapter, ModelTurn, RunMessage, ToolDefinition } from '../model.ts'

export interface ChatOptions {
  /** The endpoint itself, such as `http://localhost:11434/v1/chat/completions`. */
  readonly url: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** The bearer token. It is sent to this URL only. */
  readonly key?: string
}

const LARGEST_ANSWER = 4 << 20
/** Options of agents that an endpoint gets. Others could change where the request goes, or what it costs. */
const PASSED = ['temperature', 'top_p', 'stop', 'seed', 'presence_penalty', 'frequency_penalty']

/** A model at the endpoint that the user names. Follows no redirects. */
export function chatModel({ url, fetch, key }: ChatOptions): ModelAdapter {
  return {
    async turn(messages, tools, { model, options, maxTokens, signal }) {
      const passed = PASSED.filter((name) => member(options, name) !== undefined).map((name) => [name, options[name]])
      const body = {
        ...Object.fromEntries(passed),
        model: model ?? 'default',
        max_tokens: maxTokens,
        messages: messages.map(chatMessage),
        ...(tools.length > 0 && { tools: tools.map(chatTool) }),
      }
      const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' } as const
      const response = await fetch(url, request)
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
