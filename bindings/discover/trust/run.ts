// Runs one discovery from the domain to the levels of trust, the same for live and replayed ones.

import type { Document } from '../../document/parse.ts'
import type { Proof } from '../../frame/source.ts'
import type { Steps } from '../../frame/steps.ts'
import { agentUri } from '../../wellknown/identity.ts'
import { DNS_FALLBACK, TXT_JOINED } from '../dns/findings.ts'
import { Lookup, type Quality } from '../dns/lookup.ts'
import { type Question, TYPES } from '../dns/message.ts'
import { type Name, UNANSWERED } from '../dns/name.ts'
import { TRUST_LEVEL } from './findings.ts'
import { tlsaName, type Visit, visit } from './host.ts'
import {
  type DiscoveryContext,
  type DiscoveryRequest,
  invitedIn,
  isReached,
  type Level,
  type ReachedLevel,
  type Requirement,
  requirementText,
  TrustReport,
  words,
} from './levels.ts'
import { type AgentLocation, DiscoveryStopped, isOwn, locate, srvName, txtName } from './locate.ts'
import type { StepName } from './steps.ts'
import { digestText } from './trace.ts'
import type { Transport } from './transport.ts'

/** A found agent that passed all checks. */
export interface FoundAgent {
  /** `agent:alice.example.com`. */
  readonly uri: string
  readonly host: Name
  readonly port: number
  readonly addresses: readonly string[]
  /** The URL of its metadata. */
  readonly url: string
  /** The protocols in its SVCB record. */
  readonly alpn: readonly string[]
  readonly bap: string | undefined
  /** The URI of its capability descriptor. */
  readonly cap: string | undefined
  /** The digest of the descriptor in base64url: it changes with the descriptor, so a stored copy can be compared. */
  readonly capSha256: string | undefined
  /** The descriptor, if it was requested and passed all checks. */
  readonly descriptor: Uint8Array | undefined
  /** The fingerprint of its key, from the metadata or the DNS. */
  readonly fingerprint: string | undefined
  /** Undefined if only the address was needed. */
  readonly metadata: Document | undefined
}

/** The reasons for the level of trust of an agent. */
export interface DiscoveryProof extends Proof {
  /** Each with the quality of the DNS answers behind it. */
  readonly levels: readonly ReachedLevel[]
  readonly highest: Level | undefined
  /** In words, for people. */
  readonly shows: readonly string[]
  readonly doesNotShow: readonly string[]
}

export interface Outcome extends Pick<DiscoveryProof, 'levels' | 'shows' | 'doesNotShow'> {
  readonly agent: FoundAgent | undefined
}

/** Takes all steps, until one of them ends the discovery. */
export async function run(asked: DiscoveryRequest, wire: Transport, steps: Steps<StepName>): Promise<Outcome> {
  const { anchors, now, subtle } = asked
  const given = { ...(anchors !== undefined && { anchors }), ...(subtle !== undefined && { subtle }) }
  const lookup = new Lookup({ resolver: wire.resolver, now, ...given })
  const account = new TrustReport(steps)
  try {
    const agent = await agentOf({ asked, wire, lookup, account })
    const { levels, shows, doesNotShow } = account
    return { agent, levels, shows, doesNotShow }
  } catch (error) {
    if (!(error instanceof DiscoveryStopped)) throw error
    const outcome = UNANSWERED.includes(error.kind.code) ? 'unknown' : 'failed'
    steps[outcome](error.step, error.message, { rule: error.kind, pointer: error.pointer })
    return { agent: undefined, levels: [], shows: [], doesNotShow: [`an agent at ${asked.domain.ascii}`] }
  }
}

