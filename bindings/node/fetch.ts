// A fetch that resolves a name once, refuses private addresses, and connects to the address that it checked: the name
// cannot point elsewhere a moment later.

import { lookup } from 'node:dns/promises'
import { checkLimit, isRedirect, LONGEST_MS } from '../net/deadline.ts'
import type { GuardedFetch, GuardedInit } from '../net/fetch.ts'
import { refuseUrl } from '../net/guard.ts'
import { parseAddress, specialPurpose } from '../text/address.ts'
import { quoted } from '../text/words.ts'
import { connect, isHere } from './connect.ts'

export interface GuardOptions {
  /** Resolves all addresses of a name, as text; default the system's. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** Certificates of authorities in PEM, instead of those of Node. */
  readonly ca?: string
  /** The limit for an answer; default 16,777,216. */
  readonly maxBytes?: number
  /** For the whole request, from the lookup to the last byte; default 30,000. */
  readonly timeoutMs?: number
  /** Default 3. With `redirect: 'manual'`, a request returns the redirect itself. */
  readonly maxRedirects?: number
  /** The address to connect to instead of a public one: for tests with their own server. */
  readonly dial?: (address: string) => string
}

/** The reason why nothing was fetched, or only a part. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  readonly reason: 'address' | 'redirect' | 'too-large' | 'timeout' | 'compressed'

  constructor(reason: FetchRefused['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const LARGEST = 1 << 24
const PATIENCE_MS = 30_000
const REDIRECTS = 3
/** All are judged; this many are tried in turn. */
const MOST_ADDRESSES = 4

/**
 * A fetch for URLs from strangers: HTTPS only, public addresses only, each redirect checked like the first URL, and
 * limits on redirects, bytes and time. Adds no headers of its own, and takes only text and bytes as a body.
 *
 * @example
 * const fetch = guardedFetch()
 * await fetch('https://example.com/agent.json') // Response
 * await fetch('https://internal.example.com/') // FetchRefused: internal.example.com is 10.0.0.7 (Private-Use), which is not public
 *
 * @throws {RangeError} for a malformed limit.
 */
export function guardedFetch(options: GuardOptions = {}): GuardedFetch {
  for (const name of ['maxBytes', 'timeoutMs', 'maxRedirects'] as const) checkLimit(name, options[name])
  const fetch = async (input: string, init: GuardedInit = {}): Promise<Response> => {
    const { timeoutMs = init.timeoutMs ?? PATIENCE_MS, maxBytes = init.maxBytes ?? LARGEST } = options
    const late = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_MS))
    const signal = AbortSignal.any(init.signal == null ? [late] : [late, init.signal])
    const told = (error: unknown) => {
      if (late.aborted) return new FetchRefused('timeout', `${hostOf(input)}: no answer within ${timeoutMs} ms`)
      return init.signal?.aborted ? init.signal.reason : error
    }
    try {
      const response = await follow(new URL(input), init, signal, options)
      return bounded(response, maxBytes, told)
    } catch (error) {
      throw told(error)
    }
  }
  return Object.assign(fetch, { checksAddresses: true, seesConnections: true })
}

/** The host of a URL, which may contain a password. */
const hostOf = (input: string) => (URL.canParse(input) ? new URL(input).host : input)

interface Answer {
  readonly url: URL
  readonly response: Response
}

async function follow(first: URL, init: GuardedInit, signal: AbortSignal, options: GuardOptions): Promise<Answer> {
  const { redirect = 'follow', method = 'GET', body, leastTls, mostTls, loopback, onConnection } = init
  const { maxRedirects = REDIRECTS } = options
  let headers = new Headers(init.headers)
  let url = first
  for (let hops = 0; ; hops++) {
    const known = url === first ? init.addresses : undefined
    const addresses = await addressesFor(url, signal, { ...options, loopback, known })
    const more = { ca: options.ca, leastTls, mostTls, loopback, onConnection }
    const response = await connect(url, { method, headers, body, signal, addresses, ...more })
    const location = response.headers.get('location')
    if (redirect === 'manual' || location === null || !isRedirect(response.status)) {
      return { url, response: await plain(url, headers, response) }
    }
    await response.body?.cancel()
    const refused = (why: string) => new FetchRefused('redirect', `${url.href}: ${why}`)
    if (redirect === 'error') throw refused('it redirects, but redirects are not followed')
    // The body is for the first server only.
    if (method !== 'GET' && method !== 'HEAD') throw refused(`it redirects what was sent by ${method}`)
    if (hops >= maxRedirects) throw refused(`more than ${maxRedirects} redirects`)
    if (!URL.canParse(location, url)) throw refused('it redirects to an invalid URL')
    const next = new URL(location, url)
    // Credentials too, which may be in any header.
    if (next.origin !== url.origin) headers = new Headers({ accept: headers.get('accept') ?? '*/*' })
    url = next
  }
}

/** Refuses a compressed answer: a caller who did not ask for compression would take its bytes for the document. */
async function plain(url: URL, asked: Headers, response: Response): Promise<Response> {
  const coding = response.headers.get('content-encoding') ?? 'identity'
  if (coding.toLowerCase() === 'identity' || asked.has('accept-encoding')) return response
  await response.body?.cancel()
  throw new FetchRefused(
    'compressed',
    `${url.href}: the answer is compressed (${quoted(coding)}), which was not requested`,
  )
}

export interface AddressOptions extends GuardOptions {
  readonly loopback: boolean | undefined
  readonly known: readonly string[] | undefined
}

/** Resolves a host, and refuses it if one address is private: a name could use that to attack a network. */
export async function addressesFor(url: URL, signal: AbortSignal, options: AddressOptions): Promise<readonly string[]> {
  const { resolve = system, dial, loopback, known } = options
  const why = refuseUrl(url, loopback)
  if (why !== undefined) throw new FetchRefused('address', `${url.host}: ${why}`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = parseAddress(host) === undefined ? (known ?? (await until(signal, resolve(host)))) : [host]
  if (addresses.length === 0) throw new FetchRefused('address', `${host} has no address`)
  for (const text of addresses) {
    const address = parseAddress(text)
    const purpose = address === undefined ? 'no address that is known here' : specialPurpose(address)
    if (purpose !== undefined && !(loopback === true && isHere(text))) {
      throw new FetchRefused('address', `${host} is ${text} (${purpose}), which is not public`)
    }
  }
  const few = addresses.slice(0, MOST_ADDRESSES)
  return dial === undefined ? few : [...new Set(few.map(dial))]
}

const system = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address)

/** Waits for a result or the signal: a resolver cannot be aborted. */
async function until<Result>(signal: AbortSignal, result: Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Counts the bytes of the body as they arrive: Content-Length may be wrong. */
function bounded({ url, response }: Answer, maxBytes: number, told: (error: unknown) => unknown): Response {
  const { status, headers } = response
  const reader = response.body?.getReader()
  let length = 0
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { done, value } = await reader!.read()
      if (done) return controller.close()
      length += value.length
      if (length <= maxBytes) return controller.enqueue(value)
      throw new FetchRefused('too-large', `${url.href}: the answer has more than ${maxBytes} bytes`)
    } catch (error) {
      controller.error(told(error))
      await reader!.cancel().catch(() => {})
    }
  }
  const body = reader && new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 })
  const made = new Response(body ?? null, { status, headers })
  return Object.defineProperty(made, 'url', { value: url.href })
}
