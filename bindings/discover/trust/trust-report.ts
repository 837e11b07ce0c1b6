// What one discovery has found out so far.
import type { FindingKind } from '../../document/finding.ts'
import type { Steps } from '../../frame/steps.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import type { TlsVersion } from '../../net/connection.ts'
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
  /** The descriptor is wanted, too. */
  readonly descriptor: boolean
  /** What stands in for the DNS of the domain. */
  readonly invitation: InvitationClaims | InvalidInvitation | undefined
  readonly lot: number
  readonly now: Date
  /** It is judged by a trace: its recorder could write any answer that nobody signed. */
  readonly isReplay: boolean
}

/** The invitation of a discovery, if it was made by one. */
export const invitedIn = ({ invitation }: DiscoveryRequest): InvitationClaims | undefined =>
  invitation === undefined || 'refused' in invitation ? undefined : invitation

/** What all parts of one discovery work with. */
export interface DiscoveryContext {
  readonly asked: DiscoveryRequest
  readonly wire: Transport
  readonly lookup: Lookup
  readonly account: TrustReport
}

/** Steps, levels, and what they show in words. */
export class TrustReport {
  readonly steps: Steps<StepName>
  readonly levels: ReachedLevel[] = []
  readonly shows: string[] = []
  readonly doesNotShow: string[] = []
  /** The key of the metadata is the one that an invitation names. */
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

  /** A step with a finding that ends nothing. */
  warn(step: StepName, detail: string, rule: FindingKind): void {
    this.steps.warning(step, detail, { rule, pointer: '' })
  }
}

const WORDS: Readonly<Record<Quality, string>> = {
  checked: 'DNSSEC checked',
  resolver: 'the resolver says that it checked DNSSEC',
  'not shown': 'DNSSEC not shown',
}

/** How good an answer of the DNS was. */
export const words = ({ quality, why }: { readonly quality: Quality; readonly why: string | undefined }): string =>
  quality === 'not shown' && why !== undefined ? `${WORDS[quality]} (${why})` : WORDS[quality]