async function agentOf(task: DiscoveryContext): Promise<FoundAgent | undefined> {
  const { asked, account } = task
  const { ascii, unicode } = asked.domain
  account.steps.passed('domain', ascii === unicode ? ascii : `${ascii}, written ${unicode}`, { ascii, unicode })
  const first = await (asked.invitation === undefined ? locateByDns(task) : locateInvited(task))
  const { located, atHost, read } = await visit(task, first).catch((error) => visitNext(task, first, error))
  const { records } = located.txt.texts
  const named = records[0]?.fingerprint ?? invitedIn(asked)?.pubkey
  const fingerprint =
    read === undefined ? named : await (await import('./metadata.ts')).judgeMetadata(task, read, located)
  const descriptor = asked.descriptor
    ? await (await import('./descriptor.ts')).readDescriptor(task, located, atHost)
    : undefined
  sayWhatIsShown(task, located, fingerprint)
  if (!judgeLevel(task)) return undefined
  const { host, port, url, svcb } = located
  const { alpn = [], bap, cap, capSha256 } = svcb.service ?? {}
  return {
    uri: agentUri(ascii),
    host,
    port,
    addresses: atHost.addresses,
    url,
    alpn,
    bap,
    cap,
    capSha256: capSha256 && digestText(capSha256),
    descriptor,
    fingerprint,
    metadata: read?.document,
  }
}

/** Tries the next host; if the DNS names only one, its error ends the discovery. */
async function visitNext(task: DiscoveryContext, first: AgentLocation, error: unknown): Promise<Visit> {
  if (!first.isOneOfMany || !(error instanceof DiscoveryStopped)) throw error
  return (await import('./invited.ts')).visitNext(task, first, error)
}

/** Requests everything that may be needed, in two rounds; only then judges. */
async function locateByDns(task: DiscoveryContext): Promise<AgentLocation> {
  const { asked, lookup } = task
  const domain = asked.domain.ascii
  const draw = () => asked.lot
  const [svcb] = await Promise.all([
    lookup.peek({ name: domain, type: TYPES.SVCB }),
    lookup.peek({ name: txtName(domain), type: TYPES.TXT }),
    lookup.peek({ name: srvName(domain), type: TYPES.SRV }),
  ])
  // A failure here occurs again below, where it counts.
  const guess = await locate({ domain, find: (name, type) => lookup.foresee(name, type), draw }).catch(() => undefined)
  const hosts = guess === undefined ? [] : foreseeHost(lookup, guess, domain)
  const answered = Promise.all([lookup.prefetch(domain, svcb), ...hosts])
  // Verifies signatures while other answers are in transit.
  lookup.prejudge([
    { name: domain, type: TYPES.SVCB },
    { name: txtName(domain), type: TYPES.TXT },
    ...(guess === undefined ? [] : ofHost(guess)),
  ])
  await answered
  const located = await locate({ domain, find: (name, type) => lookup.find(name, type), draw })
  tellWhere(task, located)
  return located
}

/** Requests everything about the host at once, and nothing from the DNS of the domain. */
async function locateInvited(task: DiscoveryContext): Promise<AgentLocation> {
  const { locateByInvitation } = await import('./invited.ts')
  const located = locateByInvitation(task)
  const answered = Promise.all(foreseeHost(task.lookup, located, undefined))
  task.lookup.prejudge(ofHost(located))
  await answered
  return located
}

/** @param known the name whose keys were requested already. */
function foreseeHost(lookup: Lookup, { host, port }: AgentLocation, known: Name | undefined): Promise<unknown>[] {
  const asked = ofHost({ host, port }).map((question) => lookup.peek(question))
  return host === known ? asked : [...asked, lookup.prefetch(host)]
}

const ofHost = ({ host, port }: Pick<AgentLocation, 'host' | 'port'>): Question[] => [
  { name: host, type: TYPES.A },
  { name: host, type: TYPES.AAAA },
  { name: tlsaName(host, port), type: TYPES.TLSA },
]

