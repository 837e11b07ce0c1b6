// Joins the answers of an MCP server to requests, over any transport.
import { checkLimit, deadline } from '../net/deadline.ts'
import { escapeToken, isObject, isText, type JsonObject, member, objectOf, valueAt } from '../text/members.ts'
import { messageOf, quoted, shown } from '../text/words.ts'
import {
  CALL_TOOL,
  CANCELLED,
  greeting,
  HANDSHAKE_VERSION,
  INITIALIZE,
  INITIALIZED,
  introduction,
  LISTEN,
  LISTS,
  PING,
  STATELESS_VERSION,
  stateless,
  TOOLS_CHANGED,
} from './messages.ts'

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
class Peer {
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
          .send({ jsonrpc: '2.0', id, method, params }, late.signal)
          .catch((error: unknown) => this.#waiting.get(id)?.(faultOf('closed', `${method}: ${messageOf(error)}`)))
      })
    } finally {
      this.#waiting.delete(id)
      late.end(ANSWERED)
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
      this.#finish(messageOf(error))
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
const invalid = (detail: string) => faultOf('invalid', detail)
// A client's session with an MCP server, over any transport: 2026-07-28, or a version with a handshake.

export declare namespace openMcp {
  interface Options {
    readonly client: { readonly name: string; readonly version: string }
    /** The time for each of: opening, listing, one call. Default: 20,000. */
    readonly timeoutMs?: number
    /** Aborts the opening. */
    readonly signal?: AbortSignal
    /**
     * The first request. After a failed `initialize`, the server counts as one of 2026-07-28 without another question.
     * Default: `discover`.
     */
    readonly begin?: 'discover' | 'initialize'
  }
}

export declare namespace McpSession {
  interface CallOptions {
    readonly signal?: AbortSignal
    readonly timeoutMs?: number
  }

  interface ToolList {
    readonly tools: readonly unknown[]
    /** False if the list was longer than the limits. */
    readonly isWhole: boolean
  }
}

const PATIENCE_MS = 20_000
const MOST_TOOLS = 10_000
const MOST_PAGES = 100
/** The most UTF-16 units of all definitions together. */
const MOST_TEXT = 16 << 20
/** Versions that differ in nothing that this client uses. */
const WITH_HANDSHAKE = ['2024-11-05', '2025-03-26', '2025-06-18', HANDSHAKE_VERSION]

/**
 * Opens a session: asks for 2026-07-28, and greets the server with the handshake of 2025-11-25 if it gives no valid
 * answer in half of the time. Closes the transport when both fail.
 *
 * @example
 * const opened = await openMcp(transport, { client: { name: 'blazon', version: '1.0.0' } })
 * if ('ok' in opened) await opened.ok.listTools()
 *
 * @throws {RangeError} for an invalid timeout; never for an answer of the server.
 */
export async function openMcp(transport: McpTransport, options: openMcp.Options): Promise<McpResult<McpSession>> {
  const { client, timeoutMs = PATIENCE_MS, signal, begin = 'discover' } = options
  checkLimit('timeoutMs', timeoutMs)
  const peer = new Peer(transport)
  const limits = { timeoutMs: timeoutMs / 2, ...(signal !== undefined && { signal }) }
  const session = (head: Head) => ({ ok: new McpSession(peer, head, { ...client }, timeoutMs) })
  if (begin === 'discover') {
    const { method } = introduction(STATELESS_VERSION)
    const answer = await peer.request(method, stateless({ ...client }), limits)
    const versions = 'ok' in answer ? member(answer.ok, 'supportedVersions') : undefined
    if (Array.isArray(versions) && versions.includes(STATELESS_VERSION))
      return session(headOf('stateless', STATELESS_VERSION, answer))
  }
  const answer = await peer.request(INITIALIZE, greeting({ ...client }), limits)
  const version = 'ok' in answer ? member(answer.ok, 'protocolVersion') : undefined
  if (isText(version) && WITH_HANDSHAKE.includes(version)) {
    await peer.notify(INITIALIZED)
    return session(headOf('handshake', version, answer))
  }
  if (begin === 'initialize') return session({ era: 'stateless', version: STATELESS_VERSION })
  await peer.close()
  if ('fault' in answer) return answer
  return invalid(`${INITIALIZE}: the version of the server is unknown: ${shown(version)}`)
}

interface Head {
  readonly era: 'handshake' | 'stateless'
  readonly version: string
  readonly server?: JsonObject
  readonly instructions?: string
}

function headOf(era: Head['era'], version: string, answer: McpResult<JsonObject>): Head {
  const result = 'ok' in answer ? answer.ok : {}
  const { info } = introduction(era === 'stateless' ? STATELESS_VERSION : HANDSHAKE_VERSION)
  const server = valueAt(result, info.map((name) => `/${escapeToken(name)}`).join(''))
  const instructions = member(result, 'instructions')
  return { era, version, ...(isObject(server) && { server }), ...(isText(instructions) && { instructions }) }
}

/** An open session. Its results are values: no answer of the server makes a method throw. */
export class McpSession {
  readonly era: Head['era']
  /** The version of the protocol. */
  readonly version: string
  /** The name and version that the server gives itself; unverified. */
  readonly server: JsonObject | undefined
  readonly instructions: string | undefined
  readonly #peer: Peer
  readonly #common: JsonObject
  readonly #timeoutMs: number
  /** When the list of tools has to be read again, as the server said with it. */
  #toolsExpire = Number.POSITIVE_INFINITY

  constructor(peer: Peer, { era, version, server, instructions }: Head, client: JsonObject, timeoutMs: number) {
    this.era = era
    this.version = version
    this.server = server
    this.instructions = instructions
    this.#peer = peer
    this.#common = era === 'stateless' ? stateless(client) : {}
    this.#timeoutMs = timeoutMs
  }

  /** True if the server said that its tools changed, or if their list is older than the server allows. */
  get areToolsStale(): boolean {
    return this.#peer.toolsChanged || performance.now() >= this.#toolsExpire
  }

  /** Asks a server of 2026-07-28 to say when its tools change; one with a handshake does so anyway. */
  watchTools(): void {
    if (this.era === 'handshake') return
    const params = { ...this.#common, notifications: { toolsListChanged: true } }
    void this.#peer.request(LISTEN, params, { timeoutMs: Number.POSITIVE_INFINITY })
  }

  /** Lists the tools of all pages: at most 100 pages, 10,000 tools and 16 MiB. */
  async listTools(
    options: McpSession.CallOptions & { readonly maxPages?: number } = {},
  ): Promise<McpResult<McpSession.ToolList>> {
    const { maxPages = MOST_PAGES, timeoutMs = this.#timeoutMs, signal } = options
    const until = performance.now() + timeoutMs
    const tools: unknown[] = []
    let text = 0
    let cursor: string | undefined
    this.#peer.toolsChanged = false
    this.#toolsExpire = Number.POSITIVE_INFINITY
    for (let page = 0; page < maxPages; page++) {
      const answer = await this.#peer.request(
        LISTS.tools,
        { ...this.#common, ...(cursor !== undefined && { cursor }) },
        { timeoutMs: Math.max(0, until - performance.now()), isCancellable: true, ...(signal && { signal }) },
      )
      if ('fault' in answer) return answer
      const listed = member(answer.ok, 'tools')
      if (!Array.isArray(listed)) return invalid(`${LISTS.tools}: the result has no list of tools`)
      if (this.era === 'stateless') this.#expireAfter(member(answer.ok, 'ttlMs'))
      for (const tool of listed) {
        text += JSON.stringify(tool).length
        if (tools.length === MOST_TOOLS || text > MOST_TEXT) return { ok: { tools, isWhole: false } }
        tools.push(tool)
      }
      const next = member(answer.ok, 'nextCursor')
      if (!isText(next)) return { ok: { tools, isWhole: true } }
      if (next === cursor) break
      cursor = next
    }
    return { ok: { tools, isWhole: false } }
  }

  /** A page of tools without a valid lifetime is out of date at once. */
  #expireAfter(ttlMs: unknown): void {
    const ms = Number.isSafeInteger(ttlMs) ? (ttlMs as number) : 0
    this.#toolsExpire = Math.min(this.#toolsExpire, performance.now() + ms)
  }

  /** Calls a tool. A tool that fails gives a result with `isError`. */
  async callTool(name: string, args: JsonObject, options: McpSession.CallOptions = {}): Promise<McpResult<JsonObject>> {
    if (typeof name !== 'string') throw new TypeError(`name: expected a string, got ${typeof name}`)
    if (!isObject(args)) throw new TypeError('args: expected an object')
    const limits = { timeoutMs: this.#timeoutMs, ...options, isCancellable: true }
    return this.#peer.request(CALL_TOOL, { ...this.#common, name, arguments: args }, limits)
  }

  close(): Promise<void> {
    return this.#peer.close()
  }
}
