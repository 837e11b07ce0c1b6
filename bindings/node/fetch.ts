// A fetch that resolves a name once, refuses private addresses, and connects to the address that it checked: the name
// cannot point elsewhere a moment later.

import { X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import type { ClientRequest } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect as connectTls,
  createSecureContext,
  type DetailedPeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { checkLimit, isRedirect, LONGEST_MS } from '../net/deadline.ts'
import type { Connection, GuardedFetch, GuardedInit, TlsVersion } from '../net/fetch.ts'
import { refuseUrl } from '../net/guard.ts'
import { parseAddress, specialPurpose } from '../text/address.ts'
import { quoted } from '../text/words.ts'

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

export declare namespace guardedFetch {
  interface Options {
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
}

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
export function guardedFetch(options: guardedFetch.Options = {}): GuardedFetch {
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

async function follow(
  first: URL,
  init: GuardedInit,
  signal: AbortSignal,
  options: guardedFetch.Options,
): Promise<Answer> {
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

interface AddressOptions extends guardedFetch.Options {
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

interface Request extends Destination {
  readonly method: string
  readonly headers: Headers
  readonly body: RequestInit['body'] | undefined
  readonly onConnection: GuardedInit['onConnection']
}

/** A server, and the requirements for it. */
interface Destination {
  readonly signal: AbortSignal
  /** The addresses to connect to, instead of those that the name resolves to. */
  readonly addresses: readonly string[]
  readonly ca: string | undefined
  readonly leastTls: TlsVersion | undefined
  readonly mostTls?: TlsVersion | undefined
  readonly loopback: boolean | undefined
}

const HTTPS_PORT = 443
/** The longest chain to look at: a faked one may never end. */
const MOST_CERTIFICATES = 10
/** The caller chooses the authorities: a program has one or two sets. */
const MOST_CONTEXTS = 8
/** Faults that a development certificate may have: it is signed by an unknown authority. */
const OWN_AUTHORITY = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']
const OLD_TLS = ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'ERR_SSL_UNSUPPORTED_PROTOCOL']

/** Sends a request to one server, after the connection was judged. Redirects are answers like others. */
export async function connect(url: URL, asked: Request): Promise<Response> {
  const { body } = asked
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('body: expected text or bytes')
  }
  const { socket, certificate } = await secure(url, asked)
  try {
    await asked.onConnection?.(connectionOf(socket, certificate))
    asked.signal.throwIfAborted()
    return await send(url, asked, socket)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '')

/** A connection to the intended server. */
interface SecureConnection {
  readonly socket: TLSSocket
  /** With the certificates above it. */
  readonly certificate: DetailedPeerCertificate
}

/** Opens a new connection: a kept one may lead to an address that was checked for another name. */
export function secure(url: URL, asked: Destination): Promise<SecureConnection> {
  const { signal, leastTls = 'TLSv1.2', mostTls = 'TLSv1.3' } = asked
  const host = bare(url.hostname)
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let shown: DetailedPeerCertificate | undefined
    const socket = connectTls({
      ...destination(asked),
      port: Number(url.port || HTTPS_PORT),
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ['http/1.1'],
      secureContext: contextOf(leastTls, mostTls, asked.ca),
      // Judged below, depending on the address.
      rejectUnauthorized: false,
      checkServerIdentity: (_, certificate) => {
        shown = certificate as DetailedPeerCertificate
        return undefined
      },
    })
    const stop = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', stop)
    const end = () => signal.removeEventListener('abort', stop)
    socket.once('error', (error: NodeJS.ErrnoException) => {
      end()
      reject(OLD_TLS.includes(error.code ?? '') ? new Error(`the server does not speak ${leastTls}`) : error)
    })
    socket.once('close', () => reject(signal.reason ?? new Error('the connection was closed')))
    socket.once('secureConnect', () => {
      end()
      // Node builds the chain only for trusted ones; this takes a third of a millisecond.
      const certificate = shown ?? socket.getPeerCertificate(true)
      const fault = faultOf(socket, certificate, host, asked)
      if (fault === undefined) resolve({ socket, certificate })
      else socket.destroy(fault)
    })
  })
}

const contexts = new Map<string, SecureContext>()

/** Caches contexts: reading the certificates of authorities takes as long as everything else before the handshake. */
function contextOf(minVersion: TlsVersion, maxVersion: TlsVersion, ca: string | undefined): SecureContext {
  const key = `${minVersion} ${maxVersion} ${ca}`
  const known = contexts.get(key)
  if (known !== undefined) return known
  const made = createSecureContext({ minVersion, maxVersion, ...(ca !== undefined && { ca }) })
  if (contexts.size >= MOST_CONTEXTS) contexts.clear()
  contexts.set(key, made)
  return made
}

/** Connects to one address, or to several of a name: the first that answers is used. */
function destination({ addresses }: Destination): Pick<ConnectionOptions, 'host' | 'lookup'> {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const [{ address, family } = { address: '', family: 0 }] = all
  if (all.length === 1) return { host: address }
  return {
    host: 'known.invalid',
    lookup: (_host, options, answer) => (options.all ? answer(null, all) : answer(null, address, family)),
  }
}

/** The reason why a server is not the intended one. */
function faultOf(
  socket: TLSSocket,
  certificate: DetailedPeerCertificate,
  host: string,
  { loopback }: Destination,
): Error | undefined {
  const fault = certificate.raw === undefined ? new Error('no certificate') : checkServerIdentity(host, certificate)
  if (fault !== undefined || socket.authorized) return fault
  const code = String(socket.authorizationError)
  const isAllowed = loopback === true && isHere(socket.remoteAddress ?? '') && OWN_AUTHORITY.includes(code)
  return isAllowed ? undefined : new Error(`the certificate is not valid: ${code}`)
}

/** True for an address of this machine. */
export function isHere(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && /^Loopback/.test(specialPurpose(address) ?? '')
}

const connectionOf = (socket: TLSSocket, certificate: DetailedPeerCertificate): Connection => ({
  address: socket.remoteAddress ?? '',
  tls: socket.getProtocol() ?? '',
  certificates: chainFrom(certificate, socket.getPeerX509Certificate()),
  isTrusted: socket.authorized,
})

/**
 * Follows the signatures from a certificate up: a server may send other certificates in addition to its chain.
 *
 * @param opened the first certificate, already parsed: parsing takes a tenth of a millisecond.
 */
function chainFrom(first: DetailedPeerCertificate, opened: X509Certificate | undefined): Uint8Array<ArrayBuffer>[] {
  const chain = [new Uint8Array(first.raw)]
  let last = opened
  let own = first
  while (last !== undefined && chain.length < MOST_CERTIFICATES) {
    const next = own.issuerCertificate
    if (next?.raw === undefined || next === own) break
    const certificate = new X509Certificate(next.raw)
    if (!certificate.ca || !last.verify(certificate.publicKey)) break
    chain.push(new Uint8Array(next.raw))
    last = certificate
    own = next
  }
  return chain
}

/**
 * Starts a request over an open connection. Without an agent, Node would write port 80 into the Host header, so the
 * port of HTTPS is set.
 */
export const requestOver = (socket: TLSSocket, url: URL, options: RequestOptions): ClientRequest =>
  request(url, { ...options, createConnection: () => socket, defaultPort: HTTPS_PORT })

const send = (url: URL, { method, headers, body, signal }: Request, socket: TLSSocket): Promise<Response> =>
  new Promise((resolve, reject) => {
    const outgoing = requestOver(socket, url, { method, headers: Object.fromEntries(headers), signal })
    outgoing.once('response', (incoming) => {
      const { statusCode = 0 } = incoming
      const headers = new Headers()
      for (let i = 0; i < incoming.rawHeaders.length; i += 2)
        headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!)
      // Response refuses a body for these.
      const empty = [101, 204, 205, 304].includes(statusCode)
      if (empty) incoming.resume()
      const body = empty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
      try {
        resolve(new Response(body, { status: statusCode, headers }))
      } catch (error) {
        incoming.destroy()
        reject(error)
      }
    })
    outgoing.once('error', reject)
    outgoing.end(body ?? undefined)
  })
