// Reading a document of a stranger's server: HTTPS only, no address that is not public, redirects followed by hand and
// checked again, and limits on bytes, hops and time. What a host's own `fetch` cannot check it says in `unchecked`.
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { anonymous } from './anonymous.ts'
import { readAtMost } from './body.ts'
import type { Connection, TlsVersion } from './connection.ts'
import { deadline } from './deadline.ts'
import { reason } from './failure.ts'
import { ADDRESS, ANSWER_TOO_LARGE, REDIRECT, STATUS, TIMEOUT } from './findings.ts'
import { freshAsRedirect, freshFor } from './freshness.ts'
import { refuseUrl } from './guard.ts'
import { checkLimit } from './limit.ts'
import { kindOf, Refused, refusalDiagnostic } from './refused.ts'

/** Options of a fetch that sees connections; a platform's own fetch ignores those that it does not know. */
export interface GuardedInit extends RequestInit {
  /** Hears of a connection before anything is sent over it; what it throws ends the fetch. */
  readonly onConnection?: (connection: Connection) => void | Promise<void>
  readonly leastTls?: TlsVersion
  readonly mostTls?: TlsVersion
  /** The addresses of the host, where somebody has asked for them already. */
  readonly addresses?: readonly string[]
  /** Lets the server be on this machine, and its certificate be signed by itself there. */
  readonly loopback?: boolean
}

/** A `fetch` that says if it checks the address it connects to, and sees the connection; the platforms' own do neither. */
export interface GuardedFetch {
  (input: string, init?: GuardedInit): Promise<Response>
  readonly checksAddresses?: boolean
  readonly seesConnections?: boolean
  /** It is told the addresses of the host, also where it sees no connection. */
  readonly takesAddresses?: boolean
}

/** Why somebody does not want a server's answer. */
export interface ConnectionRefusal {
  readonly kind: FindingKind
  readonly detail: string
}

export interface FetchOptions {
  /** The platform's fetch when absent. */
  readonly fetch?: GuardedFetch
  /** JSON to send by POST; without it the document is requested by GET. */
  readonly body?: string
  /** Shown as bearer to the server of this very URL, and to none that it redirects to; the answer is never kept. */
  readonly token?: string
  /** In place of the platform's name for itself. */
  readonly userAgent?: string
  /** 1,048,576 when absent. */
  readonly maxBytes?: number
  /** For everything together: 10,000 when absent. */
  readonly timeoutMs?: number
  /** 3 when absent; 0 refuses every redirect. */
  readonly maxRedirects?: number
  /** Aborts the fetch from outside. */
  readonly signal?: AbortSignal
  /** The platform's when absent. */
  readonly clock?: () => Date
  /** Earlier answers, for as long as HTTP lets them be used. */
  readonly cache?: FetchCache
  /** The milliseconds for which an answer may be used that does not say so itself: 0 when absent. */
  readonly silentFreshMs?: number
  /** The section that asks for the document, for refusals to cite; that of ADL when absent. */
  readonly section?: string
  /** Where the host shows connections: TLS 1.2 when absent. */
  readonly leastTls?: TlsVersion
  /** To see if a server still takes less. */
  readonly mostTls?: TlsVersion
  /** The addresses of the host of the URL, where somebody has asked for them already. */
  readonly addresses?: readonly string[]
  /** Lets the server be on this machine, and its certificate be signed by itself there: for development. */
  readonly loopback?: boolean
  /** Judges a connection before anything is sent over it, where the host shows connections. */
  readonly checkConnection?: (
    connection: Connection,
  ) => ConnectionRefusal | undefined | Promise<ConnectionRefusal | undefined>
}

const systemClock = () => new Date()

/** Anything with the methods of a Map. */
export interface FetchCache {
  get(url: string): Fetched | undefined
  set(url: string, fetched: Fetched): unknown
}

export interface Fetched {
  /** The URL that finally served the bytes. */
  readonly url: string
  readonly bytes: Uint8Array
  /** The media type as it was sent; empty when there was none. */
  readonly contentType: string
  readonly etag: string | undefined
  /** The time, in milliseconds since 1970, until which it may be used without asking again (RFC 9111 section 4.2). */
  readonly freshUntil: number
  /** False when only the name of the server was checked and not its address. */
  readonly addressChecked: boolean
  /** Each request that led here, the last one being that for the bytes. */
  readonly hops: readonly Hop[]
}

/** A request and what was seen of it. */
export interface Hop {
  readonly url: string
  readonly status: number
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number
  /** Milliseconds until the head of the answer was there. */
  readonly took: number
  /** Undefined where the host does not show it. */
  readonly connection: Connection | undefined
}

export type FetchOutcome =
  | { readonly ok: true; readonly fetched: Fetched; readonly fromCache: boolean }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

const LARGEST = 1 << 20
const PATIENCE_MS = 10_000
const REDIRECTS = 3

/**
 * Fetches a document within the limits, and only from an address that may be asked.
 *
 * @example
 * const outcome = await fetchDocument('https://acme.example.com/.well-known/adl-agents', { fetch })
 * if (outcome.ok) parse(outcome.fetched.bytes)
 *
 * @throws {TypeError} when the URL is not a string, {RangeError} for a malformed limit.
 */
