// Lists the tools of an MCP server: first with the handshake of 2025-11-25, then with a request of 2026-07-28, which
// needs no handshake.

import { answerTo } from '../../mcp/answer.ts'
import {
  greeting,
  HANDSHAKE_VERSION,
  INITIALIZE,
  INITIALIZED,
  LISTS,
  STATELESS_VERSION,
  stateless,
} from '../../mcp/messages.ts'
import { type FetchOptions, type FetchResult, fetchDocument, type GuardedFetch } from '../../net/fetch.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'

const ACCEPT = 'application/json, text/event-stream'
const CLIENT = { name: 'blazon', version: '0' }
const MOST_PAGES = 10

/** The tools that an endpoint offers, or the reason why it did not list them. */
export type Offer =
  | { readonly offered: readonly string[]; readonly addressChecked: boolean }
  | { readonly refusal: string }

/** Asks an endpoint for its tools. It may not be an MCP server at all. */
export async function askMcp(url: string, options: () => FetchOptions): Promise<Offer> {
  const session = new Session(url, options)
  const answer = await session.call(INITIALIZE, greeting(CLIENT))
  if (answer !== undefined) {
    const version = member(answer, 'protocolVersion')
    session.version = isText(version) && /^[\w.-]{1,32}$/.test(version) ? version : HANDSHAKE_VERSION
    await session.notify(INITIALIZED)
    return listTools(session, {})
  }
  session.version = STATELESS_VERSION
  return listTools(session, stateless(CLIENT))
}

async function listTools(session: Session, common: JsonObject): Promise<Offer> {
  const offered = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const result = await session.call(LISTS.tools, { ...common, ...(cursor !== undefined && { cursor }) })
    const tools = member(result, 'tools')
    if (!Array.isArray(tools)) return { refusal: session.refusal }
    for (const tool of tools) {
      const name = isObject(tool) ? member(tool, 'name') : undefined
      if (isText(name)) offered.add(name)
    }
    const next = member(result, 'nextCursor')
    if (!isText(next) || next === cursor) break
    cursor = next
  }
  return { offered: [...offered], addressChecked: session.addressChecked }
}

/** A session with one server, from the client's side. */
class Session {
  version: string | undefined
  addressChecked = false
  /** The reason why the last call had no result. */
  refusal = ''
  readonly #url: string
  readonly #options: () => FetchOptions
  #id: string | undefined
  #calls = 0

  constructor(url: string, options: () => FetchOptions) {
    this.#url = url
    this.#options = options
  }

  /** Calls a method; undefined without a result. */
  async call(method: string, params: JsonObject): Promise<JsonObject | undefined> {
    const id = ++this.#calls
    const fetched = await this.#post({ jsonrpc: '2.0', id, method, params })
    const answer = fetched && answerTo(id, fetched.bytes, fetched.contentType)
    const result = member(answer, 'result')
    if (fetched !== undefined) {
      this.addressChecked = fetched.addressChecked
      if (!isObject(result)) this.refusal = `${method} has no result`
    }
    return isObject(result) ? result : undefined
  }

  /** Sends a notification; the answer does not matter. */
  async notify(method: string): Promise<void> {
    await this.#post({ jsonrpc: '2.0', method })
  }

  async #post(message: JsonObject): Promise<FetchResult | undefined> {
    const { fetch = globalThis.fetch as GuardedFetch, ...limits } = this.#options()
    const outcome = await fetchDocument(this.#url, ACCEPT, {
      ...limits,
      fetch: this.#knownAs(fetch),
      body: JSON.stringify(message),
      // A session belongs to the server that started it.
      maxRedirects: 0,
    })
    if (outcome.ok) return outcome.fetched
    this.refusal = outcome.diagnostic.detail
    return undefined
  }

  /** Adds the headers of the session, which come from the server's first answer. */
  #knownAs(fetch: GuardedFetch): GuardedFetch {
    const send = async (input: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      if (this.version !== undefined) headers.set('mcp-protocol-version', this.version)
      if (this.#id !== undefined) headers.set('mcp-session-id', this.#id)
      const response = await fetch(input, { ...init, headers: Object.fromEntries(headers) })
      const id = response.headers.get('mcp-session-id')
      if (id !== null && id.length <= 1024) this.#id ??= id
      return response
    }
    return Object.assign(send, fetch.checksAddresses === undefined ? {} : { checksAddresses: fetch.checksAddresses })
  }
}
