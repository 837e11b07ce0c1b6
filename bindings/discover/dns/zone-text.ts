// Records in zone files, and for people.

// SVCB records (RFC 9460 section 2.1, RFC 1035 section 5.1). A value has two layers of escapes: those of
// the zone file, and in lists those of the commas.

import { encodeBase64, readBase64 } from '../../keys/base64.ts'
import { parseAddress } from '../../text/address.ts'
import { toHex } from '../../text/bytes.ts'
import { readDnsKey, readNsec } from './dnssec/rdata.ts'
import { SVCB_FORM } from './findings.ts'
import {
  type ResourceRecord,
  readAddress,
  readDs,
  readRrsig,
  readSrv,
  readStrings,
  readTarget,
  readTlsa,
  TYPES,
  typeName,
} from './message.ts'
import { DnsError, nameToWire, ROOT, readName } from './name.ts'
import { alpnIds, checkParams, mandatoryKeys, readSvcb, SVC_KEYS, type Svcb } from './svcb.ts'

const utf8 = new TextEncoder()
const COMMA = 0x2c
const BACKSLASH = 0x5c

const TOKEN = /(?:"(?:[^"\\]|\\.)*"|\\.|[^\s()"\\;])+/sy
/** The space between tokens. Only within brackets may a line end (RFC 1035 section 5.1). */
const SPACE = /[ \t\r\n]/
const PARAM = /^([A-Za-z0-9-]{1,63})(?:=(.*))?$/s

/**
 * Reads the data of an SVCB or HTTPS record, which follow the type in a zone file. Keys without an IANA number (`bap`,
 * `well-known`) are read by name or as `key65402`, in any case.
 *
 * @example
 * svcbFromText('1 . alpn="a2a,h2" port=443 key65402=a2a').params.get(65402) // Uint8Array [97, 50, 97]
 *
 * @throws {DnsError} DNS-120 for text that a zone file may not contain.
 */
export function svcbFromText(text: string): Svcb {
  const [priority, target, ...rest] = tokens(text)
  if (priority === undefined || !/^\d{1,5}$/.test(priority) || Number(priority) > 0xffff)
    fail('it does not begin with a priority')
  if (target === undefined) fail('it has no target')
  const params = new Map<number, Uint8Array>()
  for (const token of rest) {
    const [, name, value] = PARAM.exec(token) ?? fail(`${token.slice(0, 40)}: no parameter`)
    const key = keyOf(name!)
    if (params.has(key)) fail(`${name} stands twice`)
    params.set(key, (READERS[key] ?? charString)(value ?? ''))
  }
  checkParams(params)
  return {
    priority: Number(priority),
    target: readName(target!),
    params: new Map([...params].sort(([a], [b]) => a - b)),
  }
}

/**
 * Writes the data of a record for a zone file that every server reads: private keys by number, every value in quotes.
 *
 * @example
 * svcbToText({ priority: 1, target: '.', params: new Map([[65402, new TextEncoder().encode('a2a')]]) })
 * // '1 . key65402="a2a"'
 */
export function svcbToText({ priority, target, params }: Svcb): string {
  checkParams(params)
  const name = target === ROOT ? ROOT : `${target}.`
  nameToWire(target)
  return [priority, name, ...[...params].sort(([a], [b]) => a - b).map(([key, value]) => paramText(key, value))].join(
    ' ',
  )
}

function paramText(key: number, value: Uint8Array): string {
  if (key === SVC_KEYS['no-default-alpn']) return 'no-default-alpn'
  const write = VALUE_WRITERS[key]
  const name = write === undefined ? undefined : NAME_OF.get(key)
  return `${name ?? `key${key}`}=${quoteBytes(write === undefined ? value : bytesOf(write(value)))}`
}

function tokens(text: string): string[] {
  const found: string[] = []
  let depth = 0
  for (let at = 0; at < text.length; ) {
    const character = text[at]!
    if (character === '(' || character === ')') depth += character === '(' ? 1 : -1
    else if (character === '\n' && depth === 0 && found.length > 0 && text.slice(at).trim() !== '')
      fail('a line ends outside brackets')
    if (depth < 0) fail('a closing bracket without an opening one')
    if (character === '(' || character === ')' || SPACE.test(character)) {
      at++
      continue
    }
    TOKEN.lastIndex = at
    const [token] =
      TOKEN.exec(text) ?? fail(`a comment, an open quote or a backslash at the end: ${text.slice(at, at + 40)}`)
    found.push(token)
    at = TOKEN.lastIndex
  }
  if (depth > 0) fail('an opening bracket without a closing one')
  return found
}

