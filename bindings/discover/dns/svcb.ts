// SVCB and HTTPS records (RFC 9460) over the wire.
//
//     00 10                                              priority 16
//     03 66 6f 6f 07 65 78 61 6d 70 6c 65 03 63 6f 6d 00   foo.example.com.
//     00 03 00 02 00 35                                  key port, 2 bytes, 53

import { SVCB_FORM } from './findings.ts'
import { WireReader } from './message.ts'
import { DnsError, type Name, nameToWire } from './name.ts'

export interface Svcb {
  /** 0 is AliasMode. */
  readonly priority: number
  /** `.` is the owner in ServiceMode, and "not here" in AliasMode (section 2.5). */
  readonly target: Name
  /** Values by key number, in ascending order. */
  readonly params: ReadonlyMap<number, Uint8Array>
}

export const SVC_KEYS = {
  mandatory: 0,
  alpn: 1,
  'no-default-alpn': 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
  dohpath: 7,
  // Private-use numbers, by the convention of DNS-AID.
  cap: 65400,
  'cap-sha256': 65401,
  bap: 65402,
  policy: 65403,
  realm: 65404,
  sig: 65405,
  'connect-class': 65406,
  'connect-meta': 65407,
  'enroll-uri': 65408,
  'well-known': 65409,
} as const

/** The limit of a record over the wire. Each parameter has a key and a length before its value. */
const MOST_BYTES = 65_535
const PARAM_HEAD = 4
/** Reserved; never a valid key (section 14.3.2). */
const INVALID_KEY = 65535

/**
 * Reads the data of an SVCB record.
 *
 * @throws {DnsError} DNS-101 or DNS-120 for malformed parameters, which make the whole set unusable (section 2.2).
 */
export function readSvcb(rdata: Uint8Array): Svcb {
  const reader = new WireReader(rdata)
  const priority = reader.u16()
  const target = reader.plainName()
  const params = new Map<number, Uint8Array>()
  let last = -1
  while (reader.left > 0) {
    const key = reader.u16()
    if (key <= last) fail(`key${key} follows key${last}: keys must be in ascending order, without duplicates`)
    last = key
    params.set(key, reader.take(reader.u16()))
  }
  checkParams(params)
  return { priority, target, params }
}

/** Writes the data of a record for the wire, keys ascending. */
export function writeSvcb({ priority, target, params }: Svcb): Uint8Array {
  checkParams(params)
  const keys = [...params.keys()].sort((a, b) => a - b)
  const bytes = [priority >> 8, priority & 0xff, ...nameToWire(target)]
  for (const key of keys) {
    const value = params.get(key)!
    bytes.push(key >> 8, key & 0xff, value.length >> 8, value.length & 0xff, ...value)
  }
  return Uint8Array.from(bytes)
}

/** Checks the values of the keys of sections 7 and 8; other keys may have any value. */
export function checkParams(params: ReadonlyMap<number, Uint8Array>): void {
  const size = [...params.values()].reduce((sum, value) => sum + PARAM_HEAD + value.length, 0)
  if (size > MOST_BYTES) fail(`its parameters take more than ${MOST_BYTES} bytes`)
  for (const [key, value] of params) CHECKS[key]?.(value, params)
  if (params.has(INVALID_KEY)) fail('key65535 is not a valid key')
}

type Check = (value: Uint8Array, params: ReadonlyMap<number, Uint8Array>) => void

const CHECKS: Readonly<Record<number, Check>> = {
  [SVC_KEYS.mandatory]: (value, params) => {
    const keys = mandatoryKeys(value)
    for (const [i, key] of keys.entries()) {
      if (key === SVC_KEYS.mandatory) fail('mandatory lists itself')
      if (i > 0 && key <= keys[i - 1]!) fail('mandatory is not in order, or has a duplicate key')
      if (!params.has(key)) fail(`mandatory lists key${key}, which the record does not have`)
    }
  },
  [SVC_KEYS.alpn]: (value) => {
    alpnIds(value)
  },
  [SVC_KEYS['no-default-alpn']]: (value, params) => {
    if (value.length > 0) fail('no-default-alpn has a value')
    if (!params.has(SVC_KEYS.alpn)) fail('no-default-alpn needs alpn')
  },
  [SVC_KEYS.port]: (value) => {
    if (value.length !== 2) fail('port does not have two bytes')
  },
  [SVC_KEYS.ipv4hint]: (value) => checkHints('ipv4hint', value, 4),
  [SVC_KEYS.ipv6hint]: (value) => checkHints('ipv6hint', value, 16),
}

function checkHints(name: string, value: Uint8Array, size: number): void {
  if (value.length === 0 || value.length % size !== 0) fail(`${name} is not a list of addresses of ${size} bytes`)
}

/** The keys in a value of `mandatory`. */
export function mandatoryKeys(value: Uint8Array): number[] {
  if (value.length === 0 || value.length % 2 !== 0) fail('mandatory is not a list of keys')
  return Array.from({ length: value.length / 2 }, (_, i) => (value[2 * i]! << 8) | value[2 * i + 1]!)
}

/** The protocols in a value of `alpn`, as bytes. */
export function alpnIds(value: Uint8Array): Uint8Array[] {
  const reader = new WireReader(value)
  const ids: Uint8Array[] = []
  while (reader.left > 0) {
    const length = reader.u8()
    if (length === 0 || length > reader.left) fail('alpn has an empty protocol, or one that is cut off')
    ids.push(reader.take(length))
  }
  if (ids.length === 0) fail('alpn lists no protocol')
  return ids
}

function fail(why: string): never {
  throw new DnsError(SVCB_FORM, why)
}
