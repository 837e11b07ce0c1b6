// DNS over UDP, and over TCP for answers that are cut off (RFC 1035 section 4.2, RFC 7766).
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { connect, isIPv6 } from 'node:net'
import { DNS_NO_ANSWER, DNS_RESOLVER } from '../discover/dns/findings.ts'
import { type Resolver, retrying } from '../discover/dns/lookup.ts'
import { decodeMessage } from '../discover/dns/message.ts'
import { DnsError, unreachable } from '../discover/dns/name.ts'
import { isLoopback } from '../net/guard.ts'
import { parseAddress } from '../text/address.ts'

export declare namespace udpResolver {
  interface Options {
    /** The address of a resolver; default the first one of this machine. */
    readonly address?: string
    /** Default 53. */
    readonly port?: number
    /** For one try; default 3,000. */
    readonly timeoutMs?: number
    /** How often an unanswered question is repeated; default 2. */
    readonly retries?: number
  }
}

const PATIENCE_MS = 3_000
const TRIES_AGAIN = 2

/**
 * A resolver over UDP and TCP, by default that of this machine.
 *
 * @example
 * const resolver = udpResolver({ address: '127.0.0.1' })
 *
 * @throws {TypeError} for a malformed address.
 */
export function udpResolver(options: udpResolver.Options = {}): Resolver {
  const server = systemServer()
  const { address = server.address, port = options.address === undefined ? server.port : 53 } = options
  const { timeoutMs = PATIENCE_MS, retries = TRIES_AGAIN } = options
  if (parseAddress(address) === undefined)
    throw new TypeError(`address: expected that of a resolver, got ${JSON.stringify(address)}`)
  const to = { address, port, timeoutMs }
  const once = async (question: Uint8Array<ArrayBuffer>, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    // An attacker who cannot see the question must guess this number, and the port that the system chooses (RFC 5452).
    const own = question.slice()
    new DataView(own.buffer).setUint16(0, randomInt(0x10000))
    const answer = await overUdp(own, to, signal)
    return decodeMessage(answer).isTruncated ? overTcp(own, to, signal) : answer
  }
  return Object.assign(retrying(once, retries), { isPrivate: isLoopback(address) })
}

/** Reads `127.0.0.1`, `127.0.0.1:5353` or `[::1]:5353`, the forms that Node returns. */
function systemServer(): { address: string; port: number } {
  const [first = '127.0.0.1'] = getServers()
  const [, bracketed, bare, port] = /^(?:\[(.+?)\]|([^:]+))(?::(\d+))?$/.exec(first) ?? []
  return { address: bracketed ?? bare ?? first, port: Number(port ?? 53) }
}

interface Server {
  readonly address: string
  readonly port: number
  readonly timeoutMs: number
}

const startsAlike = (answer: Uint8Array, question: Uint8Array) => answer[0] === question[0] && answer[1] === question[1]

function overUdp(question: Uint8Array, server: Server, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4')
  return within(
    server,
    signal,
    () => socket.close(),
    (resolve, reject) => {
      socket.on('error', reject)
      // Another number: a late answer, or a guess.
      socket.on('message', (answer) => startsAlike(answer, question) && resolve(answer))
      // For a connected socket, the system drops packets from elsewhere.
      socket.connect(server.port, server.address, (fault?: Error) => (fault ? reject(fault) : socket.send(question)))
    },
  )
}

function overTcp(question: Uint8Array, server: Server, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const socket = connect({ host: server.address, port: server.port })
  return within(
    server,
    signal,
    () => socket.destroy(),
    (resolve, reject) => {
      let came = Buffer.alloc(0)
      socket.once('error', reject)
      socket.once('close', () => reject(new DnsError(DNS_RESOLVER, 'the connection was closed')))
      socket.on('data', (chunk) => {
        came = Buffer.concat([came, chunk])
        if (came.length < 2 || came.length < 2 + came.readUInt16BE(0)) return
        const answer = came.subarray(2, 2 + came.readUInt16BE(0))
        if (startsAlike(answer, question)) resolve(answer)
        else reject(new DnsError(DNS_RESOLVER, 'it answers another question'))
      })
      socket.write(Buffer.concat([Uint8Array.of(question.length >> 8, question.length & 0xff), question]))
    },
  )
}

type Settle = (resolve: (answer: Uint8Array) => void, reject: (error: Error) => void) => void

/** Waits for this long at most, and always closes the socket. */
async function within(
  { timeoutMs }: Server,
  signal: AbortSignal | undefined,
  close: () => void,
  settle: Settle,
): Promise<Uint8Array> {
  let stop = () => {}
  let abort = () => {}
  const timer = setTimeout(() => stop(), timeoutMs)
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      stop = () => reject(new DnsError(DNS_NO_ANSWER, `no answer within ${timeoutMs} ms`))
      abort = () => reject(signal!.reason)
      signal?.addEventListener('abort', abort)
      settle(resolve, (error) =>
        reject(error instanceof DnsError ? error : new DnsError(DNS_RESOLVER, unreachable(error))),
      )
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    close()
  }
}
