// The data of records (RFC 1035, 2782, 4034, 6698). Each reader takes the form that `signedRdata` returns.
import { joinBytes } from '../../text/bytes.ts'
import { DnsError } from './error.ts'
import { DNS_MALFORMED } from './findings.ts'
import { type Name, nameToWire } from './name.ts'
import { TYPES, typeName } from './types.ts'
import { WireReader } from './wire.ts'

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
export function signedRdata(type: number, reader: WireReader): Uint8Array {
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
