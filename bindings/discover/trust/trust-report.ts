// The state of one discovery: its request, its steps, and its conclusions.
import type { FindingKind } from '../../document/finding.ts'
import type { Steps } from '../../frame/steps.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import type { TlsVersion } from '../../net/fetch.ts'
import { worstOf } from '../dns/index-names.ts'
import type { Lookup, LookupOptions, Quality } from '../dns/lookup.ts'
import type { AgentDomain } from './domain.ts'
import type { InvalidInvitation, InvitationClaims } from './invitation.ts'
import { isReached, type Level, type Need, type ReachedLevel, type Requirement } from './levels.ts'
import type { StepName } from './steps.ts'
import type { Transport } from './transport.ts'

export interface DiscoveryRequest extends PlatformOptions, Pick<LookupOptions, 'anchors'> {
  readonly domain: AgentDomain
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