const NAME_OF = new Map<number, string>(Object.entries(SVC_KEYS).map(([name, key]) => [key, name]))

function keyOf(written: string): number {
  const name = written.toLowerCase()
  if (Object.hasOwn(SVC_KEYS, name)) return SVC_KEYS[name as keyof typeof SVC_KEYS]
  const number =
    /^key(0|[1-9]\d{0,4})$/.exec(name)?.[1] ?? fail(`${written}: an unknown key; others are written as key65400`)
  if (Number(number) >= 0xffff) fail(`${written} is not a valid key`)
  return Number(number)
}

/** The bytes of a written string, without its quotes and escapes. */
function charString(written: string): Uint8Array {
  const bytes: number[] = []
  const text = written.startsWith('"') && written.endsWith('"') && written.length > 1 ? written.slice(1, -1) : written
  for (let i = 0; i < text.length; ) {
    const escaped = /^\\(\d{3})?/.exec(text.slice(i, i + 4))
    if (escaped?.[1] !== undefined) {
      if (Number(escaped[1]) > 255) fail(`${escaped[0]} is not a byte`)
      bytes.push(Number(escaped[1]))
      i += 4
      continue
    }
    if (escaped !== null) i++
    else if (text[i] === '"') fail('a quote within a value')
    const letter = String.fromCodePoint(text.codePointAt(i) ?? 0)
    for (const one of utf8.encode(letter)) bytes.push(one)
    i += letter.length
  }
  return Uint8Array.from(bytes)
}

/** Splits a list at commas without a backslash before them (RFC 9460 appendix A.1). */
function valueList(written: string): Uint8Array[] {
  const items: number[][] = [[]]
  const bytes = charString(written)
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === COMMA) items.push([])
    else {
      if (bytes[i] === BACKSLASH) {
        const next = bytes[++i]
        if (next !== COMMA && next !== BACKSLASH)
          fail('in a list, a backslash may only stand before a comma or a backslash')
      }
      items.at(-1)!.push(bytes[i]!)
    }
  }
  if (items.some((item) => item.length === 0)) fail('an item of a list is empty')
  return items.map((item) => Uint8Array.from(item))
}

/** Lists of names, numbers and addresses, which need no escapes. */
const words = (written: string) => valueList(written).map((item) => String.fromCharCode(...item))

const READERS: Readonly<Record<number, (written: string) => Uint8Array>> = {
  [SVC_KEYS.mandatory]: (written) => {
    const keys = words(written).map(keyOf)
    if (new Set(keys).size < keys.length) fail('mandatory has a duplicate key')
    return Uint8Array.from(keys.sort((a, b) => a - b).flatMap((key) => [key >> 8, key & 0xff]))
  },
  [SVC_KEYS.alpn]: (written) =>
    Uint8Array.from(
      valueList(written).flatMap((id) =>
        id.length > 255 ? fail('a protocol has at most 255 bytes') : [id.length, ...id],
      ),
    ),
  [SVC_KEYS['no-default-alpn']]: (written) => {
    if (written !== '') fail('no-default-alpn has a value')
    return new Uint8Array(0)
  },
  [SVC_KEYS.port]: (written) => {
    const text = String.fromCharCode(...charString(written))
    if (!/^\d{1,5}$/.test(text) || Number(text) > 0xffff) fail(`port ${text.slice(0, 20)} is not a port`)
    return Uint8Array.of(Number(text) >> 8, Number(text) & 0xff)
  },
  [SVC_KEYS.ipv4hint]: (written) => addresses(written, 4),
  [SVC_KEYS.ipv6hint]: (written) => addresses(written, 16),
  [SVC_KEYS.ech]: (written) =>
    readBase64(String.fromCharCode(...charString(written))) ?? fail('ech is not valid base64'),
}

function addresses(written: string, size: number): Uint8Array {
  return Uint8Array.from(
    words(written).flatMap((text) => {
      const address = parseAddress(text)
      return address?.length === size ? [...address] : fail(`${text.slice(0, 50)} is not an address of ${size} bytes`)
    }),
  )
}

