import type { DisclosureRule } from '../card/disclosure.ts'
import type { AnsResolver } from '../card/identity.ts'
import { type AgentCard, MOST_OCTETS } from '../card/subject.ts'
import type { Factors } from '../core/index.ts'
import type { KeyResolver } from '../frame/source.ts'
import type { PlatformOptions } from '../keys/platform.ts'
import { type Grouping, groupingOf } from './grouping.ts'
import { type ColdStart, coldStartOf, fieldsOf, type Ranking, type TextFields, weightsOf, within } from './ranking.ts'
import type { CardStore, Standing } from './stored.ts'
import type { AgentSignals, Offer, Refusal, SignalSource } from './types.ts'

export interface DirectoryLimits {
  /** Maximum bytes of a card. Default 65,535, which is also the upper limit. */
  readonly cardBytes: number
  /** Maximum bytes of a response body, as JSON. Default 65,535. */
  readonly answerBytes: number
  /** Maximum number of cards in the store. Default 1,000,000. */
  readonly cards: number
  /** Maximum bytes of the store, as it counts them itself. Default: no limit. */
  readonly bytes: number
  /** Maximum number of cards that one key may sign. Default: no limit. */
  readonly cardsPerSigner: number
  /**
   * Maximum seconds that a card is served after it arrived, even if its own ttl is longer. Default 2,592,000 (30 days).
   */
  readonly ttl: number
  /** Cards that one known sender may advertise per minute. Default 600. The operator has no such limit. */
  readonly advertisesPerMinute: number
  /** How many other cards with the same seq are kept in addition to the first. Default 4; one is enough as proof. */
  readonly equivocations: number
}

export interface DirectoryOptions extends PlatformOptions {
  readonly store: CardStore
  /** Returns the current time. Default: the platform's clock. */
  readonly clock?: () => Date
  /** From 0 to 1 each. Default: those of table 11. */
  readonly weights?: Partial<Factors>
  /** How often each member counts as text. Default: the description once, and the labels of skills twice. */
  readonly fields?: Partial<TextFields>
  readonly coldStart?: Partial<ColdStart>
  readonly signals?: SignalSource
  /** The known keys of agents. Cards of these agents must be signed with them. */
  readonly keys?: KeyResolver
  /** A resolver of the Agent Name System. */
  readonly ans?: AnsResolver
  /** Lets an authenticated sender advertise its own card without a signature. Default false. */
  readonly trustSource?: boolean
  /**
   * Accepts cards whose origin is not proved, for example from your own folder. Default false. An invalid signature is
   * always refused.
   */
  readonly acceptUnverified?: boolean
  /** Lets an unsigned card with a higher `seq` replace a signed one. Default false. */
  readonly allowUnsigned?: boolean
  /** Decides which acceptable cards the directory wants. Default: all of them. */
  readonly policy?: (card: AgentCard, standing: Standing, offer: Offer) => boolean | Refusal
  /** Which callers may see which parts of cards (sections 7.2 and 7.5). Default: anyone sees everything. */
  readonly disclosure?: readonly DisclosureRule[]
  /** The ttl in seconds of cards without `metadata.ttl`. Default 3600. */
  readonly defaultTtl?: number
  readonly limits?: Partial<DirectoryLimits>
  /** Groups cards with the same text or source in responses. Default: no grouping. */
  readonly grouping?: Partial<Grouping>
  /** The directory's own card, as JSON. Sign it, so that callers can verify it. */
  readonly own?: Uint8Array | string
}

type Optional = 'keys' | 'ans' | 'subtle' | 'disclosure'
type Read = 'weights' | 'fields' | 'coldStart' | 'limits' | 'own' | 'grouping'

export type Settings = Required<Omit<DirectoryOptions, Read | Optional>> &
  Pick<DirectoryOptions, Optional> &
  Ranking & {
    readonly limits: DirectoryLimits
    readonly grouping: Grouping | undefined
  }

/** The default limits. */
export const DEFAULT_LIMITS: DirectoryLimits = {
  cardBytes: MOST_OCTETS,
  answerBytes: MOST_OCTETS,
  cards: 1_000_000,
  bytes: Number.MAX_SAFE_INTEGER,
  cardsPerSigner: Number.MAX_SAFE_INTEGER,
  ttl: 30 * 86_400,
  advertisesPerMinute: 600,
  equivocations: 4,
}
const HOUR = 3600

/** Fills in defaults. Throws for invalid options. */
export function settingsOf(options: DirectoryOptions): Settings {
  const { store, weights, fields, coldStart, limits, defaultTtl = HOUR, grouping, ...others } = options
  if (typeof store?.get !== 'function') throw new TypeError(`store: expected a CardStore, got ${typeof store}`)
  const settings: Settings = {
    clock: () => new Date(),
    signals: { signals: () => undefined },
    trustSource: false,
    acceptUnverified: false,
    allowUnsigned: false,
    policy: () => true,
    ...others,
    store,
    weights: weightsOf(weights),
    fields: fieldsOf(fields),
    coldStart: coldStartOf(coldStart),
    defaultTtl: within('defaultTtl', defaultTtl, Number.MAX_SAFE_INTEGER),
    limits: { ...DEFAULT_LIMITS, ...limits },
    grouping: grouping && groupingOf(grouping),
  }
  for (const [name, limit] of Object.entries(settings.limits)) within(`limits.${name}`, limit, Number.MAX_SAFE_INTEGER)
  within('limits.cardBytes', settings.limits.cardBytes, MOST_OCTETS)
  return settings
}

/** Throws for an invalid signal. */
export function checkSignals(signals: AgentSignals): void {
  const { reputation = 0, rating = 0, completedTasks = 0, activeTasks = 0, online = false } = signals
  within('reputation', reputation, 1)
  within('rating', rating, 1)
  within('completedTasks', completedTasks, Number.MAX_SAFE_INTEGER)
  within('activeTasks', activeTasks, Number.MAX_SAFE_INTEGER)
  if (typeof online !== 'boolean') throw new TypeError(`online: expected a boolean, got ${typeof online}`)
}
