// Builds the DNS records of an agent from its metadata (ADP/1.1 sections 4 and 5). Refuses metadata that `discover`
// would not accept.
import { type Document, parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { check } from '../../frame/check.ts'
import { open } from '../../frame/open.ts'
import type { Source } from '../../frame/source.ts'
import { ruleDiagnostic } from '../../frame/subject.ts'
import { encodeBase64url } from '../../keys/base64.ts'
import { derOfCertificate, spkiOf } from '../../keys/certificate.ts'
import { toHex } from '../../text/bytes.ts'
import { isDomain } from '../../text/host-name.ts'
import { quoted as shown } from '../../text/words.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { METADATA } from '../../wellknown/specification.ts'
import { METADATA_READING, type Metadata } from '../../wellknown/subject.ts'
import { readAdpTxts } from '../dns/adp-txt.ts'
import { DNS_NAME, SVCB_WELL_KNOWN } from '../dns/findings.ts'
import { DnsError, type Name, nameToWire, ROOT, readName } from '../dns/name.ts'
import { DEFAULT_WELL_KNOWN, isPlainPath } from '../dns/service.ts'
import { SVC_KEYS } from '../dns/svcb.ts'
import { quoteBytes, svcbToText } from '../dns/zone-text.ts'
import { TRUST_WELL_KNOWN } from '../trust/findings.ts'
import { tlsaName } from '../trust/host.ts'
import { srvName, txtName } from '../trust/locate.ts'
import { ownFingerprint } from '../trust/metadata.ts'

export interface DnsRecord {
  readonly name: Name
  readonly ttl: number
  readonly type: 'SVCB' | 'TXT' | 'SRV' | 'TLSA'
  /** The data after the type, as in a zone file. */
  readonly data: string
}

export declare namespace dnsRecords {
  interface Result {
    /** Undefined if the metadata breaks a rule, or such records cannot lead to it. */
    readonly records: readonly DnsRecord[] | undefined
    readonly diagnostics: readonly Diagnostic[]
  }

  interface Options {
    /** The host that serves the agent; default that of its `wellKnown`. */
    readonly target?: string
    /** The certificate of that host in PEM or DER, or its chain in PEM; adds a TLSA record. */
    readonly certificate?: string | Uint8Array
    /** Default: h2 and http/1.1, with a2a before them if the metadata has a chat endpoint. */
    readonly alpn?: readonly string[]
    /** The URI of the capability descriptor. */
    readonly cap?: string
    /** The SHA-256 digest of that descriptor, 32 bytes. */
    readonly capSha256?: Uint8Array
    /** In seconds; default 3600. */
    readonly ttl?: number
    /** The name of the document in diagnostics. */
    readonly file?: string
  }
}

/** The parts of the metadata that the DNS repeats, and the place it points to. */
interface Agent {
  readonly domain: Name
  readonly fingerprint: string
  readonly wellKnown: URL
  /** The path after /.well-known/. */
  readonly path: string
  readonly target: Name
  readonly port: number
  readonly hasChat: boolean
}

const WELL_KNOWN = '/.well-known/'
const HTTPS_PORT = 443
/** The value in the examples of section 4.1. */
const DEFAULT_TTL = 3600
const LONGEST_TTL = 2 ** 31 - 1
const LONGEST_CAP = 2048
const SHA256_BYTES = 32
const MOST_IN_STRING = 255
/** The characters of RFC 3986 section 2: no quote, backslash, space or line end. */
const URI = /^[a-z][a-z\d+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i
const ALPN = /^[\x21-\x7e]{1,255}$/

const utf8 = new TextEncoder()

/**
 * Builds the records that publish an agent: SVCB at its domain, TXT at `_agent` and SRV at `_agent._tcp` for resolvers
 * without SVCB, and TLSA if a certificate is given.
 *
 * @example
 * dnsRecords(metadata).records?.map(({ name, type, data }) => `${name}. ${type} ${data}`)
 *
 * @throws {TypeError} or {RangeError} for wrong options, {KeyError} for an invalid certificate.
 */
export function dnsRecords(metadata: Source, options: dnsRecords.Options = {}): dnsRecords.Result {
  checkOptions(options)
  const tlsa = options.certificate === undefined ? undefined : tlsaData(options.certificate)
  const named = options.file === undefined ? {} : { file: options.file }
  // Nobody publishes metadata in YAML.
  const parsed = open(parse, metadata, { as: METADATA.kind, format: 'json', ...named })
  const { valid, diagnostics } = check(METADATA, parsed, METADATA.settings({ ruleset: 'spec' }))
  const { document } = parsed
  if (document === undefined || !valid) return { records: undefined, diagnostics }
  const agent = agentOf(METADATA_READING.subject(document), options)
  const fault = faultOf(agent, document, tlsa !== undefined)
  if (fault !== undefined) return { records: undefined, diagnostics: [...diagnostics, fault] }
  return { records: recordsOf(agent, options, tlsa), diagnostics }
}

function checkOptions({ target, alpn, cap, capSha256, ttl }: dnsRecords.Options): void {
  const fail = (why: string): never => {
    throw new RangeError(why)
  }
  if (target !== undefined && !isDomain(target)) fail('target: expected a host such as agents.example.com')
  if (alpn !== undefined && !(alpn.length > 0 && alpn.every((id) => ALPN.test(id))))
    fail('alpn: expected names of protocols such as h2')
  if (cap !== undefined && !(cap.length <= LONGEST_CAP && URI.test(cap)))
    fail(`cap: expected a URI of at most ${LONGEST_CAP} characters`)
  if (capSha256 !== undefined && capSha256.length !== SHA256_BYTES) fail(`capSha256: expected ${SHA256_BYTES} bytes`)
  if (capSha256 !== undefined && cap === undefined) fail('capSha256: expected cap too')
  if (ttl !== undefined && !(Number.isInteger(ttl) && ttl >= 0 && ttl <= LONGEST_TTL))
    fail(`ttl: expected whole seconds up to ${LONGEST_TTL}`)
}

function agentOf(metadata: Metadata, { target }: dnsRecords.Options): Agent {
  const endpoint = (wanted: string) => metadata.endpoints.find(({ name }) => name === wanted)
  const wellKnown = new URL(endpoint('wellKnown')!.value)
  return {
    domain: metadata.domain!.value.toLowerCase(),
    fingerprint: ownFingerprint(metadata),
    wellKnown,
    path: wellKnown.pathname.slice(WELL_KNOWN.length),
    target: target?.toLowerCase() ?? wellKnown.hostname,
    port: Number(wellKnown.port || HTTPS_PORT),
    hasChat: endpoint('chat') !== undefined,
  }
}

/** Why these records cannot lead to the agent, although its metadata is valid. */
function faultOf(agent: Agent, document: Document, hasTlsa: boolean): Diagnostic | undefined {
  const { domain } = agent
  const readings: readonly (readonly [pointer: string, read: () => unknown])[] = [
    ['/endpoints/wellKnown', () => checkPlace(agent)],
    ['/identity/domain', () => nameToWire(srvName(domain))],
    ['/identity/publicKey', () => readAdpTxts([txtStrings(agent)], txtName(domain))],
    ['/endpoints/wellKnown', () => hasTlsa && nameToWire(tlsaName(agent.target, agent.port))],
  ]
  for (const [pointer, read] of readings) {
    const error = refusalOf(read)
    if (error !== undefined) return ruleDiagnostic(document, error.kind, 'error', pointer, error.message)
  }
  return undefined
}

function refusalOf(read: () => unknown): DnsError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof DnsError) return error
    throw error
  }
}

