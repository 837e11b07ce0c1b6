// How far an agent can be trusted (ADP/1.1 section 8.1): each level is a separate statement, and the highest has a
// name.

import type { FindingKind } from '../../document/finding.ts'
import type { Steps } from '../../frame/steps.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import type { TlsVersion } from '../../net/fetch.ts'
import type { Lookup, LookupOptions, Quality } from '../dns/lookup.ts'
import { worstOf } from '../dns/service.ts'
import type { readAgentDomain } from './domain.ts'
import type { InvalidInvitation, InvitationClaims } from './invitation.ts'
import type { StepName } from './steps.ts'
import type { Transport } from './transport.ts'

export const LEVELS = ['dns-verified', 'dane-verified', 'key-verified', 'peer-verified'] as const

export type Level = (typeof LEVELS)[number]

/** The meaning of each level. */
export const LEVEL_MEANS: Readonly<Record<Level, string>> = {
  'dns-verified': 'the DNS of the domain names a key',
  'dane-verified': 'the certificate is the one that the DNS names',
  'key-verified': 'the key of the metadata is the one that the DNS names',
  'peer-verified': 'signed messages went both ways',
}

export interface ReachedLevel {
  readonly level: Level
  /** The quality of the DNS answers behind it: a matching key from unsigned answers may be anyone's. */
  readonly quality: Quality
}

/** A level, and the required quality of its DNS answers. */
export interface Requirement {
  readonly level: Level
  /** Refuses a level that rests on a resolver's word; by default any quality is accepted. */
  readonly dns?: 'checked'
}

/** What the caller wants to do next: connect, know the agent, or talk to it. */
export const NEEDS = ['address', 'metadata', 'peer'] as const

export type Need = (typeof NEEDS)[number]

/** True if a level was reached with the required quality of DNS answers. */
export const isReached = (levels: readonly ReachedLevel[], { level, dns }: Requirement): boolean =>
  levels.some((reached) => reached.level === level && (dns === undefined || reached.quality === dns))

/** Writes a requirement in the form of the command line: `key-verified:checked`. */
export const requirementText = ({ level, dns }: Requirement): string => (dns === undefined ? level : `${level}:${dns}`)

export function highestOf(levels: readonly ReachedLevel[]): Level | undefined {
  return LEVELS.findLast((level) => levels.some((reached) => reached.level === level))
}

// The state of one discovery: its request, its steps, and its conclusions.

export interface DiscoveryRequest extends PlatformOptions, Pick<LookupOptions, 'anchors'> {
  readonly domain: readAgentDomain.Result
  readonly need: Need
  readonly require: Requirement | undefined
  readonly leastTls: TlsVersion
  readonly loopback: boolean
  /** True to also fetch the descriptor. */
  readonly descriptor: boolean
  /** The invitation that replaces the DNS of the domain. */
  readonly invitation: InvitationClaims | InvalidInvitation | undefined
  readonly lot: number
  readonly now: Date
  /** True for a replay: the recorder could have written any unsigned answer. */
  readonly isReplay: boolean
}

/** The invitation of a discovery, if it is valid. */
export const invitedIn = ({ invitation }: DiscoveryRequest): InvitationClaims | undefined =>
  invitation === undefined || 'refused' in invitation ? undefined : invitation

/** The context that all parts of one discovery share. */
export interface DiscoveryContext {
  readonly asked: DiscoveryRequest
  readonly wire: Transport
  readonly lookup: Lookup
  readonly account: TrustReport
}

/** Steps, levels, and their conclusions in words. */
export class TrustReport {
  readonly steps: Steps<StepName>
  readonly levels: ReachedLevel[] = []
  readonly shows: string[] = []
  readonly doesNotShow: string[] = []
  /** True if the key of the metadata is the one in the invitation. */
  isKeyInvited = false

  constructor(steps: Steps<StepName>) {
    this.steps = steps
  }

  reach(level: Level, ...qualities: readonly Quality[]): void {
    this.levels.push({ level, quality: worstOf(qualities) })
  }

  has(level: Level): boolean {
    return isReached(this.levels, { level })
  }

  /** Adds a step with a finding that does not end the discovery. */
  warn(step: StepName, detail: string, rule: FindingKind): void {
    this.steps.warning(step, detail, { rule, pointer: '' })
  }
}

const WORDS: Readonly<Record<Quality, string>> = {
  checked: 'DNSSEC checked',
  resolver: 'the resolver says that it checked DNSSEC',
  'not shown': 'DNSSEC not shown',
}

/** The quality of an answer of the DNS, in words. */
export const words = ({ quality, why }: { readonly quality: Quality; readonly why: string | undefined }): string =>
  quality === 'not shown' && why !== undefined ? `${WORDS[quality]} (${why})` : WORDS[quality]
