// Records for people, similar to zone files (RFC 1035 section 5.1, RFC 4034, 6698, 9460).
import { encodeBase64 } from '../../keys/base64.ts'
import { toHex } from '../../text/bytes.ts'
import { readDnsKey, readDs, readNsec } from './dnssec/rdata.ts'
import { DnsError } from './error.ts'
import type { ResourceRecord } from './message.ts'
import { readAddress, readRrsig, readSrv, readStrings, readTarget, readTlsa } from './rdata.ts'
import { readSvcb } from './svcb.ts'
import { TYPES, typeName } from './types.ts'
import { quoted, svcbToText } from './zone-text.ts'

type Write = (rdata: Uint8Array) => string

const dotted = (name: string) => (name === '.' ? name : `${name}.`)
const svcb: Write = (rdata) => svcbToText(readSvcb(rdata))
const target: Write = (rdata) => dotted(readTarget(rdata))

const WRITERS: Readonly<Record<number, Write>> = {
  [TYPES.A]: readAddress,
  [TYPES.AAAA]: readAddress,
  [TYPES.NS]: target,
  [TYPES.CNAME]: target,
  [TYPES.DNAME]: target,
  [TYPES.PTR]: target,
  [TYPES.TXT]: (rdata) => readStrings(rdata).map(quoted).join(' '),
  [TYPES.SVCB]: svcb,
  [TYPES.HTTPS]: svcb,
  [TYPES.SRV](rdata) {
    const { priority, weight, port, target } = readSrv(rdata)
    return `${priority} ${weight} ${port} ${dotted(target)}`
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
    return `${head.join(' ')} ${dotted(signer)} ${encodeBase64(signature)}`
  },
  [TYPES.NSEC](rdata) {
    const { next, types } = readNsec(rdata)
    return `${dotted(next)} ${[...types].map(typeName).join(' ')}`
  },
}

/** `20261123100000` (RFC 4034 section 3.2). */
const moment = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14)

/** Writes the data of a record; unknown types and malformed data in the form of RFC 3597 section 5. */
export function recordText({ type, rdata }: Pick<ResourceRecord, 'type' | 'rdata'>): string {
  try {
    return WRITERS[type]?.(rdata) ?? unknown(rdata)
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return unknown(rdata)
  }
}

const unknown = (rdata: Uint8Array) => `\\# ${rdata.length} ${toHex(rdata)}`