/** Writers for values that zone files have as text, without the escapes of the zone file. */
const VALUE_WRITERS: Readonly<Record<number, (value: Uint8Array) => string>> = {
  [SVC_KEYS.mandatory]: (value) => mandatoryKeys(value).map(publicName).join(','),
  [SVC_KEYS.alpn]: (value) => alpnIds(value).map(listItem).join(','),
  [SVC_KEYS.port]: (value) => String((value[0]! << 8) | value[1]!),
  [SVC_KEYS.ipv4hint]: (value) => hints(value, 4),
  [SVC_KEYS.ipv6hint]: (value) => hints(value, 16),
  [SVC_KEYS.ech]: encodeBase64,
}

const publicName = (key: number) => (key < SVC_KEYS.cap ? (NAME_OF.get(key) ?? `key${key}`) : `key${key}`)

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Bytes as characters; `quoted` writes the unprintable ones as numbers. */
const listItem = (item: Uint8Array) => String.fromCharCode(...item).replace(/[\\,]/g, '\\$&')

const hints = (value: Uint8Array, size: number) =>
  Array.from({ length: value.length / size }, (_, i) => readAddress(value.subarray(i * size, (i + 1) * size))).join(',')

/** Quotes a string: printable ASCII stays, quotes and backslashes are escaped, other bytes become numbers. */
export function quoteBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    if (byte < 0x20 || byte > 0x7e) text += `\\${String(byte).padStart(3, '0')}`
    else text += byte === 0x22 || byte === BACKSLASH ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte)
  }
  return `"${text}"`
}

function fail(why: string): never {
  throw new DnsError(SVCB_FORM, why)
}

// Records for people, similar to zone files (RFC 1035 section 5.1, RFC 4034, 6698, 9460).

type Write = (rdata: Uint8Array) => string

const withDot = (name: string) => (name === '.' ? name : `${name}.`)
const svcb: Write = (rdata) => svcbToText(readSvcb(rdata))
const target: Write = (rdata) => withDot(readTarget(rdata))

const RECORD_WRITERS: Readonly<Record<number, Write>> = {
  [TYPES.A]: readAddress,
  [TYPES.AAAA]: readAddress,
  [TYPES.NS]: target,
  [TYPES.CNAME]: target,
  [TYPES.DNAME]: target,
  [TYPES.PTR]: target,
  [TYPES.TXT]: (rdata) => readStrings(rdata).map(quoteBytes).join(' '),
  [TYPES.SVCB]: svcb,
  [TYPES.HTTPS]: svcb,
  [TYPES.SRV](rdata) {
    const { priority, weight, port, target } = readSrv(rdata)
    return `${priority} ${weight} ${port} ${withDot(target)}`
  },
  [TYPES.TLSA](rdata) {
    const { usage, selector, matchingType, data } = readTlsa(rdata)
    return `${usage} ${selector} ${matchingType} ${toHex(data)}`
  },
  [TYPES.DS](rdata) {
    const { keyTag, algorithm, digestType, digest } = readDs(rdata)
    return `${keyTag} ${algorithm} ${digestType} ${toHex(digest)}`
  },
  [TYPES.DNSKEY](rdata) {
    const { flags, protocol, algorithm, key } = readDnsKey(rdata)
    return `${flags} ${protocol} ${algorithm} ${encodeBase64(key)}`
  },
  [TYPES.RRSIG](rdata) {
    const { covers, algorithm, labels, ttl, expires, begins, keyTag, signer, signature } = readRrsig(rdata)
    const head = [typeName(covers), algorithm, labels, ttl, moment(expires), moment(begins), keyTag]
    return `${head.join(' ')} ${withDot(signer)} ${encodeBase64(signature)}`
  },
  [TYPES.NSEC](rdata) {
    const { next, types } = readNsec(rdata)
    return `${withDot(next)} ${[...types].map(typeName).join(' ')}`
  },
}

/** `20261123100000` (RFC 4034 section 3.2). */
const moment = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14)

/** Writes the data of a record; unknown types and malformed data in the form of RFC 3597 section 5. */
export function recordText({ type, rdata }: Pick<ResourceRecord, 'type' | 'rdata'>): string {
  try {
    return RECORD_WRITERS[type]?.(rdata) ?? unknown(rdata)
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return unknown(rdata)
  }
}

const unknown = (rdata: Uint8Array) => `\\# ${rdata.length} ${toHex(rdata)}`
