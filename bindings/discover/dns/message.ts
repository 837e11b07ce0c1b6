// Numbers from IANA's registry of DNS parameters, as far as this package reads them.

import { joinBytes } from '../../text/bytes.ts'
import { DNS_MALFORMED } from './findings.ts'
import { DnsError, labelText, type Name, nameToWire, ROOT } from './name.ts'

export const TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
} as const

export type TypeName = keyof typeof TYPES

const NAMES = new Map<number, string>(Object.entries(TYPES).map(([name, number]) => [number, name]))

/** The name of a type, or its number in the form of RFC 3597 section 5. */
export const typeName = (type: number): string => NAMES.get(type) ?? `TYPE${type}`

export const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const

const RCODE_NAMES = new Map<number, string>(Object.entries(RCODES).map(([name, number]) => [number, name]))

export const rcodeName = (rcode: number): string => RCODE_NAMES.get(rcode) ?? `RCODE${rcode}`

export const CLASS_IN = 1

const POINTER = 0xc0
/** The most labels in a name of 255 bytes. */
const MOST_LABELS = 127

/** A name that was read before: most pointers lead to the same few. */
interface KnownName {
  readonly text: string
  /** The length over the wire. */
  readonly length: number
}

/** Reads bytes from the left, and refuses to read beyond the end. */
export class WireReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #names: Map<number, KnownName> | undefined
  at: number

  /** @param names the names of a message by offset, for pointers. */
  constructor(bytes: Uint8Array, at = 0, end = bytes.length, names?: Map<number, KnownName>) {
    this.#bytes = bytes
    this.#end = end
    this.#names = names
    this.at = at
  }

  get left(): number {
    return this.#end - this.at
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!
  }

  u16(): number {
    const at = this.#take(2)
    return (this.#bytes[at]! << 8) | this.#bytes[at + 1]!
  }

  u32(): number {
    return this.u16() * 0x10000 + this.u16()
  }

  /** A view, not a copy. */
  take(length: number): Uint8Array {
    const at = this.#take(length)
    return this.#bytes.subarray(at, at + length)
  }

  rest(): Uint8Array {
    return this.take(this.left)
  }

  /** A reader of only the next bytes; pointers in them may still lead to earlier bytes. */
  part(length: number): WireReader {
    const at = this.#take(length)
    return new WireReader(this.#bytes, at, at + length, this.#names)
  }

  /** Reads a name without compression, as RFC 3597 section 4 requires for newer types. */
  plainName(): Name {
    return this.#name(false)
  }

  /**
   * Reads a name that may be compressed (RFC 1035 section 4.1.4). Pointers must lead to earlier bytes, each before the
   * last, so that no chain is endless.
   */
  name(): Name {
    return this.#name(true)
  }

  #name(mayPoint: boolean): Name {
    const bytes = this.#bytes
    let text = ''
    let length = 1
    let before = this.at
    /** The offset after the first pointer, where reading continues. */
    let back = -1
    const start = this.at
    for (let labels = 0; ; labels++) {
      const size = this.u8()
      if (size === 0) break
      if (size >= POINTER) {
        if (!mayPoint) fail('a name is compressed where that is not allowed')
        const target = ((size & 0x3f) << 8) | this.u8()
        if (target >= before) fail('a name points to itself or to what follows')
        if (back < 0) back = this.at
        const known = this.#names?.get(target)
        if (known !== undefined) {
          text = text === '' ? known.text : known.text === '' ? text : `${text}.${known.text}`
          length += known.length - 1
          if (length > 255) fail('a name of more than 255 bytes')
          break
        }
        before = target
        this.at = target
        continue
      }
      if (size >= 0x40) fail('a label of an unknown kind')
      length += 1 + size
      if (length > 255 || labels > 2 * MOST_LABELS) fail('a name of more than 255 bytes')
      const at = this.#take(size)
      text += text === '' ? labelText(bytes, at, at + size) : `.${labelText(bytes, at, at + size)}`
    }
    if (back >= 0) this.at = back
    this.#names?.set(start, { text, length })
    return text === '' ? ROOT : text
  }

  #take(length: number): number {
    const { at } = this
    if (at + length > this.#end) fail('it ends too early')
    this.at = at + length
    return at
  }
}

// The data of records (RFC 1035, 2782, 4034, 6698). Each reader takes the form that `signedRdata` returns.

/** Bytes before the names in a record, how many names follow, and the least bytes after them. */
type Layout = readonly [before: number, names: number]

/**
 * Types whose names may be compressed in a message, but are signed in full and in lower case (RFC 4034 section 6.2).
 */
const NAMED: Readonly<Record<number, Layout>> = {
  [TYPES.NS]: [0, 1],
  [TYPES.CNAME]: [0, 1],
  [TYPES.SOA]: [0, 2],
  [TYPES.PTR]: [0, 1],
  [TYPES.MX]: [2, 1],
  [TYPES.SRV]: [6, 1],
  [TYPES.DNAME]: [0, 1],
}
/** Bytes of an RRSIG before the name of its signer, which is also signed in lower case. */
const SIGNER_AT = 18

