// The data of record types that only DNSSEC needs (RFC 4034 sections 2, 4 and 5, RFC 5155 section 3).
import { DnsError } from '../error.ts'
import { DNS_MALFORMED } from '../findings.ts'
import type { Name } from '../name.ts'
import { whole } from '../rdata.ts'
import type { WireReader } from '../wire.ts'
import { base32hex } from './base32hex.ts'

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

export interface DnsKey {
  readonly flags: number
  readonly protocol: number
  readonly algorithm: number
  readonly key: Uint8Array
  /** The whole data, for digests and key tags. */
  readonly rdata: Uint8Array
}

export const readDnsKey = (rdata: Uint8Array): DnsKey =>
  whole(rdata, (reader) => ({
    flags: reader.u16(),
    protocol: reader.u8(),
    algorithm: reader.u8(),
    key: reader.rest(),
    rdata,
  }))

export interface Nsec {
  readonly next: Name
  readonly types: ReadonlySet<number>
}

export const readNsec = (rdata: Uint8Array): Nsec =>
  whole(rdata, (reader) => ({ next: reader.plainName(), types: readTypes(reader) }))

export interface Nsec3 {
  readonly algorithm: number
  readonly flags: number
  readonly iterations: number
  readonly salt: Uint8Array
  /** The hash of the next name, in base32hex. */
  readonly next: string
  readonly types: ReadonlySet<number>
}

/** RFC 5155 section 3.2. */
export const readNsec3 = (rdata: Uint8Array): Nsec3 =>
  whole(rdata, (reader) => ({
    algorithm: reader.u8(),
    flags: reader.u8(),
    iterations: reader.u16(),
    salt: reader.take(reader.u8()),
    next: base32hex(reader.take(reader.u8())),
    types: readTypes(reader),
  }))

/** Reads windows of bits, in ascending order, each of 1 to 32 bytes without trailing zeros (RFC 4034 section 4.1.2). */
function readTypes(reader: WireReader): Set<number> {
  const types = new Set<number>()
  let last = -1
  while (reader.left > 0) {
    const window = reader.u8()
    const bits = reader.take(reader.u8())
    const isForm = window > last && bits.length >= 1 && bits.length <= 32 && bits.at(-1) !== 0
    if (!isForm) throw new DnsError(DNS_MALFORMED, 'a list of types that is out of order or empty')
    last = window
    for (let i = 0; i < 8 * bits.length; i++) {
      if (((bits[i >> 3]! << (i & 7)) & 0x80) !== 0) types.add(256 * window + i)
    }
  }
  return types
}
