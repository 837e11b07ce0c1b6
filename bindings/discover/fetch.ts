// Reading a document of a stranger's server: HTTPS only, no address that is not public, redirects followed by hand and
// checked again, and limits on bytes, hops and time. What a host's own `fetch` cannot check it says in `unchecked`.
import { diagnose, type FindingKind } from '../document/diagnose.ts'
import { Lines } from '../document/lines.ts'
import type { Diagnostic } from '../document/types.ts'
import { refuseAddress } from './guard.ts'

/** A `fetch` that says whether it checks the address that it connects to; the platforms' own do not. */
export interface GuardedFetch {
  (input: string, init?: RequestInit): Promise<Response>
  readonly checksAddresses?: boolean
}

export interface FetchOptions {
  /** The platform's when absent. */
  readonly fetch?: GuardedFetch
  /** JSON that is sent by POST; without it the document is asked for by GET. */
  readonly body?: string
  /** 1,048,576 when absent. */
  readonly maxBytes?: number
  /** For everything together, 10,000 when absent. */
  readonly timeoutMs?: number
  /** 3 when absent; 0 refuses every redirect. */
  readonly maxRedirects?: number
  /** Aborts from outside. */
  readonly signal?: AbortSignal
  /** Milliseconds since 1970; the platform's clock when absent. */
  readonly now?: () => number
  /** What was fetched before, for as long as HTTP lets it be used. */
  readonly cache?: FetchCache
}

/** Anything with the methods of a Map. */
export interface FetchCache {
  get(url: string): Fetched | undefined
  set(url: string, fetched: Fetched): unknown
}

export interface Fetched {
  /** Where the bytes came from in the end. */
  readonly url: string
  readonly bytes: Uint8Array
  /** The media type as it was sent; empty when none was. */
  readonly contentType: string
  readonly etag: string | undefined
  /** Until when it may be used without asking again (RFC 9111 section 4.2), in milliseconds since 1970. */
  readonly freshUntil: number
  /** Whether the address of the server was checked, or only its name. */
  readonly addressChecked: boolean
}

export type FetchOutcome =
  | { readonly ok: true; readonly fetched: Fetched; readonly fromCache: boolean }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

const LARGEST = 1 << 20
const PATIENCE_MS = 10_000
const REDIRECTS = 3
/** A server's wish to be cached longer is not followed further than this: a day. */
const LONGEST_FRESH_MS = 86_400_000

/** Why nothing was fetched, by rule. */
const REFUSALS = {
  'fetch/address': ['DOC-180', 'Address that is not read', 'ADL section 18.7'],
  'fetch/failed': ['DOC-181', 'Cannot be fetched', 'ADL section 6.4'],
  'fetch/status': ['DOC-182', 'Answer that is not the document', 'ADL section 6.4'],
  'fetch/redirect': ['DOC-183', 'Redirect that is not followed', 'ADL section 18.7'],
  'fetch/too-large': ['DOC-184', 'Answer too large', 'ADL section 18.5'],
  'fetch/timeout': ['DOC-185', 'No answer in time', 'ADL section 18.5'],
} as const

type Refusal = keyof typeof REFUSALS

class Refused extends Error {
  readonly rule: Refusal

  constructor(rule: Refusal, detail: string) {
    super(detail)
    this.rule = rule
  }
}

/**
 * Fetches a document, never more than asked for and never from where it must not be asked.
 *
 * @example
 * const outcome = await fetchDocument('https://acme.example.com/.well-known/adl-agents', { fetch })
 * if (outcome.ok) parse(outcome.fetched.bytes)
 *
 * @throws {TypeError} when the URL is no text, {RangeError} for a limit that is none.
 */
export async function fetchDocument(url: string, accept: string, options: FetchOptions = {}): Promise<FetchOutcome> {
  if (typeof url !== 'string') throw new TypeError(`url: expected a string, got ${typeof url}`)
  for (const name of ['maxBytes', 'timeoutMs', 'maxRedirects'] as const) checkLimit(name, options[name])
  const { timeoutMs = PATIENCE_MS, now = Date.now, body } = options
  // What was got says nothing of what is posted.
  const cache = body === undefined ? options.cache : undefined
  const known = cache?.get(url)
  if (known !== undefined && known.freshUntil > now()) return { ok: true, fetched: known, fromCache: true }
  const abort = new AbortController()
  const stop = () => abort.abort()
  options.signal?.addEventListener('abort', stop)
  if (options.signal?.aborted) stop()
  let late = false
  const timer = setTimeout(() => {
    late = true
    stop()
  }, timeoutMs)
  try {
    const fetched = await follow(url, accept, options, known, abort.signal)
    if (fetched.freshUntil >= 0) cache?.set(url, fetched)
    return { ok: true, fetched, fromCache: fetched.bytes === known?.bytes }
  } catch (error) {
    const refused = late
      ? new Refused('fetch/timeout', `${url}: no answer within ${timeoutMs} ms`)
      : error instanceof Refused
        ? error
        : new Refused('fetch/failed', `${url}: ${reason(error)}`)
    return { ok: false, diagnostic: refusalDiagnostic(refused, url) }
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', stop)
  }
}

/** Compared with NaN nothing is too much. */
export function checkLimit(name: string, value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return
  throw new RangeError(`${name}: expected a number from 0 on, got ${String(value)}`)
}

