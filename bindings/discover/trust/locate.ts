// Finds where the DNS of a domain says that its agent is: by SVCB, or else by TXT and SRV (ADP/1.1 sections 4 and 5).
import type { FindingKind } from '../../document/finding.ts'
import { isDomain } from '../../text/host-name.ts'
import { type AdpTxt, type AdpTxts, readAdpTxts } from '../dns/adp-txt.ts'
import { DNS_ALIASES, DNS_NAME, DNS_NO_AGENT } from '../dns/findings.ts'
import { type LookupResult, MOST_ALIASES, type Quality } from '../dns/lookup.ts'
import { readSrv, readStrings, type Srv, TYPES } from '../dns/message.ts'
import { DnsError, type Name } from '../dns/name.ts'
import {
  aliasTarget,
  chooseSrv,
  chooseSvcb,
  type Draw,
  defaultService,
  type Service,
  serviceOf,
  worstOf,
} from '../dns/service.ts'
import { readSvcb } from '../dns/svcb.ts'
import type { StepName } from './steps.ts'

/** Ends a discovery without an agent. */
export class DiscoveryStopped extends Error {
  override readonly name = 'Ended'
  readonly step: StepName
  readonly kind: FindingKind
  readonly pointer: string

  constructor(step: StepName, kind: FindingKind, detail: string, pointer = '') {
    super(detail)
    this.step = step
    this.kind = kind
    this.pointer = pointer
  }
}

/** An answer of the DNS, and the name that decided it. */
export interface LocatedAnswer {
  readonly name: Name
  readonly quality: Quality
  readonly why: string | undefined
}

export interface AgentLocation {
  readonly svcb: LocatedAnswer & { readonly aliases: readonly Name[]; readonly service: Service | undefined }
  readonly txt: LocatedAnswer & { readonly texts: AdpTxts }
  /** Set if SVCB gave no answer. */
  readonly fallback: (LocatedAnswer & { readonly record: AdpTxt; readonly srv: Srv | undefined }) | undefined
  readonly host: Name
  readonly port: number
  /** The URL of the metadata. */
  readonly url: string
  /** The quality of all answers that led to host and port, absences included: hiding a record can redirect a client. */
  readonly quality: Quality
  /** True if the DNS has several records that name such a place. */
  readonly isOneOfMany: boolean
}

export type Find = (name: Name, type: number) => Promise<LookupResult>

export interface Locating {
  readonly domain: Name
  readonly find: Find
  readonly draw: Draw
}

export const txtName = (domain: Name): Name => `_agent.${domain}`
export const srvName = (domain: Name): Name => `_agent._tcp.${domain}`

/** @throws {DiscoveryStopped} if the DNS names no agent, or may not be believed. */
export async function locate(locating: Locating): Promise<AgentLocation> {
  const { domain } = locating
  const svcb = await within('svcb', followSvcb(locating))
  const txt = await within('txt', findTexts(locating))
  const { service } = svcb
  if (service !== undefined) {
    const { target, port } = service
    const url = new URL(`https://${hostOf('svcb', target)}:${port}/.well-known/${service.wellKnown}`).href
    return {
      svcb,
      txt,
      fallback: undefined,
      host: target,
      port,
      url,
      quality: svcb.quality,
      isOneOfMany: svcb.isOneOfMany,
    }
  }
  const [record] = txt.texts.records
  if (record === undefined) {
    throw new DiscoveryStopped(
      'txt',
      DNS_NO_AGENT,
      `neither ${domain} has an SVCB record nor ${txt.name} a TXT record of ADP`,
    )
  }
  const fallback = await within('srv', findSrv(locating, record))
  const url = fallbackUrl(record, domain, fallback.srv)
  const quality = worstOf([svcb.quality, txt.quality, fallback.quality])
  return {
    svcb,
    txt,
    fallback,
    host: url.hostname,
    port: Number(url.port || 443),
    url: url.href,
    quality,
    isOneOfMany: fallback.isOneOfMany,
  }
}

/** Waits for a result. A refusal by the DNS ends the step. */
export async function within<Result>(step: StepName, result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (error instanceof DnsError) throw new DiscoveryStopped(step, error.kind, error.message)
    throw error
  }
}

async function followSvcb({ domain, find, draw }: Locating) {
  const aliases: Name[] = []
  const answers: LookupResult[] = []
  for (let name = domain; ; ) {
    const found = await find(name, TYPES.SVCB)
    answers.push(found)
    for (const one of found.aliases) aliases.push(one)
    if (aliases.length > MOST_ALIASES) throw new DnsError(DNS_ALIASES, `${domain}: more than ${MOST_ALIASES} aliases`)
    const record =
      found.records.length === 0
        ? undefined
        : chooseSvcb(
            found.records.map(({ rdata }) => readSvcb(rdata)),
            found.name,
            draw,
          )
    if (record === undefined || record.priority > 0) {
      const absent = answers.length === 1 ? undefined : defaultService(name)
      const service = record === undefined ? absent : serviceOf(record, found.name)
      return { name: found.name, aliases, service, isOneOfMany: found.records.length > 1, ...together(answers) }
    }
    aliases.push(found.name)
    name = aliasTarget(record, found.name)
    if (aliases.includes(name)) throw new DnsError(DNS_ALIASES, `${domain}: its aliases lead back to ${name}`)
  }
}

const together = (answers: readonly LookupResult[]) => ({
  quality: worstOf(answers.map(({ quality }) => quality)),
  why: answers.find(({ why }) => why !== undefined)?.why,
})

async function findTexts({ domain, find }: Locating): Promise<AgentLocation['txt']> {
  const name = txtName(domain)
  const { records, quality, why } = await find(name, TYPES.TXT)
  return {
    name,
    quality,
    why,
    texts: readAdpTxts(
      records.map(({ rdata }) => readStrings(rdata)),
      name,
    ),
  }
}

async function findSrv({ domain, find, draw }: Locating, record: AdpTxt) {
  const name = srvName(domain)
  const { records, quality, why } = await find(name, TYPES.SRV)
  const srv =
    records.length === 0
      ? undefined
      : chooseSrv(
          records.map(({ rdata }) => readSrv(rdata)),
          name,
          draw,
        )
  const isOneOfMany = records.length > 1 && isOwn(record.wellKnown, domain)
  return { name, quality, why, record, srv, isOneOfMany }
}

/** The URL of the metadata. SRV and `port` apply to the agent's own domain; a URL at another host contains its port. */
function fallbackUrl({ wellKnown, port }: AdpTxt, domain: Name, srv: Srv | undefined): URL {
  const url = new URL(wellKnown)
  url.hash = ''
  if (!isOwn(wellKnown, domain)) return url
  if (srv !== undefined) {
    url.hostname = hostOf('srv', srv.target)
    url.port = String(srv.port)
  } else if (port !== undefined && url.port === '') url.port = String(port)
  return url
}

export const isOwn = ({ hostname }: URL, domain: Name): boolean => hostname === domain

/** Refuses a name that is not a host in URLs: `xn--a` is a label, but no URL parser accepts it. */
function hostOf(step: StepName, name: Name): Name {
  const isHost = isDomain(name) && URL.canParse(`https://${name}/`) && new URL(`https://${name}/`).hostname === name
  if (isHost) return name
  throw new DiscoveryStopped(step, DNS_NAME, `${JSON.stringify(name)} is not a valid host name`)
}
