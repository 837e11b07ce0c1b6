// Fetches everything that a check needs, once. Unlike a discovery it continues after a fault: the check only compares,
// and trusts nobody.
import type { FindingKind } from '../../document/finding.ts'
import { parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { check } from '../../frame/check.ts'
import { open } from '../../frame/open.ts'
import { type Connection, type FetchResult, fetchDocument } from '../../net/fetch.ts'
import { FETCH_FAILED, FETCH_TIMEOUT } from '../../net/findings.ts'
import { toHex } from '../../text/bytes.ts'
import { isDomain } from '../../text/host-name.ts'
import { checkedNow } from '../../text/moment.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { METADATA } from '../../wellknown/specification.ts'
import { METADATA_READING, type Metadata } from '../../wellknown/subject.ts'
import { readAdpTxts } from '../dns/adp-txt.ts'
import { TXT_FORM } from '../dns/findings.ts'
import { Lookup, type LookupResult, type Resolver } from '../dns/lookup.ts'
import { type ResourceRecord, readAddress, readSrv, readStrings, readTlsa, TYPES } from '../dns/message.ts'
import { DnsError, type Name, ROOT, UNANSWERED } from '../dns/name.ts'
import { readSvcb } from '../dns/svcb.ts'
import { quoteBytes, svcbToText } from '../dns/zone-text.ts'
import { type DnsRecord, dnsRecords } from '../publish/records.ts'
import { type Discovery, discover } from '../trust/discover.ts'
import { TRUST_FINGERPRINT, TRUST_NO_FINGERPRINT } from '../trust/findings.ts'
import { tlsaName } from '../trust/host.ts'
import { type AgentLocation, locate, srvName, txtName } from '../trust/locate.ts'
import { ownFingerprint } from '../trust/metadata.ts'
import { CHECK_DISAGREES, CHECK_LEFT_OVER, CHECK_MISSING } from './findings.ts'

/** Options of `discover` that also apply to a check. */
export type CheckOptions = Pick<
  discover.Options,
  'resolver' | 'anchors' | 'fetch' | 'now' | 'subtle' | 'timeoutMs' | 'signal'
>

/** An answer of the DNS, or why it may not be believed. */
interface JudgedAnswer {
  readonly found: LookupResult | undefined
  readonly fault: DnsError | undefined
}

/** Valid metadata, and the URL that it names. */
interface PublishedMetadata {
  readonly metadata: Metadata
  readonly fingerprint: string
  readonly wellKnown: URL
}

export interface Survey {
  readonly domain: Name
  readonly options: CheckOptions
  readonly now: Date
  readonly discovery: Discovery
  readonly svcb: JudgedAnswer
  readonly txt: JudgedAnswer
  readonly srv: JudgedAnswer
  readonly tlsa: JudgedAnswer
  /** The host in the records, before anything is verified. */
  readonly located: AgentLocation | undefined
  readonly host: Name
  readonly port: number
  /** Undefined if the metadata is missing or invalid; the discovery says why. */
  readonly published: PublishedMetadata | undefined
  readonly connection: Connection | undefined
  /** The digest of the descriptor at `cap`, as it is served now. */
  readonly capSha256: Uint8Array | undefined
  /** The records that fit the metadata and the certificate. */
  readonly expected: readonly DnsRecord[]
  read(url: string, more?: fetchDocument.Options): Promise<FetchResult | undefined>
  /** True if nobody answered, so that it is unknown whether the document exists. */
  isSilent(url: string): boolean
  addressesOf(host: Name): Promise<readonly string[]>
}

const BOUNDS = { maxBytes: 262_144, maxRedirects: 0, leastTls: 'TLSv1.2' } as const
const ACCEPT = 'application/vnd.adp+json, application/json;q=0.9, */*;q=0.1'
/** Per request: a silent server must not hide the other answers. */
const PATIENCE_MS = 8_000
const FETCH_FAILURES: readonly string[] = [FETCH_FAILED.code, FETCH_TIMEOUT.code]

export async function survey(domain: Name, options: CheckOptions): Promise<Survey> {
  const { fetch, timeoutMs = PATIENCE_MS, signal } = options
  const now = checkedNow(options.now)
  const resolver = remembering(options.resolver)
  const own = { ...options, resolver, now }
  const discovery = await discover(domain, own)
  const lookup = new Lookup(own)
  const addressesOf = (host: Name) => addresses(lookup, host)
  const silent = new Set<string>()
  const read = async (url: string, more: fetchDocument.Options = {}) => {
    const { hostname } = new URL(url)
    const known = isDomain(hostname) ? await addressesOf(hostname) : []
    if (known.length === 0) {
      silent.add(url)
      return undefined
    }
    const given = { ...(fetch !== undefined && { fetch }), ...(signal !== undefined && { signal }) }
    const outcome = await fetchDocument(url, ACCEPT, { ...BOUNDS, ...given, timeoutMs, addresses: known, ...more })
    if (!outcome.ok && FETCH_FAILURES.includes(outcome.diagnostic.code)) silent.add(url)
    return outcome.ok ? outcome.fetched : undefined
  }
  const located = await locate({
    domain,
    find: (name, type) => lookup.foresee(name, type),
    draw: () => 0,
  }).catch(() => undefined)
  const { host, port, url } = located ?? { host: domain, port: 443, url: `https://${domain}/.well-known/agent.json` }
  let connection: Connection | undefined
  const checkConnection = (made: Connection) => {
    connection = made
    return undefined
  }
  const fetched = await read(url, { checkConnection })
  const published = fetched && publishedIn(fetched.bytes)
  const { cap = '' } = located?.svcb.service ?? {}
  const descriptor = /^https:/i.test(cap) && URL.canParse(cap) ? await read(cap) : undefined
  const capSha256 = descriptor && sha256(descriptor.bytes)
  const hear = (name: Name, type: number) => lookUp(lookup, name, type)
  return {
    domain,
    options: own,
    now,
    discovery,
    svcb: await hear(domain, TYPES.SVCB),
    txt: await hear(txtName(domain), TYPES.TXT),
    srv: await hear(srvName(domain), TYPES.SRV),
    tlsa: await hear(tlsaName(host, port), TYPES.TLSA),
    located,
    host,
    port,
    published,
    connection,
    capSha256,
    expected: published === undefined ? [] : expectedOf(published, host, connection, { cap, capSha256 }),
    read,
    isSilent: (url) => silent.has(url),
    addressesOf,
  }
}

/** Remembers answers, so that both rounds and the discovery see the same ones. */
function remembering(resolver: Resolver): Resolver {
  const known = new Map<string, Promise<Uint8Array>>()
  const ask = (question: Uint8Array<ArrayBuffer>, signal?: AbortSignal) => {
    const key = question.join()
    const answer = known.get(key) ?? resolver(question, signal)
    known.set(key, answer)
    return answer
  }
  return Object.assign(ask, { isPrivate: resolver.isPrivate })
}

/** Reads each record once, so that the rest can rely on it. */
const READERS: Readonly<Record<number, (rdata: Uint8Array) => unknown>> = {
  [TYPES.SVCB]: readSvcb,
  [TYPES.TXT]: readStrings,
  [TYPES.SRV]: readSrv,
  [TYPES.TLSA]: readTlsa,
}

async function lookUp(lookup: Lookup, name: Name, type: number): Promise<JudgedAnswer> {
  try {
    const found = await lookup.find(name, type)
    for (const { rdata } of found.records) READERS[type]!(rdata)
    return { found, fault: undefined }
  } catch (fault) {
    if (!(fault instanceof DnsError)) throw fault
    return { found: undefined, fault }
  }
}

async function addresses(lookup: Lookup, host: Name): Promise<readonly string[]> {
  const all = await Promise.all(
    [TYPES.A, TYPES.AAAA].map(async (type) => {
      const { records } = await lookup.foresee(host, type)
      return records.map(({ rdata }) => readAddress(rdata))
    }),
  ).catch(() => [])
  return all.flat()
}

function publishedIn(bytes: Uint8Array): PublishedMetadata | undefined {
  const parsed = open(parse, bytes, { as: METADATA.kind, format: 'json' })
  const { valid } = check(METADATA, parsed, METADATA.settings({ ruleset: 'spec' }))
  if (parsed.document === undefined || !valid) return undefined
  const metadata = METADATA_READING.subject(parsed.document)
  const { value } = metadata.endpoints.find(({ name }) => name === 'wellKnown')!
  return { metadata, fingerprint: ownFingerprint(metadata), wellKnown: new URL(value) }
}

/** Builds the expected records, with the present `cap` and the digest of its current document. */
function expectedOf(
  { metadata }: PublishedMetadata,
  target: Name,
  connection: Connection | undefined,
  { cap, capSha256 }: { readonly cap: string; readonly capSha256: Uint8Array | undefined },
): readonly DnsRecord[] {
  const [certificate] = connection?.certificates ?? []
  const { records = [] } = dnsRecords(metadata.document, {
    target,
    ...(certificate !== undefined && { certificate }),
    // The URI was fetched, so it is valid.
    ...(capSha256 !== undefined && { cap: new URL(cap).href, capSha256 }),
  })
  return records
}

/**
 * `valid`: present, and consistent with the rest. `absent`: missing. `stale`: it was right once. `wrong`: unusable or
 * inconsistent. `unknown`: it could not be checked.
 */
type ThingState = 'valid' | 'absent' | 'stale' | 'wrong' | 'unknown'

/** What the owner can do about a thing that is not valid. */
export interface Mending {
  /** What to find out before changing any record. */
  readonly caution?: string
  /** The records that fix it. */
  readonly add?: readonly DnsRecord[]
  /** Records to remove. */
  readonly remove?: readonly DnsRecord[]
  /** What else to do, in words. */
  readonly hint?: string
}

/** The judgement of one thing; with a kind it has a finding, unless it has that of the discovery. */
export interface Judgement extends Mending {
  readonly state: ThingState
  /** What was found, in one line. */
  readonly detail: string
  readonly kind?: FindingKind | undefined
  readonly diagnostic?: Diagnostic | undefined
}

type Judge = (detail: string, more?: Mending & Pick<Judgement, 'kind'>) => Judgement

const judgeAs =
  (state: ThingState): Judge =>
  (detail, more) => ({ state, detail, ...more })

export const [valid, absent, stale, wrong, unknown] = (['valid', 'absent', 'stale', 'wrong', 'unknown'] as const).map(
  judgeAs,
) as [Judge, Judge, Judge, Judge, Judge]

/**
 * The caution for a record that differs from the served document: an attacker wants the owner to publish the attacker's
 * values.
 *
 * @param compare how the owner finds the right value.
 */
export const oldOrAttack = (compare: string): string =>
  `either the record is old, or an attacker answers instead of the agent; both look the same from here. Compare on the server itself: ${compare}. Replace the record only if it is old`

// Compares the records of ADP with the published metadata.

/** Codes of DNSSEC, which has its own line. */
const OF_SIGNATURES = /^DNS-11\d$/

export const isOfSignatures = ({ kind }: DnsError): boolean => OF_SIGNATURES.test(kind.code)

/** Writes a record as in a zone file. */
export function writeRecord(type: DnsRecord['type'], { name, ttl, rdata }: ResourceRecord): DnsRecord {
  return { name, ttl, type, data: WRITERS[type](rdata) }
}

const WRITERS: Readonly<Record<DnsRecord['type'], (rdata: Uint8Array) => string>> = {
  SVCB: (rdata) => svcbToText(readSvcb(rdata)),
  TXT: (rdata) => readStrings(rdata).map(quoteBytes).join(' '),
  SRV: (rdata) => {
    const { priority, weight, port, target } = readSrv(rdata)
    return `${priority} ${weight} ${port} ${target === ROOT ? ROOT : `${target}.`}`
  },
  TLSA: (rdata) => {
    const { usage, selector, matchingType, data } = readTlsa(rdata)
    return `${usage} ${selector} ${matchingType} ${toHex(data)}`
  },
}

const writeAll = (type: DnsRecord['type'], records: readonly ResourceRecord[]): readonly DnsRecord[] =>
  records.map((record) => writeRecord(type, record))

function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

export const expectedIn = ({ expected }: Survey, type: DnsRecord['type']): readonly DnsRecord[] =>
  expected.filter((record) => record.type === type)

/**
 * The line for an answer that may not be used. DNSSEC faults have their own line, so that each fault is one finding.
 */
export function judgeFault({ fault }: JudgedAnswer): Judgement | undefined {
  if (fault === undefined) return undefined
  if (isOfSignatures(fault)) return unknown('not believed: see DNSSEC')
  return (UNANSWERED.includes(fault.kind.code) ? unknown : wrong)(fault.message, { kind: fault.kind })
}

export function judgeSvcb(survey: Survey): Judgement {
  const { domain, svcb, located, published } = survey
  const fault = judgeFault(svcb)
  if (fault !== undefined) return fault
  const { records } = svcb.found!
  const add = expectedIn(survey, 'SVCB')
  if (records.length === 0) return absent(`${domain} has none`, { kind: published && CHECK_MISSING, add })
  const service = located?.svcb.service
  if (service === undefined) return judgedByDiscovery(survey, 'svcb')
  const says = `https://${service.target}:${service.port}/.well-known/${service.wellKnown}`
  if (published === undefined) return unknown(`${says}: no metadata to compare it with`)
  if (isSamePlace(survey, new URL(says))) return valid(says)
  const detail = `it leads to ${says}, the metadata says ${published.wellKnown.href}`
  const remove = svcb.found!.aliases.length > 0 ? [] : writeAll('SVCB', records)
  return wrong(detail, { kind: CHECK_DISAGREES, remove, add })
}

/** True for hosted metadata: it names the agent's own domain, but is at another host. */
function isSamePlace({ domain, published }: Survey, place: URL): boolean {
  const { wellKnown } = published!
  return place.href === wellKnown.href || (wellKnown.hostname === domain && place.hostname !== domain)
}

/** The line for something that only the discovery could judge, with its finding. */
function judgedByDiscovery({ discovery }: Survey, name: string): Judgement {
  const step = discovery.proof.steps.findLast((one) => one.name === name)
  const judgement = (step?.outcome === 'failed' ? wrong : unknown)(step?.detail ?? 'not reached')
  return { ...judgement, diagnostic: step?.diagnostic }
}

export function judgeTxt(survey: Survey): Judgement {
  const { txt, published } = survey
  const fault = judgeFault(txt)
  if (fault !== undefined) return fault
  const { name, records } = txt.found!
  const add = expectedIn(survey, 'TXT')
  const own = records.flatMap((record) => {
    const read = attempt(() => readAdpTxts([readStrings(record.rdata)], name).records)
    return read === undefined || read.length > 0 ? [{ record, read: read?.[0] }] : []
  })
  const old = own.map(({ record }) => writeRecord('TXT', record))
  if (own.length === 0) return absent(`${name} has no ADP record`, { kind: published && TRUST_NO_FINGERPRINT, add })
  const broken = own.findIndex(({ read }) => read === undefined)
  if (broken >= 0) {
    const detail = `${name} has an unreadable ADP record`
    return wrong(detail, { kind: TXT_FORM, remove: [old[broken]!], add })
  }
  if (published === undefined) return unknown(`${name}: no metadata to compare it with`)
  const { fingerprint, wellKnown } = published
  const isOwn = own.map(({ read }) => read!.fingerprint === fingerprint)
  if (!isOwn.includes(true)) {
    const detail = `it names ${own.map(({ read }) => read!.fingerprint).join(' and ')}, the metadata has ${fingerprint}`
    const caution = oldOrAttack('blazon dns records agent.json writes the right one')
    return wrong(detail, { kind: TRUST_FINGERPRINT, caution, remove: old, add })
  }
  const other = own.findIndex(({ read }, i) => isOwn[i] && read!.wellKnown.href !== wellKnown.href)
  if (other >= 0) {
    const detail = `it says ${own[other]!.read!.wellKnown.href}, the metadata ${wellKnown.href}`
    return wrong(detail, { kind: CHECK_DISAGREES, remove: [old[other]!], add })
  }
  const remove = old.filter((_, i) => !isOwn[i])
  if (remove.length === 0) return valid(fingerprint)
  const detail = `${remove.length} in addition to that of the current key, ${fingerprint}: remove them unless the key is being replaced`
  return stale(detail, { kind: CHECK_LEFT_OVER, remove })
}

export function judgeSrv(survey: Survey): Judgement {
  const { srv, located, published, host, port } = survey
  const fault = judgeFault(srv)
  if (fault !== undefined) return fault
  const { name, records } = srv.found!
  const add = expectedIn(survey, 'SRV')
  if (records.length === 0) return absent(`${name} has none`, { add })
  const read = records.map(({ rdata }) => readSrv(rdata))
  const old = writeAll('SRV', records)
  const says = read.map((row) => `${row.target} port ${row.port}`).join(', ')
  if (located?.svcb.service === undefined || published === undefined) return valid(says)
  const isSame = read.some((row) => row.target === host && row.port === port)
  if (isSame) return valid(says)
  const detail = `it says ${says}, the SVCB record ${host} port ${port}`
  return wrong(detail, { kind: CHECK_DISAGREES, remove: old, add })
}