/** Returns the data of a record in the signed form; copies only if it has to change. */
function signedRdata(type: number, reader: WireReader): Uint8Array {
  const layout = NAMED[type]
  if (layout !== undefined) {
    const before = reader.take(layout[0])
    const names = Array.from({ length: layout[1] }, () => nameToWire(reader.name()))
    return joinBytes([before, ...names, reader.rest()])
  }
  const rdata = reader.rest()
  if (type !== TYPES.RRSIG) return rdata
  const own = new WireReader(rdata)
  const head = own.take(SIGNER_AT)
  const signer = own.plainName()
  return hasCapital(rdata, SIGNER_AT, own.at) ? joinBytes([head, nameToWire(signer), own.rest()]) : rdata
}

function hasCapital(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! >= 0x41 && bytes[i]! <= 0x5a) return true
  return false
}

/** Reads all data of a record. Remaining bytes are a fault. */
export function whole<Data>(rdata: Uint8Array, read: (reader: WireReader) => Data): Data {
  const reader = new WireReader(rdata)
  const data = read(reader)
  if (reader.left > 0) throw new DnsError(DNS_MALFORMED, `${reader.left} bytes follow the data of a record`)
  return data
}

/** Reads an address from an A or AAAA record, each with its own length. */
export function readAddressOf(type: number, rdata: Uint8Array): string {
  if (rdata.length === (type === TYPES.A ? 4 : 16)) return readAddress(rdata)
  throw new DnsError(DNS_MALFORMED, `an address of ${rdata.length} bytes in ${typeName(type)}`)
}

/** Writes an address in the form of RFC 5952. */
export function readAddress(rdata: Uint8Array): string {
  if (rdata.length === 4) return rdata.join('.')
  if (rdata.length !== 16) throw new DnsError(DNS_MALFORMED, `an address of ${rdata.length} bytes`)
  const groups = Array.from({ length: 8 }, (_, i) => ((rdata[2 * i]! << 8) | rdata[2 * i + 1]!).toString(16))
  return compress(groups)
}

/** Replaces the longest (or first longest) run of two or more zero groups by `::` (RFC 5952 section 4.2). */
function compress(groups: readonly string[]): string {
  let [best, length] = [0, 1]
  for (let i = 0; i < groups.length; i++) {
    let end = i
    while (groups[end] === '0') end++
    if (end - i > length) [best, length] = [i, end - i]
  }
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, best).join(':')}::${groups.slice(best + length).join(':')}`
}

/** The name in a CNAME, DNAME, NS or PTR record. */
export const readTarget = (rdata: Uint8Array): Name => whole(rdata, (reader) => reader.plainName())

/** The strings of a TXT record, of at most 255 bytes each. */
export function readStrings(rdata: Uint8Array): Uint8Array[] {
  return whole(rdata, (reader) => {
    const strings: Uint8Array[] = []
    while (reader.left > 0) strings.push(reader.take(reader.u8()))
    if (strings.length === 0) throw new DnsError(DNS_MALFORMED, 'a TXT record without a string')
    return strings
  })
}

export interface Srv {
  readonly priority: number
  readonly weight: number
  readonly port: number
  readonly target: Name
}

export const readSrv = (rdata: Uint8Array): Srv =>
  whole(rdata, (reader) => ({
    priority: reader.u16(),
    weight: reader.u16(),
    port: reader.u16(),
    target: reader.plainName(),
  }))

export interface Tlsa {
  readonly usage: number
  readonly selector: number
  readonly matchingType: number
  readonly data: Uint8Array
}

export const readTlsa = (rdata: Uint8Array): Tlsa =>
  whole(rdata, (reader) => ({
    usage: reader.u8(),
    selector: reader.u8(),
    matchingType: reader.u8(),
    data: reader.rest(),
  }))

export interface Ds {
  readonly keyTag: number
  readonly algorithm: number
  readonly digestType: number
  readonly digest: Uint8Array
}

export const readDs = (rdata: Uint8Array): Ds =>
  whole(rdata, (reader) => ({
    keyTag: reader.u16(),
    algorithm: reader.u8(),
    digestType: reader.u8(),
    digest: reader.rest(),
  }))

export interface Rrsig {
  readonly covers: number
  readonly algorithm: number
  /** The number of labels of the signed name, without `*`. */
  readonly labels: number
  readonly ttl: number
  /** In seconds, modulo 2^32. */
  readonly expires: number
  readonly begins: number
  readonly keyTag: number
  readonly signer: Name
  readonly signature: Uint8Array
  /** Everything before the signature, which is signed too. */
  readonly head: Uint8Array
}

export const readRrsig = (rdata: Uint8Array): Rrsig =>
  whole(rdata, (reader) => {
    const data = {
      covers: reader.u16(),
      algorithm: reader.u8(),
      labels: reader.u8(),
      ttl: reader.u32(),
      expires: reader.u32(),
      begins: reader.u32(),
      keyTag: reader.u16(),
      signer: reader.plainName(),
    }
    const head = rdata.subarray(0, reader.at)
    return { ...data, head, signature: reader.rest() }
  })

// DNS messages (RFC 1035 section 4, RFC 6891): writes questions, reads answers.

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
