// The data of record types that only DNSSEC needs (RFC 4034 sections 2, 4 and 5, RFC 5155 section 3).
//
//     . IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D

import { fromHex, toHex } from '../../../text/bytes.ts'
import { DNS_MALFORMED } from '../findings.ts'
import { type Ds, type WireReader, whole } from '../message.ts'
import { DnsError, type Name, ROOT, readName } from '../name.ts'

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

const DIGITS = '0123456789abcdefghijklmnopqrstuv'

/** RFC 4648 section 7, in lower case and without padding. */
export function base32hex(bytes: Uint8Array): string {
  let text = ''
  for (let bit = 0; bit < 8 * bytes.length; bit += 5) {
    const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0)
    text += DIGITS[(pair >> (11 - (bit & 7))) & 31]
  }
  return text
}

// The keys of the root that IANA publishes (root-anchors.xml): KSK-2017 and KSK-2024.

/** By zone; usually only the root. */
export type TrustAnchors = Readonly<Record<Name, readonly Ds[]>>

const row = (keyTag: number, hex: string): Ds => ({ keyTag, algorithm: 8, digestType: 2, digest: fromHex(hex)! })

export const ROOT_ANCHORS: TrustAnchors = {
  [ROOT]: [
    row(20326, 'e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d'),
    row(38696, '683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16'),
  ],
}

// DS records in the form of dnssec-dsfromkey, dig and IANA's files of the root.

const ROW = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?DS\s+(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+([0-9A-Fa-f\s]+)$/

/**
 * Reads the keys to trust instead of those of the root.
 *
 * @throws {TypeError} for a line that is not a DS record.
 */
export function anchorsFromText(text: string): TrustAnchors {
  const anchors: Record<string, Ds[]> = {}
  for (const [i, line] of text.split('\n').entries()) {
    const row = line.replace(/;.*/, '').trim()
    if (row === '') continue
    const [name, ds] = readRow(row) ?? refuse(row, i + 1)
    anchors[name] = [...(anchors[name] ?? []), ds]
  }
  return anchors
}

/** Writes the same records, one per line. */
export function anchorsToText(anchors: TrustAnchors): string {
  const line = (zone: string, { keyTag, algorithm, digestType, digest }: Ds) =>
    `${zone} IN DS ${keyTag} ${algorithm} ${digestType} ${toHex(digest).toUpperCase()}\n`
  return Object.entries(anchors)
    .flatMap(([zone, rows]) => rows.map((row) => line(zone, row)))
    .join('')
}

function readRow(row: string): readonly [name: string, ds: Ds] | undefined {
  const [, zone, keyTag, algorithm, digestType, hex] = ROW.exec(row) ?? []
  const digest = hex && fromHex(hex.replace(/\s/g, '').toLowerCase())
  if (zone === undefined || !digest) return undefined
  try {
    const ds = { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest }
    return [readName(zone), ds]
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return undefined
  }
}

function refuse(row: string, line: number): never {
  throw new TypeError(`expected DS records, found "${row.slice(0, 60)}" in line ${line}`)
}
