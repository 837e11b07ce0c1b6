// DNS messages (RFC 1035 section 4, RFC 6891): writes questions, reads answers.
import { DnsError } from './error.ts'
import { DNS_MALFORMED } from './findings.ts'
import { type Name, nameToWire, ROOT } from './name.ts'
import { signedRdata } from './rdata.ts'
import { CLASS_IN, TYPES } from './types.ts'
import { WireReader } from './wire.ts'

export interface Question {
  readonly name: Name
  readonly type: number
}

export interface ResourceRecord {
  readonly name: Name
  readonly type: number
  readonly class: number
  readonly ttl: number
  /** In the signed form: names in full, and in lower case for the types of RFC 4034 section 6.2. */
  readonly rdata: Uint8Array
}

export interface DnsMessage {
  readonly id: number
  readonly isAnswer: boolean
  readonly isTruncated: boolean
  /** The AD bit: the resolver says that it verified the answer (RFC 4035 section 3.2.3). */
  readonly isAuthentic: boolean
  /** With the eight additional bits of EDNS. */
  readonly rcode: number
  readonly questions: readonly (Question & { readonly class: number })[]
  readonly answers: readonly ResourceRecord[]
  readonly authorities: readonly ResourceRecord[]
  /** Without the OPT record. */
  readonly additionals: readonly ResourceRecord[]
}

const HEADER = 12
const FLAGS = { answer: 0x8000, opcode: 0x7800, truncated: 0x0200, wanted: 0x0100, authentic: 0x0020 }
const DNSSEC_OK = 0x8000
/** The largest answer over UDP that no link fragments (DNS flag day 2020). */
const UDP_BYTES = 1232

/**
 * Writes a question with recursion, EDNS, and a request for signatures. AD is set to get the resolver's verdict (RFC
 * 6840 section 5.7).
 */
export function encodeQuestion({ name, type }: Question, id = 0): Uint8Array<ArrayBuffer> {
  const wire = nameToWire(name)
  const bytes = new Uint8Array(HEADER + wire.length + 4 + 11)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, id)
  view.setUint16(2, FLAGS.wanted | FLAGS.authentic)
  view.setUint16(4, 1)
  view.setUint16(10, 1)
  bytes.set(wire, HEADER)
  const at = HEADER + wire.length
  view.setUint16(at, type)
  view.setUint16(at + 2, CLASS_IN)
  // The OPT record: the root name, its type, the size, the extended rcode, version 0, flags, no options.
  view.setUint16(at + 5, TYPES.OPT)
  view.setUint16(at + 7, UDP_BYTES)
  view.setUint16(at + 11, DNSSEC_OK)
  return bytes
}

/**
 * Reads a DNS message.
 *
 * @throws {DnsError} DNS-101 for bytes that are not a message, or continue after its end.
 */
export function decodeMessage(bytes: Uint8Array): DnsMessage {
  // Its own view: parts of Node's Buffer cost more.
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const reader = new WireReader(view, 0, view.length, new Map())
  const id = reader.u16()
  const flags = reader.u16()
  if ((flags & FLAGS.opcode) !== 0) fail('it is not an answer to a query')
  const counts = [reader.u16(), reader.u16(), reader.u16(), reader.u16()] as const
  const questions = list(counts[0], () => ({ name: reader.name(), type: reader.u16(), class: reader.u16() }))
  const answers = list(counts[1], () => readRecord(reader))
  const authorities = list(counts[2], () => readRecord(reader))
  const all = list(counts[3], () => readRecord(reader))
  if (reader.left > 0) fail(`${reader.left} bytes follow its end`)
  const options = all.filter(({ type }) => type === TYPES.OPT)
  if (options.length > 1 || options.some(({ name }) => name !== ROOT))
    fail('more than one OPT record, or of another name')
  // The first byte of the field that other records use for the time to live.
  const more = Math.floor((options[0]?.ttl ?? 0) / 0x1000000)
  return {
    id,
    isAnswer: (flags & FLAGS.answer) !== 0,
    isTruncated: (flags & FLAGS.truncated) !== 0,
    isAuthentic: (flags & FLAGS.authentic) !== 0,
    rcode: more * 16 + (flags & 15),
    questions,
    answers,
    authorities,
    additionals: all.filter(({ type }) => type !== TYPES.OPT),
  }
}

/** Reads items one by one: a count from a stranger allocates nothing. */
function list<Item>(count: number, read: () => Item): Item[] {
  const items: Item[] = []
  while (items.length < count) items.push(read())
  return items
}

function readRecord(reader: WireReader): ResourceRecord {
  const name = reader.name()
  const type = reader.u16()
  const class_ = reader.u16()
  const ttl = reader.u32()
  const length = reader.u16()
  const part = reader.part(length)
  return { name, type, class: class_, ttl, rdata: signedRdata(type, part) }
}

function fail(why: string): never {
  throw new DnsError(DNS_MALFORMED, why)
}
