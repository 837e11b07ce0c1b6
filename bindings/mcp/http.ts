// MCP over HTTP: each message is a POST, and its response has the answer as JSON or as events.

import { parse } from '../document/parse.ts'
import { encodeBase64 } from '../keys/base64.ts'
import { fetchDocument, type GuardedFetch } from '../net/fetch.ts'
import { isObject, isText, type JsonObject, member, objectOf } from '../text/members.ts'
import { CALL_TOOL, CANCELLED, INITIALIZE, LISTEN, versionOf } from './messages.ts'
import type { McpTransport } from './peer.ts'

const ACCEPT = 'application/json, text/event-stream'
/** The session limits the time of its requests, and only of these. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

/**
 * A transport to the server at a URL, by the guarded fetch. Reads a response when it is complete, and at most 4 MiB of
 * it. Follows no redirects.
 *
 * @param options gives the options of the next request.
 */
export class McpHttpTransport implements McpTransport {
  /** False if only the name of the server was checked, not its address. */
  addressChecked = false
  readonly messages: AsyncIterable<JsonObject> = this.#arriving()
  readonly #url: string
  readonly #options: () => fetchDocument.Options
  readonly #arrived: JsonObject[] = []
  #wake: () => void = () => undefined
  #isClosed = false
  /** The version that the handshake agreed on. */
  #version: string | undefined
  #session: string | undefined

  constructor(url: string, options: () => fetchDocument.Options = () => ({})) {
    this.#url = url
    this.#options = options
  }

  async send(message: JsonObject, signal: AbortSignal): Promise<void> {
    const { id, method } = message
    // Without a handshake, the end of the request cancels it.
    if (method === CANCELLED && this.#version === undefined) return
    if (method === LISTEN) throw new Error('a response is read when it is complete')
    const { fetch = globalThis.fetch as GuardedFetch, ...limits } = this.#options()
    const outcome = await fetchDocument(this.#url, ACCEPT, {
      ...(id !== undefined && { timeoutMs: LONGEST_WAIT_MS }),
      ...limits,
      maxBytes: LONGEST_MESSAGE,
      signal,
      fetch: this.#withHeaders(fetch, message),
      body: JSON.stringify(message),
      // A session belongs to the server that started it.
      maxRedirects: 0,
    })
    if (id === undefined || method === undefined) return
    if (!outcome.ok) throw new Error(outcome.diagnostic.detail)
    const { bytes, contentType, addressChecked } = outcome.fetched
    const messages = messagesIn(bytes, contentType)
    const answer = messages.find((one) => member(one, 'id') === id)
    if (answer === undefined) throw new Error('the response has no answer')
    this.addressChecked = addressChecked
    if (method === INITIALIZE) this.#agree(member(objectOf(member(answer, 'result')), 'protocolVersion'))
    for (const one of messages) this.#arrived.push(one)
    this.#wake()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
  }

  async *#arriving(): AsyncGenerator<JsonObject> {
    while (!this.#isClosed) {
      yield* this.#arrived.splice(0)
      if (this.#arrived.length === 0 && !this.#isClosed)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  #agree(version: unknown): void {
    if (isText(version) && /^[\w.-]{1,32}$/.test(version)) this.#version = version
  }

  /** Adds the headers of MCP. The session's id comes from the server's first response. */
  #withHeaders(fetch: GuardedFetch, message: JsonObject): GuardedFetch {
    const send = async (input: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries(this.#headersFor(message))) headers.set(name, value)
      const response = await fetch(input, { ...init, headers: Object.fromEntries(headers) })
      const id = response.headers.get('mcp-session-id')
      if (id !== null && id.length <= 1024) this.#session ??= id
      return response
    }
    return Object.assign(send, fetch.checksAddresses === undefined ? {} : { checksAddresses: fetch.checksAddresses })
  }

  #headersFor({ method, params }: JsonObject): Record<string, string> {
    const { name } = objectOf(params)
    const version = versionOf(objectOf(params))
    if (isText(version) && isText(method)) {
      const named = method === CALL_TOOL && isText(name) && { 'mcp-name': headerValue(name) }
      return { 'mcp-protocol-version': version, 'mcp-method': method, ...named }
    }
    return {
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
    }
  }
}

/** The form of 2026-07-28 for values that a header cannot have. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${encodeBase64(new TextEncoder().encode(text))}?=`
}

const DEPTH = 128
/** The most bytes of one message, or of one HTTP response. */
export const LONGEST_MESSAGE = 4 << 20

/** Reads one message; undefined if it is not valid JSON or not an object. */
export function readMessage(text: Uint8Array | string): JsonObject | undefined {
  const value = parse(text, { maxDepth: DEPTH }).document?.value
  return isObject(value) ? value : undefined
}

/**
 * Returns the messages of an HTTP response: the whole body, or its events (MCP servers may respond with server-sent
 * events).
 */
function messagesIn(bytes: Uint8Array, contentType: string): readonly JsonObject[] {
  const isStream = /^text\/event-stream\b/i.test(contentType)
  const texts = isStream ? eventsOf(new TextDecoder().decode(bytes)) : [bytes]
  return texts.map(readMessage).filter((message) => message !== undefined)
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