/** @throws {DnsError} for a place that SVCB cannot point to, or whose metadata `discover` would refuse. */
function checkPlace({ wellKnown, path, domain, target }: Agent): void {
  const { href, host, hostname } = wellKnown
  if (!isDomain(hostname)) throw new DnsError(DNS_NAME, `${shown(hostname)} is not a host name`)
  // No user, query or fragment either: SVCB cannot express them.
  if (href !== `https://${host}${WELL_KNOWN}${path}` || !isPlainPath(path))
    throw new DnsError(SVCB_WELL_KNOWN, `expected plain segments after ${WELL_KNOWN}, found ${shown(href)}`)
  if (hostname !== domain && hostname !== target)
    throw new DnsError(TRUST_WELL_KNOWN, `expected a URL at ${domain} or at ${target}, found ${shown(href)}`)
}

function recordsOf(agent: Agent, options: dnsRecords.Options, tlsa: string | undefined): DnsRecord[] {
  const { domain, port, target } = agent
  const { ttl = DEFAULT_TTL } = options
  const strings = txtStrings(agent).map(quoteBytes).join(' ')
  const records: DnsRecord[] = [
    { name: domain, ttl, type: 'SVCB', data: svcbData(agent, options) },
    { name: txtName(domain), ttl, type: 'TXT', data: strings },
    { name: srvName(domain), ttl, type: 'SRV', data: `0 0 ${port} ${target}.` },
  ]
  return tlsa === undefined ? records : [...records, { name: tlsaName(target, port), ttl, type: 'TLSA', data: tlsa }]
}

function svcbData(agent: Agent, options: dnsRecords.Options): string {
  const { domain, target, port, path, hasChat } = agent
  const { alpn = [...(hasChat ? ['a2a'] : []), 'h2', 'http/1.1'], cap, capSha256 } = options
  const params = new Map([
    [SVC_KEYS.alpn as number, Uint8Array.from(alpn.flatMap((id) => [id.length, ...utf8.encode(id)]))],
    [SVC_KEYS.port, Uint8Array.of(port >> 8, port & 0xff)],
  ])
  const add = (key: number, text: string | undefined) => {
    if (text !== undefined) params.set(key, utf8.encode(text))
  }
  add(SVC_KEYS.cap, cap)
  add(SVC_KEYS['cap-sha256'], capSha256 && encodeBase64url(capSha256))
  // The protocol of section 7.2, which that endpoint speaks.
  add(SVC_KEYS.bap, hasChat ? 'a2a' : undefined)
  add(SVC_KEYS['well-known'], path === DEFAULT_WELL_KNOWN ? undefined : path)
  return svcbToText({ priority: 1, target: target === domain ? ROOT : target, params })
}

