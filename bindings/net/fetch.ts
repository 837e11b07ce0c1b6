// Fetches a document from an untrusted server: HTTPS only, public addresses only, redirects followed by hand and
// checked again, and limits on bytes, hops and time. `addressChecked` tells whether the platform's `fetch` could check
// the address.
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { anonymous, checkLimit, deadline, isRedirect, readAtMost } from './deadline.ts'
import { FetchRefusal, kindOf, reason, refusalDiagnostic } from './failure.ts'
import * as FINDINGS from './findings.ts'
import { refuseUrl } from './guard.ts'

/** Options for a fetch that sees connections; a platform's own fetch ignores the ones that it does not support. */
export interface GuardedInit extends RequestInit {
  /** Called with a connection before anything is sent over it; throwing ends the fetch. */
  readonly onConnection?: (connection: Connection) => void | Promise<void>
  readonly leastTls?: TlsVersion
  readonly mostTls?: TlsVersion
  /** The addresses of the host, when they have been looked up already. */
  readonly addresses?: readonly string[]
  /** Allows a server on this machine, even with a self-signed certificate. */
  readonly loopback?: boolean
  /** The limit for the answer, unless the fetch was made with another one. */
  readonly maxBytes?: number
  /** The same for the time of the whole request. */
  readonly timeoutMs?: number
}

/**
 * A `fetch` that can check the addresses it connects to, and see the connection. The platforms' own fetch can do
 * neither.
 */
export interface GuardedFetch {
  (input: string, init?: GuardedInit): Promise<Response>
  readonly checksAddresses?: boolean
  readonly seesConnections?: boolean
  /** It accepts the addresses of the host, even if it does not see connections. */
  readonly takesAddresses?: boolean
}

/** Why a caller refuses a connection. */
export interface ConnectionRefusal {
  readonly kind: FindingKind
  readonly detail: string
}

const systemClock = () => new Date()

/** Anything with the methods of a Map. */
export interface FetchCache {
  get(url: string): FetchResult | undefined
  set(url: string, fetched: FetchResult): unknown
}

export interface FetchResult {
  /** The URL that finally served the bytes. */
  readonly url: string
  readonly bytes: Uint8Array
  /** The media type as sent; empty when the header was missing. */
  readonly contentType: string
  readonly etag: string | undefined
  /** The time until which it may be used without another request, in milliseconds since 1970 (RFC 9111 section 4.2). */
  readonly freshUntil: number
  /** False when only the server's name was checked, not its address. */
  readonly addressChecked: boolean
  /** All requests, in order; the last one returned the bytes. */
  readonly hops: readonly Hop[]
}

/** One request and its response. */
export interface Hop {
  readonly url: string
  readonly status: number
  /** The time when it was sent, in milliseconds since 1970. */
  readonly at: number
  /** The milliseconds until the response headers arrived. */
  readonly took: number
  /** Undefined where the platform does not expose it. */
  readonly connection: Connection | undefined
}

const LARGEST = 1 << 20
const PATIENCE_MS = 10_000
const REDIRECTS = 3

export declare namespace fetchDocument {
  interface Options {
    /** Default: the platform's fetch. */
    readonly fetch?: GuardedFetch
    /** JSON to send with POST; without it the document is requested with GET. */
    readonly body?: string
    /** A bearer token for the server of this URL. It is not sent to redirect targets, and the response is not cached. */
    readonly token?: string
    /** The User-Agent header; default: the platform's. */
    readonly userAgent?: string
    /** Default: 1,048,576. */
    readonly maxBytes?: number
    /** The time for all requests together; default: 10,000. */
    readonly timeoutMs?: number
    /** Default: 3; 0 refuses every redirect. */
    readonly maxRedirects?: number
    /** Aborts the fetch from outside. */
    readonly signal?: AbortSignal
    /** Default: the platform's clock. */
    readonly clock?: () => Date
    /** Stores responses for as long as HTTP allows their use. */
    readonly cache?: FetchCache
    /** How long a response without freshness information may be used; default: 0. */
    readonly silentFreshMs?: number
    /** The section that requires the document, cited by refusals; default: ADL's. */
    readonly section?: string
    /** Used where the platform exposes connections; default: TLS 1.2. */
    readonly leastTls?: TlsVersion
    /** For testing whether a server still accepts an older version. */
    readonly mostTls?: TlsVersion
    /** The addresses of the URL's host, when they have been looked up already. */
    readonly addresses?: readonly string[]
    /** Allows a server on this machine, even with a self-signed certificate: for development. */
    readonly loopback?: boolean
    /** Checks a connection before anything is sent over it, where the platform exposes connections. */
    readonly checkConnection?: (
      connection: Connection,
    ) => ConnectionRefusal | undefined | Promise<ConnectionRefusal | undefined>
  }

