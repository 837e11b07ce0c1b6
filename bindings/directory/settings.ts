import type { DisclosureRule } from '../card/disclosure.ts'
import type { AnsResolver } from '../card/identity.ts'
import { MOST_OCTETS } from '../card/size.ts'
import type { AgentCard } from '../card/types.ts'
import type { Factors } from '../core/index.ts'
import type { KeyResolver } from '../frame/expected.ts'
import type { PlatformOptions } from '../keys/platform.ts'
import { type Grouping, groupingOf } from './grouping.ts'
import { coldStartOf, fieldsOf, type Ranking, weightsOf, within } from './ranking.ts'
import type { CardStore, Standing } from './stored.ts'
import type { AgentSignals, ColdStart, Offer, Refusal, SignalSource, TextFields } from './types.ts'

export interface DirectoryLimits {
  /** Bytes of a card: 65,535, and at the most. */
  readonly cardBytes: number
  /** Bytes of an answer's body, as JSON: 65,535. */
  readonly answerBytes: number
  /** Cards in the store: 1,000,000. */
  readonly cards: number
  /** Bytes that the store takes, as it counts itself: no bound. */
  readonly bytes: number
  /** Cards that one key may sign: no bound. */
  readonly cardsPerSigner: number
  /** Seconds that a card is given out after it came, whatever its own ttl says: 2,592,000, which are 30 days. */
  readonly ttl: number
  /** Cards that one sender may advertise within a minute, when it is known who it is: 600. The operator may more. */
  readonly advertisesPerMinute: number
  /** Other cards of one seq that are kept beside the first: 4, for two show what there is to show. */
  readonly equivocations: number
}

export interface DirectoryOptions extends PlatformOptions {
  readonly store: CardStore
  /** Asked for the time whenever it matters: the platform's when absent. */
  readonly clock?: () => Date
  /** From 0 to 1 each; absent ones as in table 11. */
  readonly weights?: Partial<Factors>
  /** The members that text is made of: the description once and the labels of skills twice when absent. */
  readonly fields?: Partial<TextFields>
  readonly coldStart?: Partial<ColdStart>
  readonly signals?: SignalSource
  /** The keys that agents are known by: cards of these agents have to be signed with them. */
  readonly keys?: KeyResolver
  /** A resolver of the Agent Name System. */
  readonly ans?: AnsResolver
  /** Lets an authenticated sender advertise its own card without a signature: false. */
  readonly trustSource?: boolean
  /** Lets cards in of which nothing shows whose they are, as from a folder of one's own: false. A wrong signature never comes in. */
  readonly acceptUnverified?: boolean
  /** Lets an unsigned card with a higher `seq` take the place of a signed one: false. */
  readonly allowUnsigned?: boolean
  /** Says which of the cards that it could take the directory wants: every one when absent. */
  readonly policy?: (card: AgentCard, standing: Standing, offer: Offer) => boolean | Refusal
  /** The policy on which callers see what of cards (sections 7.2 and 7.5): anyone the whole when absent. */
  readonly disclosure?: readonly DisclosureRule[]
  /** Seconds that a card without `metadata.ttl` is fresh: 3600. */
  readonly defaultTtl?: number
  readonly limits?: Partial<DirectoryLimits>
  /** Groups cards with one text, or of one source, in answers: not at all when absent. */
  readonly grouping?: Partial<Grouping>
  /** The directory's own card, as JSON; signed, so that callers can verify it. */
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

/** The limits of a directory without options that limit. */
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

/** The options, with defaults for absent ones. Throws for wrong ones. */
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

/** Throws for a signal that the ranking cannot take. */
export function checkSignals(signals: AgentSignals): void {
  const { reputation = 0, rating = 0, completedTasks = 0, activeTasks = 0, online = false } = signals
  within('reputation', reputation, 1)
  within('rating', rating, 1)
  within('completedTasks', completedTasks, Number.MAX_SAFE_INTEGER)
  within('activeTasks', activeTasks, Number.MAX_SAFE_INTEGER)
  if (typeof online !== 'boolean') throw new TypeError(`online: expected a boolean, got ${typeof online}`)
}
