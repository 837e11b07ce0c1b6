import { X509Certificate } from 'node:crypto'
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
import type { Connection, GuardedInit, TlsVersion } from '../net/fetch.ts'
import { parseAddress, specialPurpose } from '../text/address.ts'

interface Request extends Destination {
  readonly method: string
  readonly headers: Headers
  readonly body: RequestInit['body'] | undefined
  readonly onConnection: GuardedInit['onConnection']
}

/** A server, and the requirements for it. */
export interface Destination {
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
export interface SecureConnection {
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

function connectionOf(socket: TLSSocket, certificate: DetailedPeerCertificate): Connection {
  return {
    address: socket.remoteAddress ?? '',
    tls: socket.getProtocol() ?? '',
    certificates: chainFrom(certificate, socket.getPeerX509Certificate()),
    isTrusted: socket.authorized,
  }
}

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

function send(url: URL, { method, headers, body, signal }: Request, socket: TLSSocket): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = requestOver(socket, url, { method, headers: Object.fromEntries(headers), signal })
    outgoing.once('response', (incoming) => {
      const { statusCode = 0 } = incoming
      const headers = new Headers()
      for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
        headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!)
      }
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
}
