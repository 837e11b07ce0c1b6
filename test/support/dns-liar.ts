// A resolver under an attacker's control: it forwards queries and forges some of the answers. Uses UDP and TCP, so that
// delv and Blazon get the same forged answer.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import {
  type DnsMessage,
  decodeMessage,
  encodeQuestion,
  type Question,
  type ResourceRecord,
  TYPES,
} from '../../bindings/discover/dns/message.ts'
import { nameToWire } from '../../bindings/discover/dns/name.ts'
import { udpResolver } from '../../bindings/node/dns.ts'
import { freePort } from './port.ts'

export type Sections = Pick<DnsMessage, 'rcode' | 'answers' | 'authorities'>

export interface Liar {
  readonly port: number
  /** The honest answer. */
  ask(question: Question): Promise<DnsMessage>
  /** The answer to a query from now on; undefined to answer honestly. */
  tell(lie: ((question: Question) => Sections | undefined | Promise<Sections>) | undefined): void
  close(): Promise<void>
}

const u16 = (number: number) => [number >> 8, number & 0xff]
const OPT = [0, 0, 41, 4, 208, 0, 0, 0x80, 0, 0, 0]

const recordBytes = ({ name, type, ttl, rdata }: ResourceRecord) => [
  ...nameToWire(name),
  ...[...u16(type), 0, 1, ...u16(ttl >>> 16), ...u16(ttl & 0xffff), ...u16(rdata.length)],
  ...rdata,
]

/** An answer as a recursive resolver returns it, without AD. */
function encodeAnswer({ name, type }: Question, { rcode, answers, authorities }: Sections): Uint8Array {
  return Uint8Array.from([
    ...[0, 0, 0x81, 0x80 | rcode, 0, 1, ...u16(answers.length), ...u16(authorities.length), 0, 1],
    ...[...nameToWire(name), ...u16(type), 0, 1],
    ...[...answers, ...authorities].flatMap(recordBytes),
    ...OPT,
  ])
}

const DNSSEC: readonly number[] = [TYPES.RRSIG, TYPES.NSEC, TYPES.NSEC3]

/** Makes a resolver drop all signatures and proofs of absence from now on, as many routers do. */
export function strip({ ask, tell }: Liar): void {
  const without = (section: readonly ResourceRecord[]) => section.filter(({ type }) => !DNSSEC.includes(type))
  tell(async (question) => {
    const { rcode, answers, authorities } = await ask(question)
    return { rcode, answers: without(answers), authorities: without(authorities) }
  })
}

/** Relays between clients and the server on a port. */
export async function startLiar(server: number): Promise<Liar> {
  const honest = udpResolver({ address: '127.0.0.1', port: server })
  const known = new Map<string, Promise<Uint8Array>>()
  const answerTo = (question: Question) => {
    const key = `${question.type} ${question.name}`
    const answer = known.get(key) ?? honest(encodeQuestion(question))
    known.set(key, answer)
    return answer
  }
  let lie: Parameters<Liar['tell']>[0]
  const answered = async (bytes: Uint8Array) => {
    const [question] = decodeMessage(bytes).questions
    const told = await lie?.(question!)
    const answer = (told === undefined ? await answerTo(question!) : encodeAnswer(question!, told)).slice()
    answer.set(bytes.subarray(0, 2))
    return answer
  }
  const socket = createSocket('udp4')
  socket.on('message', async (bytes, from) => socket.send(await answered(bytes), from.port, from.address))
  // A port that the system gives away for UDP may be that of a TCP connection.
  const port = await freePort()
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve))
  // delv asks again over TCP when an answer with a DNAME has no cookie. A question comes in one piece.
  const tcp = createServer((connection) => {
    connection.on('error', () => {})
    connection.on('data', async (bytes) => {
      const answer = await answered(bytes.subarray(2))
      connection.end(Uint8Array.from([...u16(answer.length), ...answer]))
    })
  })
  await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve))
  return {
    port,
    ask: async (question) => decodeMessage(await answerTo(question)),
    tell: (next) => {
      lie = next
    },
    close: async () => {
      await new Promise<void>((resolve) => socket.close(() => resolve()))
      await new Promise((resolve) => tcp.close(resolve))
    },
  }
}