/** One record with several strings: every reader joins these in order, but records come in any order. */
function txtStrings({ fingerprint, wellKnown }: Agent): Uint8Array[] {
  const bytes = utf8.encode(`v=ADP1.1; pk=${fingerprint}; wk=${wellKnown.href}`)
  const count = Math.ceil(bytes.length / MOST_IN_STRING)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * MOST_IN_STRING, (i + 1) * MOST_IN_STRING))
}

// The TLSA record for a server's certificate: DANE-EE, SPKI, SHA2-256, as ADP/1.1 section 4.2 recommends.

/**
 * Writes the data of the record for a certificate in PEM or DER.
 *
 * @throws {KeyError} KEY-102 for an invalid certificate.
 */
const tlsaData = (certificate: string | Uint8Array): string =>
  `3 1 1 ${toHex(sha256(spkiOf(derOfCertificate(certificate))))}`

// Writes records in the formats of those who serve zones. Each format adds records; none removes or replaces existing
// ones.

/** A zone file, commands for nsupdate, and the request bodies of two DNS hosts. */
export const DNS_FORMATS = ['zone', 'nsupdate', 'cloudflare', 'route53'] as const
export declare namespace writeDnsRecords {
  interface Result {
    readonly text: string
    /** Records that the format cannot express. */
    readonly leftOut: readonly DnsRecord[]
  }

  type Format = (typeof DNS_FORMATS)[number]
}

/** A private-use key of SVCB, outside of values, which are quoted. */
const PRIVATE_KEY = / key\d+=/

/**
 * Writes records for the operator of the zone.
 *
 * @example
 * writeDnsRecords(dnsRecords(metadata).records ?? [], 'zone').text
 *
 * @throws {RangeError} for an invalid format, or a record with more than one line.
 */
export function writeDnsRecords(records: readonly DnsRecord[], format: writeDnsRecords.Format): writeDnsRecords.Result {
  if (!DNS_FORMATS.includes(format)) throw new RangeError(`format: expected one of ${DNS_FORMATS.join(', ')}`)
  records.forEach(checkRecord)
  const leftOut = format === 'route53' ? records.filter(hasPrivateKey) : []
  return { text: WRITERS[format](records.filter((record) => !leftOut.includes(record))), leftOut }
}

function checkRecord({ name, ttl, type, data }: DnsRecord): void {
  const isOne = readName(name) === name && Number.isInteger(ttl) && /^[A-Z]+$/.test(type)
  if (!isOne || !/^[\x20-\x7e]+$/.test(data))
    throw new RangeError(`records: ${JSON.stringify(name)} has more than one line`)
}

const hasPrivateKey = ({ type, data }: DnsRecord) =>
  type === 'SVCB' && PRIVATE_KEY.test(data.replace(/"(?:[^"\\]|\\.)*"/g, ''))

const lineOf = ({ name, ttl, type, data }: DnsRecord) => `${name}. ${ttl} IN ${type} ${data}\n`

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

const WRITERS: Readonly<Record<writeDnsRecords.Format, (records: readonly DnsRecord[]) => string>> = {
  zone: (records) => records.map(lineOf).join(''),
  // One request per record: a request is for one zone, and a hosted agent has records in two.
  nsupdate: (records) => records.map((record) => `update add ${lineOf(record)}send\n`).join(''),
  cloudflare: (records) => json({ posts: records.map(cloudflareRecord) }),
  route53: (records) => json({ Changes: records.map(route53Change) }),
}

function cloudflareRecord({ name, ttl, type, data }: DnsRecord): object {
  const record = { type, name, ttl }
  const [first, second, third, fourth] = data.split(' ')
  if (type === 'TXT') return { ...record, content: data }
  if (type === 'SVCB') {
    const value = data.split(' ').slice(2).join(' ')
    return { ...record, data: { priority: Number(first), target: second, value } }
  }
  const numbers = [Number(first), Number(second), Number(third)] as const
  if (type === 'SRV') {
    const [priority, weight, port] = numbers
    return { ...record, data: { priority, weight, port, target: fourth!.replace(/(.)\.$/, '$1') } }
  }
  const [usage, selector, matching_type] = numbers
  return { ...record, data: { usage, selector, matching_type, certificate: fourth } }
}

/** CREATE fails if the set exists. UPSERT would replace it, with the TXT records of others. */
const route53Change = ({ name, ttl, type, data }: DnsRecord) => ({
  Action: 'CREATE',
  ResourceRecordSet: { Name: `${name}.`, Type: type, TTL: ttl, ResourceRecords: [{ Value: data }] },
})