async function follow(
  first: string,
  accept: string,
  options: FetchOptions,
  known: Fetched | undefined,
  signal: AbortSignal,
): Promise<Fetched> {
  const { fetch = globalThis.fetch as GuardedFetch, maxRedirects = REDIRECTS, maxBytes = LARGEST } = options
  let url = checkUrl(first)
  let detour = Number.POSITIVE_INFINITY
  for (let hops = 0; ; hops++) {
    const headers: Record<string, string> = { accept }
    // Asking whether it changed makes sense only where it came from.
    if (known?.etag !== undefined && known.url === url.href) headers['if-none-match'] = known.etag
    // No cookies, no referrer, no credentials of any kind: who asks is nobody's business.
    const init: RequestInit = { headers, redirect: 'manual', signal, ...postOf(options, headers) }
    const response = await fetch(url.href, init)
    const time = (options.now ?? Date.now)()
    const freshUntil = Math.min(detour, time + freshFor(response.headers))
    if (response.status === 304 && known !== undefined) {
      await response.body?.cancel()
      return { ...known, freshUntil }
    }
    if (response.type === 'opaqueredirect') {
      throw new Refused('fetch/redirect', `${url.href}: it redirects, and this host does not show where to`)
    }
    if ([301, 302, 303, 307, 308].includes(response.status)) {
      await response.body?.cancel()
      if (hops >= maxRedirects) {
        throw new Refused('fetch/redirect', `${first}: more than ${maxRedirects} redirects, the last at ${url.href}`)
      }
      url = checkUrl(redirectTarget(response, url))
      detour = Math.min(detour, time + freshAsRedirect(response))
      continue
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Refused('fetch/status', `${url.href}: the server answers ${response.status}, not 200`)
    }
    return {
      url: url.href,
      bytes: await readBody(response, url.href, maxBytes),
      contentType: response.headers.get('content-type') ?? '',
      etag: response.headers.get('etag') ?? undefined,
      freshUntil,
      addressChecked: fetch.checksAddresses === true,
    }
  }
}

function postOf({ body }: FetchOptions, headers: Record<string, string>): RequestInit {
  return body === undefined ? {} : { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
}

/** The URL, when it may be asked: HTTPS, no user name, and a host that is not one of this network's own. */
function checkUrl(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new Refused('fetch/address', `${text}: it is no URL`)
  }
  if (url.protocol !== 'https:') throw new Refused('fetch/address', `${text}: only https is read`)
  if (url.username !== '' || url.password !== '') {
    throw new Refused('fetch/address', `${url.host}: a URL with a user name is not read`)
  }
  const why = refuseAddress(url.hostname)
  if (why !== undefined) throw new Refused('fetch/address', `${text}: ${why}`)
  url.hash = ''
  return url
}

function redirectTarget(response: Response, from: URL): string {
  const location = response.headers.get('location')
  if (location === null) throw new Refused('fetch/redirect', `${from.href}: it redirects without saying where to`)
  try {
    return new URL(location, from).href
  } catch {
    throw new Refused('fetch/redirect', `${from.href}: it redirects to what is no URL`)
  }
}

/** The body, counted while it comes: Content-Length is a stranger's word. */
async function readBody(response: Response, url: string, maxBytes: number): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      throw new Refused('fetch/too-large', `${url}: the answer has more than ${maxBytes} bytes`)
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** For how many milliseconds an answer may be used without asking again (RFC 9111 section 4.2.1); nothing is guessed. */
function freshFor(headers: Headers): number {
  const control = (headers.get('cache-control') ?? '').toLowerCase()
  if (/\bno-store\b/.test(control)) return NEVER_KEPT
  // What varies by everything is never known to be the same (RFC 9111 section 4.1).
  if (/\bno-cache\b/.test(control) || headers.get('vary')?.includes('*')) return 0
  const maxAge = /\bmax-age="?(\d{1,10})/.exec(control)?.[1]
  const age = Number(/^\d{1,10}$/.exec(headers.get('age') ?? '')?.[0] ?? 0)
  if (maxAge !== undefined) return clamp((Number(maxAge) - age) * 1000)
  const expires = Date.parse(headers.get('expires') ?? '')
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(expires) || Number.isNaN(date) ? 0 : clamp(expires - date - age * 1000)
}

/** The same of a redirect: only a permanent one may be used without saying how long (RFC 9110 section 15.4). */
function freshAsRedirect({ status, headers }: Response): number {
  const isPermanent = status === 301 || status === 308
  const isSilent = !headers.has('cache-control') && !headers.has('expires') && !headers.has('vary')
  return isPermanent && isSilent ? LONGEST_FRESH_MS : freshFor(headers)
}

/** `no-store`: long before any time there is. */
const NEVER_KEPT = Number.NEGATIVE_INFINITY

const clamp = (ms: number) => Math.min(Math.max(ms, 0), LONGEST_FRESH_MS)

/** What is behind "fetch failed", where the platform tells. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

function refusalDiagnostic({ rule, message }: Refused, url: string): Diagnostic {
  const [code, title, spec] = REFUSALS[rule]
  const kind: FindingKind = { code, rule, title, spec, severity: 'error' }
  return diagnose(NOWHERE, kind, { pointer: '', offset: 0, endOffset: 0, detail: message }, url)
}

const NOWHERE = new Lines(new Uint8Array(0))
