// Joins the answers of an MCP server to requests, over any transport.
import { deadline } from '../net/deadline.ts'
import { isObject, isText, type JsonObject, member, objectOf } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { CANCELLED, PING, TOOLS_CHANGED } from './messages.ts'

const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' }

export interface McpTransport {
  /** Resolves when the message is sent; over HTTP, when its response arrived. Rejects with the reason of a failure. */
  send(message: JsonObject, signal: AbortSignal): Promise<void>
  /** The messages of the server, for one reader. Throws the reason why they ended. */
  readonly messages: AsyncIterable<JsonObject>
  close(): Promise<void>
}

export interface McpFault {
  /** `refused`: the server returned an error. `invalid`: its response does not follow the protocol. */
  readonly reason: 'timeout' | 'cancelled' | 'closed' | 'refused' | 'invalid' | 'input-required'
  readonly detail: string
  /** The code of the server's error. */
  readonly code?: number
}

export type McpResult<Value> = { readonly ok: Value } | { readonly fault: McpFault }

/** Without a reason, each abort makes an exception with a stack. */
const ANSWERED = 'the request is answered'

interface RequestLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Requests that open a session must not be cancelled (2025-11-25, Cancellation). */
  readonly isCancellable?: boolean
}

/** Joins answers to requests, and refuses requests of the server. */
export class Peer {
  /** The server announced a change of its tools since this was last set to false. */
  toolsChanged = false
  readonly #transport: McpTransport
  readonly #waiting = new Map<unknown, (result: McpResult<JsonObject>) => void>()
  readonly #closing = new AbortController()
  #requests = 0
  /** The reason why no more answers come. */
  #end: string | undefined

  constructor(transport: McpTransport) {
    this.#transport = transport
    void this.#listen()
  }

  async request(method: string, params: JsonObject, limits: RequestLimits): Promise<McpResult<JsonObject>> {
    if (this.#end !== undefined) return faultOf('closed', `${method}: ${this.#end}`)
    const id = ++this.#requests
    const late = deadline(limits.timeoutMs, limits.signal)
    const settled = new AbortController()
    try {
      return await new Promise<McpResult<JsonObject>>((resolve) => {
        const stop = () => {
          const isOver = late.isOver()
          resolve(faultOf(isOver ? 'timeout' : 'cancelled', `${method}: ${isOver ? 'no answer in time' : 'cancelled'}`))
          if (limits.isCancellable) void this.notify(CANCELLED, { requestId: id })
        }
        if (late.signal.aborted) return resolve(faultOf('cancelled', `${method}: cancelled`))
        late.signal.addEventListener('abort', stop)
        this.#waiting.set(id, (result) => {
          // An abort that follows the answer must not cancel it.
          late.signal.removeEventListener('abort', stop)
          resolve(result)
        })
        this.#transport
          .send({ jsonrpc: '2.0', id, method, params }, settled.signal)
          .catch((error: unknown) => this.#waiting.get(id)?.(faultOf('closed', `${method}: ${textOf(error)}`)))
      })
    } finally {
      this.#waiting.delete(id)
      late.end()
      settled.abort(ANSWERED)
    }
  }

  /** Sends a notification; nothing depends on whether it arrives. */
  notify(method: string, params?: JsonObject): Promise<void> {
    const message = { jsonrpc: '2.0', method, ...(params !== undefined && { params }) }
    return this.#transport.send(message, this.#closing.signal).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#finish('the session is closed')
    this.#closing.abort()
    await this.#transport.close()
  }

  async #listen(): Promise<void> {
    try {
      for await (const message of this.#transport.messages) await this.#take(message)
      this.#finish('the server ended the connection')
    } catch (error) {
      this.#finish(textOf(error))
    }
  }

  async #take(message: JsonObject): Promise<void> {
    const [id, method] = [member(message, 'id'), member(message, 'method')]
    if (method === undefined) this.#waiting.get(id)?.(resultOf(message))
    else if (method === TOOLS_CHANGED) this.toolsChanged = true
    else if (isText(id) || typeof id === 'number') {
      const answer = method === PING ? { result: {} } : { error: METHOD_NOT_FOUND }
      // The next message waits, so that a server that reads no answers gets no memory.
      await this.#transport.send({ jsonrpc: '2.0', id, ...answer }, this.#closing.signal).catch(() => undefined)
    }
  }

  #finish(reason: string): void {
    this.#end ??= reason
    for (const resolve of this.#waiting.values()) resolve(faultOf('closed', this.#end))
  }
}

function resultOf(message: JsonObject): McpResult<JsonObject> {
  const [result, error] = [member(message, 'result'), member(message, 'error')]
  if (error !== undefined) {
    const { code, message: text } = objectOf(error)
    const detail = isText(text) ? `the server refused: ${quoted(text)}` : 'the server returned an error without a text'
    return { fault: { reason: 'refused', detail, ...(typeof code === 'number' && { code }) } }
  }
  if (!isObject(result)) return invalid('the answer has no result')
  const type = member(result, 'resultType') ?? 'complete'
  if (type === 'complete') return { ok: result }
  return type === 'input_required'
    ? faultOf('input-required', 'the server asks for input of a user, which this client does not give')
    : invalid(`the type of the result is unknown: ${shown(type)}`)
}

const faultOf = (reason: McpFault['reason'], detail: string) => ({ fault: { reason, detail } }) as const
export const invalid = (detail: string) => faultOf('invalid', detail)
const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
