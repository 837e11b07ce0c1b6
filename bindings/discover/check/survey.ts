// Fetches everything that a check needs, once. Unlike a discovery it continues after a fault: the check only compares,
// and trusts nobody.
import { parse } from '../../document/parse.ts'
import { check } from '../../frame/check.ts'
import { open } from '../../frame/open.ts'
import { type Connection, type FetchOptions, type FetchResult, fetchDocument } from '../../net/fetch.ts'
import { FETCH_FAILED, FETCH_TIMEOUT } from '../../net/findings.ts'
import { isDomain } from '../../text/host-name.ts'
import { checkedNow } from '../../text/moment.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { METADATA, METADATA_READING, type Metadata } from '../../wellknown/specification.ts'
import { DnsError } from '../dns/error.ts'
import { Lookup, type LookupResult, type Resolver } from '../dns/lookup.ts'
import type { Name } from '../dns/name.ts'
import { readAddress, readSrv, readStrings, readTlsa } from '../dns/rdata.ts'
import { readSvcb } from '../dns/svcb.ts'
import { TYPES } from '../dns/types.ts'
import { type DnsRecord, dnsRecords } from '../publish/records.ts'
import { type Discovery, type DiscoveryOptions, discover } from '../trust/discover.ts'
import { tlsaName } from '../trust/host.ts'
import { type AgentLocation, locate, srvName, txtName } from '../trust/locate.ts'
import { ownFingerprint } from '../trust/metadata.ts'

/** Options of `discover` that also apply to a check. */
export type CheckOptions = Pick<
  DiscoveryOptions,
  'resolver' | 'anchors' | 'fetch' | 'now' | 'subtle' | 'timeoutMs' | 'signal'
>

/** An answer of the DNS, or why it may not be believed. */
export interface JudgedAnswer {
  readonly found: LookupResult | undefined
  readonly fault: DnsError | undefined
}

/** Valid metadata, and the URL that it names. */
export interface PublishedMetadata {
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
  read(url: string, more?: FetchOptions): Promise<FetchResult | undefined>
  /** True if nobody answered, so that it is unknown whether the document exists. */
  isSilent(url: string): boolean
  addressesOf(host: Name): Promise<readonly string[]>
}

const BOUNDS = { maxBytes: 262_144, maxRedirects: 0, leastTls: 'TLSv1.2' } as const
const ACCEPT = 'application/vnd.adp+json, application/json;q=0.9, */*;q=0.1'
/** Per request: a silent server must not hide the other answers. */
const PATIENCE_MS = 8_000
const UNANSWERED: readonly string[] = [FETCH_FAILED.code, FETCH_TIMEOUT.code]

export async function survey(domain: Name, options: CheckOptions): Promise<Survey> {
  const { fetch, timeoutMs = PATIENCE_MS, signal } = options
  const now = checkedNow(options.now)
  const resolver = remembering(options.resolver)
  const own = { ...options, resolver, now }
  const discovery = await discover(domain, own)
  const lookup = new Lookup(own)
  const addressesOf = (host: Name) => addresses(lookup, host)
  const silent = new Set<string>()
  const read = async (url: string, more: FetchOptions = {}) => {
    const { hostname } = new URL(url)
    const known = isDomain(hostname) ? await addressesOf(hostname) : []
    if (known.length === 0) {
      silent.add(url)
      return undefined
    }
    const given = { ...(fetch !== undefined && { fetch }), ...(signal !== undefined && { signal }) }
    const outcome = await fetchDocument(url, ACCEPT, { ...BOUNDS, ...given, timeoutMs, addresses: known, ...more })
    if (!outcome.ok && UNANSWERED.includes(outcome.diagnostic.code)) silent.add(url)
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
  const hear = (name: Name, type: number) => heard(lookup, name, type)
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

async function heard(lookup: Lookup, name: Name, type: number): Promise<JudgedAnswer> {
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