  type Result =
    | { readonly ok: true; readonly fetched: FetchResult; readonly fromCache: boolean }
    | { readonly ok: false; readonly diagnostic: Diagnostic }
}

/**
 * Fetches a document within the limits, and only from an allowed address.
 *
 * @example
 * const outcome = await fetchDocument('https://acme.example.com/.well-known/adl-agents', { fetch })
 * if (outcome.ok) parse(outcome.fetched.bytes)
 *
 * @throws {TypeError} when the URL is not a string, {RangeError} for an invalid limit.
 */
export async function fetchDocument(
  url: string,
  accept: string,
  options: fetchDocument.Options = {},
): Promise<fetchDocument.Result> {
  if (typeof url !== 'string') throw new TypeError(`url: expected a string, got ${typeof url}`)
  for (const name of ['maxBytes', 'timeoutMs', 'maxRedirects', 'silentFreshMs'] as const)
    checkLimit(name, options[name])
  const { timeoutMs = PATIENCE_MS, clock = systemClock, body, token } = options
  // The cache holds GET responses, so a POST must not use it; nor must a response for one caller's token be shared.
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
      ? new FetchRefusal(FINDINGS.FETCH_TIMEOUT, `${url}: no answer within ${timeoutMs} ms`)
      : error instanceof FetchRefusal
        ? error
        : new FetchRefusal(kindOf(error), `${url}: ${reason(error)}`)
    return { ok: false, diagnostic: refusalDiagnostic(refused, url, options.section) }
  } finally {
    late.end()
  }
}

async function follow(
  first: string,
  accept: string,
  options: fetchDocument.Options,
  known: FetchResult | undefined,
  signal: AbortSignal,
): Promise<FetchResult> {
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
      throw new FetchRefusal(FINDINGS.FETCH_REDIRECT, `${url.href}: it redirects, and this host does not show where to`)
    }
    if (isRedirect(response.status)) {
      await response.body?.cancel()
      if (hops.length > maxRedirects) {
        throw new FetchRefusal(
          FINDINGS.FETCH_REDIRECT,
          `${first}: more than ${maxRedirects} redirects, the last at ${url.href}`,
        )
      }
      url = checkUrl(redirectTarget(response, url), options)
      detour = Math.min(detour, time + freshAsRedirect(response))
      // The addresses belong to the first host, and the token to its server.
      const { addresses, token, ...elsewhere } = asked
      asked = elsewhere
      continue
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new FetchRefusal(FINDINGS.FETCH_STATUS, `${url.href}: the server answers ${response.status}, not 200`)
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

/**
 * Sends no cookies, referrer or credentials, except a token that the caller passed: the server need not know the
 * caller.
 */
async function request(
  fetch: GuardedFetch,
  url: URL,
  headers: Record<string, string>,
  options: fetchDocument.Options,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly hop: Hop }> {
  const { clock = systemClock, checkConnection, leastTls, mostTls, addresses, loopback } = options
  let connection: Connection | undefined
  const onConnection = async (made: Connection) => {
    const refusal = await checkConnection?.(made)
    if (refusal !== undefined) throw new FetchRefusal(refusal.kind, refusal.detail, refusal.kind.section)
    connection = made
  }
  const wishes = {
    ...(leastTls !== undefined && { leastTls }),
    ...(mostTls !== undefined && { mostTls }),
    ...(loopback !== undefined && { loopback }),
  }
  const known = addresses !== undefined && { addresses }
  // Other platforms would take unsupported options for a mistake.
  const more =
    fetch.seesConnections === true
      ? { onConnection, ...wishes, ...known }
      : { ...anonymous(), ...(fetch.takesAddresses === true && known) }
  const at = clock().getTime()
  const response = await fetch(url.href, { headers, redirect: 'manual', signal, ...postOf(options, headers), ...more })
  const hop = { url: url.href, status: response.status, at, took: clock().getTime() - at, connection }
  return { response, hop }
}

function postOf({ body }: fetchDocument.Options, headers: Record<string, string>): RequestInit {
  return body === undefined ? {} : { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
}

/**
 * Parses a URL and checks that it may be requested: HTTPS, no user name, and a host that is not inside a private
 * network.
 */
function checkUrl(text: string, { loopback }: fetchDocument.Options): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new FetchRefusal(FINDINGS.FETCH_ADDRESS, `${text}: it is no URL`)
  }
  const why = refuseUrl(url, loopback)
  // The diagnostic must not repeat a password.
  const shown = url.username === '' && url.password === '' ? text : url.host
  if (why !== undefined) throw new FetchRefusal(FINDINGS.FETCH_ADDRESS, `${shown}: ${why}`)
  url.hash = ''
  return url
}