export async function fetchDocument(url: string, accept: string, options: FetchOptions = {}): Promise<FetchOutcome> {
  if (typeof url !== 'string') throw new TypeError(`url: expected a string, got ${typeof url}`)
  for (const name of ['maxBytes', 'timeoutMs', 'maxRedirects', 'silentFreshMs'] as const)
    checkLimit(name, options[name])
  const { timeoutMs = PATIENCE_MS, clock = systemClock, body, token } = options
  // Cached answers are of GET, so they do not count for a POST; and what a token opens is nobody else's.
  const cache = body === undefined && token === undefined ? options.cache : undefined
  const known = cache?.get(url)
  if (known !== undefined && known.freshUntil > clock().getTime()) return { ok: true, fetched: known, fromCache: true }
  const late = deadline(timeoutMs, options.signal)
  try {
    const fetched = await follow(url, accept, options, known, late.signal)
    if (fetched.freshUntil >= 0) cache?.set(url, fetched)
    return { ok: true, fetched, fromCache: fetched.bytes === known?.bytes }
  } catch (error) {
    const refused = late.isOver()
      ? new Refused(TIMEOUT, `${url}: no answer within ${timeoutMs} ms`)
      : error instanceof Refused
        ? error
        : new Refused(kindOf(error), `${url}: ${reason(error)}`)
    return { ok: false, diagnostic: refusalDiagnostic(refused, url, options.section) }
  } finally {
    late.end()
  }
}

async function follow(
  first: string,
  accept: string,
  options: FetchOptions,
  known: Fetched | undefined,
  signal: AbortSignal,
): Promise<Fetched> {
  const { fetch = globalThis.fetch as GuardedFetch, maxRedirects = REDIRECTS, maxBytes = LARGEST } = options
  const hops: Hop[] = []
  let asked = options
  let url = checkUrl(first, options)
  let detour = Number.POSITIVE_INFINITY
  for (;;) {
    const headers: Record<string, string> = { accept }
    if (asked.token !== undefined) headers['authorization'] = `Bearer ${asked.token}`
    if (options.userAgent !== undefined) headers['user-agent'] = options.userAgent
    // A conditional request makes sense only at the URL that gave the ETag.
    if (known?.etag !== undefined && known.url === url.href) headers['if-none-match'] = known.etag
    const { response, hop } = await request(fetch, url, headers, asked, signal)
    hops.push(hop)
    const time = (options.clock ?? systemClock)().getTime()
    const freshUntil = Math.min(detour, time + freshFor(response.headers, options.silentFreshMs))
    if (response.status === 304 && known !== undefined) {
      await response.body?.cancel()
      return { ...known, freshUntil, hops }
    }
    if (response.type === 'opaqueredirect') {
      throw new Refused(REDIRECT, `${url.href}: it redirects, and this host does not show where to`)
    }
    if ([301, 302, 303, 307, 308].includes(response.status)) {
      await response.body?.cancel()
      if (hops.length > maxRedirects) {
        throw new Refused(REDIRECT, `${first}: more than ${maxRedirects} redirects, the last at ${url.href}`)
      }
      url = checkUrl(redirectTarget(response, url), options)
      detour = Math.min(detour, time + freshAsRedirect(response))
      // The addresses are of the first host, and the token is for its server.
      const { addresses, token, ...elsewhere } = asked
      asked = elsewhere
      continue
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Refused(STATUS, `${url.href}: the server answers ${response.status}, not 200`)
    }
    return {
      url: url.href,
      bytes: await readBody(response, url.href, maxBytes),
      contentType: response.headers.get('content-type') ?? '',
      etag: response.headers.get('etag') ?? undefined,
      freshUntil,
      addressChecked: fetch.checksAddresses === true,
      hops,
    }
  }
}

/** Sends no cookies, referrer or credentials, but for a token that was given: the server need not know the caller. */
async function request(
  fetch: GuardedFetch,
  url: URL,
  headers: Record<string, string>,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly hop: Hop }> {
  const { clock = systemClock, checkConnection, leastTls, mostTls, addresses, loopback } = options
  let connection: Connection | undefined
  const onConnection = async (made: Connection) => {
    const refusal = await checkConnection?.(made)
    if (refusal !== undefined) throw new Refused(refusal.kind, refusal.detail, refusal.kind.section)
    connection = made
  }
  const wishes = {
    ...(leastTls !== undefined && { leastTls }),
    ...(mostTls !== undefined && { mostTls }),
    ...(loopback !== undefined && { loopback }),
  }
  const known = addresses !== undefined && { addresses }
  // Other hosts would take what they do not know for a mistake.
  const more =
    fetch.seesConnections === true
      ? { onConnection, ...wishes, ...known }
      : { ...anonymous(), ...(fetch.takesAddresses === true && known) }
  const at = clock().getTime()
  const response = await fetch(url.href, { headers, redirect: 'manual', signal, ...postOf(options, headers), ...more })
  const hop = { url: url.href, status: response.status, at, took: clock().getTime() - at, connection }
  return { response, hop }
}

function postOf({ body }: FetchOptions, headers: Record<string, string>): RequestInit {
  return body === undefined ? {} : { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
}

/** The URL, if it may be asked: HTTPS, no user name, and a host that is not inside a private network. */
function checkUrl(text: string, { loopback }: FetchOptions): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new Refused(ADDRESS, `${text}: it is no URL`)
  }
  const why = refuseUrl(url, loopback)
  // A diagnostic must not repeat a password.
  const shown = url.username === '' && url.password === '' ? text : url.host
  if (why !== undefined) throw new Refused(ADDRESS, `${shown}: ${why}`)
  url.hash = ''
  return url
}

function redirectTarget(response: Response, from: URL): string {
  const location = response.headers.get('location')
  if (location === null) throw new Refused(REDIRECT, `${from.href}: it redirects without saying where to`)
  try {
    return new URL(location, from).href
  } catch {
    throw new Refused(REDIRECT, `${from.href}: it redirects to what is no URL`)
  }
}

async function readBody(response: Response, url: string, maxBytes: number): Promise<Uint8Array> {
  const bytes = await readAtMost(response, maxBytes)
  if (bytes !== undefined) return bytes
  throw new Refused(ANSWER_TOO_LARGE, `${url}: the answer has more than ${maxBytes} bytes`)
}
