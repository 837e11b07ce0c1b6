// Which tools an MCP server offers: the handshake of 2025-11-25 first, then a request of 2026-07-28, which needs none.
import { isObject, isText, type JsonObject, member } from '../../document/members.ts'
import { parse } from '../../document/parse.ts'
import { type Fetched, type FetchOptions, fetchDocument, type GuardedFetch } from '../fetch.ts'

const ACCEPT = 'application/json, text/event-stream'
const HANDSHAKE_VERSION = '2025-11-25'
const STATELESS_VERSION = '2026-07-28'
const CLIENT = { name: 'blazon', version: '0' }
const MOST_PAGES = 10
const DEPTH = 128

/** What an endpoint says that it offers, or why it says nothing. */
export type Offer =
  | { readonly offered: readonly string[]; readonly addressChecked: boolean }
  | { readonly refusal: string }

/** Asks for the tools of an endpoint. It may be anything else, too. */
export async function askMcp(url: string, options: () => FetchOptions): Promise<Offer> {
  const session = new Session(url, options)
  const greeting = await session.call('initialize', {
    protocolVersion: HANDSHAKE_VERSION,
    capabilities: {},
    clientInfo: CLIENT,
  })
  if (greeting !== undefined) {
    const version = member(greeting, 'protocolVersion')
    session.version = isText(version) && /^[\w.-]{1,32}$/.test(version) ? version : HANDSHAKE_VERSION
    await session.notify('notifications/initialized')
    return listTools(session, {})
  }
  session.version = STATELESS_VERSION
  const meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': CLIENT,
  }
  return listTools(session, { _meta: meta })
}

async function listTools(session: Session, common: JsonObject): Promise<Offer> {
  const offered = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const result = await session.call('tools/list', { ...common, ...(cursor !== undefined && { cursor }) })
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

/** One server, as it knows its client. */
class Session {
  version: string | undefined
  addressChecked = false
  /** Why the last call had no result. */
  refusal = ''
  readonly #url: string
  readonly #options: () => FetchOptions
  #id: string | undefined
  #calls = 0

  constructor(url: string, options: () => FetchOptions) {
    this.#url = url
    this.#options = options
  }

  /** The result of a method; undefined when there is none, whatever the reason. */
  async call(method: string, params: JsonObject): Promise<JsonObject | undefined> {
    const id = ++this.#calls
    const fetched = await this.#post({ jsonrpc: '2.0', id, method, params })
    const answer = fetched && answerOf(fetched, id)
    const result = member(answer, 'result')
    if (fetched !== undefined) {
      this.addressChecked = fetched.addressChecked
      if (!isObject(result)) this.refusal = `${method} has no result`
    }
    return isObject(result) ? result : undefined
  }

  /** Tells the server something; it answers nothing that matters. */
  async notify(method: string): Promise<void> {
    await this.#post({ jsonrpc: '2.0', method })
  }

  async #post(message: JsonObject): Promise<Fetched | undefined> {
    const { fetch = globalThis.fetch as GuardedFetch, ...limits } = this.#options()
    const outcome = await fetchDocument(this.#url, ACCEPT, {
      ...limits,
      fetch: this.#knownAs(fetch),
      body: JSON.stringify(message),
      // A session is for the server that began it.
      maxRedirects: 0,
    })
    if (outcome.ok) return outcome.fetched
    this.refusal = outcome.diagnostic.detail
    return undefined
  }

  /** The fetch with the headers of the session, which the server's first answer names. */
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

/** The answer to a request: the whole body, or one of its events (server-sent events, as MCP servers may answer). */
function answerOf({ bytes, contentType }: Fetched, id: number): JsonObject | undefined {
  const isStream = /^text\/event-stream\b/i.test(contentType)
  const texts = isStream ? eventsOf(new TextDecoder().decode(bytes)) : [bytes]
  for (const text of texts) {
    const value = parse(text, { maxDepth: DEPTH }).document?.value
    if (isObject(value) && member(value, 'id') === id) return value
  }
  return undefined
}

/** The data of each event. */
function eventsOf(stream: string): string[] {
  return stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    return data.length === 0 ? [] : [data.join('\n')]
  })
}