function tellWhere(
  { asked, account }: DiscoveryContext,
  { svcb, txt, fallback, host, port, url }: AgentLocation,
): void {
  const { steps } = account
  const at = `${host} port ${port}`
  if (svcb.service === undefined) steps.skipped('svcb', `${svcb.name} has none; ${words(svcb)}`)
  else steps.passed('svcb', `${at}${via(svcb.aliases)}; ${words(svcb)}`, { quality: svcb.quality, host, port })
  const { records, joined } = txt.texts
  if (records.length === 0) steps.skipped('txt', `${txt.name} has no ADP record; ${words(txt)}`)
  else if (joined > 0) account.warn('txt', `joined from ${joined} records; ${words(txt)}`, TXT_JOINED)
  else steps.passed('txt', `${records.map(({ fingerprint }) => fingerprint).join(', ')}; ${words(txt)}`)
  if (fallback === undefined) return
  const { srv, record } = fallback
  if (srv === undefined) steps.skipped('srv', `${fallback.name} has none; ${words(fallback)}`)
  else if (isOwn(record.wellKnown, asked.domain.ascii)) steps.passed('srv', `${at}; ${words(fallback)}`)
  else steps.skipped('srv', `not followed, because the metadata is at another host; ${words(fallback)}`)
  account.warn('fallback', `found by TXT, at ${url}`, DNS_FALLBACK)
}

const via = (aliases: readonly Name[]) => (aliases.length === 0 ? '' : ` through ${aliases.join(', ')}`)

const SEEMS: Readonly<Record<Quality, readonly [before: string, after: string]>> = {
  checked: ['has its agent at', ', by signatures of the DNS'],
  resolver: ['has its agent at', ', as the resolver says'],
  'not shown': ['seems to have its agent at', ''],
}

function sayWhatIsShown(
  { asked, account }: DiscoveryContext,
  { host, port, quality, txt }: AgentLocation,
  key: string | undefined,
): void {
  const { shows, doesNotShow } = account
  if (asked.invitation === undefined) {
    const [before, after] = SEEMS[quality]
    shows.unshift(`${asked.domain.ascii} ${before} ${host} port ${port}${after}`)
  } else {
    shows.unshift(`the invitation says that ${asked.domain.ascii} has its agent at ${host} port ${port}`)
    doesNotShow.push('that the invitation is from the agent: it is as trustworthy as the channel that brought it')
  }
  if (account.has('dane-verified')) shows.push(`the certificate is the one that ${host} names in the DNS`)
  if (account.has('key-verified')) shows.push(`the key ${key} is the one that ${txt.name} names`)
  else if (account.isKeyInvited) shows.push(`the key matches the invitation: ${key}`)
  else doesNotShow.push('whose key it is')
  if (asked.invitation === undefined && quality === 'not shown')
    doesNotShow.push('that nobody changed the answers of the DNS in transit')
  doesNotShow.push('who answers at its endpoints: signed messages do')
}

/** Returns false where the agent must not be given: its level is required, and a trace does not show it. */
function judgeLevel({ asked, account }: DiscoveryContext): boolean {
  const { require, need, isReplay } = asked
  const { levels } = account
  const wanted: Requirement = require ?? { level: need === 'address' ? 'dns-verified' : 'key-verified' }
  const reached = levels.map(({ level, quality }) => `${level} (${quality})`).join(', ') || 'none'
  const isRecorded = isReplay && isReached(levels, wanted) && !isReached(levels, { ...wanted, dns: 'checked' })
  if (isReached(levels, wanted) && !isRecorded) {
    account.steps.passed('level', reached)
    return true
  }
  if (require !== undefined && !isRecorded)
    throw new DiscoveryStopped('level', TRUST_LEVEL, `expected ${requirementText(require)}, reached ${reached}`)
  const detail = isRecorded
    ? `${reached}: nobody signed these answers of the DNS, so the recorder could invent them`
    : reached
  account.steps.unknown('level', detail, { rule: { ...TRUST_LEVEL, severity: 'warning' }, pointer: '' })
  return require === undefined
}