function redirectTarget(response: Response, from: URL): string {
  const location = response.headers.get('location')
  if (location === null)
    throw new FetchRefusal(FINDINGS.FETCH_REDIRECT, `${from.href}: it redirects without saying where to`)
  if (URL.canParse(location, from)) return new URL(location, from).href
  throw new FetchRefusal(FINDINGS.FETCH_REDIRECT, `${from.href}: it redirects to what is no URL`)
}

async function readBody(response: Response, url: string, maxBytes: number): Promise<Uint8Array> {
  const bytes = await readAtMost(response, maxBytes)
  if (bytes !== undefined) return bytes
  throw new FetchRefusal(FINDINGS.FETCH_TOO_LARGE, `${url}: the answer has more than ${maxBytes} bytes`)
}

// A connection as the platform sees it before the request is sent. Node exposes it; browsers and Workers do not.
/** TLS versions as OpenSSL names them. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

export interface Connection {
  readonly address: string
  /** `TLSv1.3`. */
  readonly tls: string
  /** The server's certificate, followed by each issuer's certificate in turn, as DER. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[]
  /** False for a self-signed certificate on this machine, where the caller allowed it. */
  readonly isTrusted: boolean
}

// How long an HTTP response may be used without another request (RFC 9111).

/** One day: a longer lifetime from the server is cut to this. */
const LONGEST_FRESH_MS = 86_400_000

/**
 * The milliseconds for which a response may be used without another request (RFC 9111 section 4.2.1), without
 * heuristics.
 */
function freshFor(headers: Headers, silent = 0): number {
  const control = (headers.get('cache-control') ?? '').toLowerCase()
  if (/\bno-store\b/.test(control)) return NEVER_KEPT
  // A response with `Vary: *` never matches another request (RFC 9111 section 4.1).
  if (/\bno-cache\b/.test(control) || headers.get('vary')?.includes('*')) return 0
  const maxAge = /\bmax-age="?(\d{1,10})/.exec(control)?.[1]
  const age = Number(/^\d{1,10}$/.exec(headers.get('age') ?? '')?.[0] ?? 0)
  if (maxAge !== undefined) return clamp((Number(maxAge) - age) * 1000)
  if (control === '' && !headers.has('expires')) return clamp(silent)
  const expires = Date.parse(headers.get('expires') ?? '')
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(expires) || Number.isNaN(date) ? 0 : clamp(expires - date - age * 1000)
}

/**
 * The same for a redirect: without explicit freshness, only a permanent redirect may be reused (RFC 9110 section 15.4).
 */
function freshAsRedirect({ status, headers }: Response): number {
  const isPermanent = status === 301 || status === 308
  const isSilent = !headers.has('cache-control') && !headers.has('expires') && !headers.has('vary')
  return isPermanent && isSilent ? LONGEST_FRESH_MS : freshFor(headers)
}

/** For `no-store`: expires before any time, so it is never stored. */
const NEVER_KEPT = Number.NEGATIVE_INFINITY

const clamp = (ms: number) => Math.min(Math.max(ms, 0), LONGEST_FRESH_MS)
