import { member, objectMember } from '../text/members.ts'
import { checkedTime } from '../text/moment.ts'
import { type Card, rootOf } from './subject.ts'
import type { AgentCard } from './types.ts'

/** How long a card may be used. */
export interface Freshness {
  readonly fresh: boolean
  /** Milliseconds since 1970. Fetch the card again from then on. */
  readonly expiresAt: number
  /** Seconds. */
  readonly ttl: number
  /** The source of the ttl: the card itself, or the default. */
  readonly from: 'card' | 'default'
}

export interface FreshnessOptions {
  /** When the card was retrieved. */
  readonly retrievedAt: Date
  /** Default: the current time. */
  readonly now?: Date
  /** The ttl of cards without one, in seconds. Default 3600. */
  readonly defaultTtl?: number
}

const HOUR = 3600

/** The latest time that a Date can hold. */
const LAST = 8.64e15

/**
 * Computes how long a card is fresh (section 6.3). Its ttl counts from the time of retrieval, not from the times in the
 * card.
 *
 * @example
 * freshness(card, { retrievedAt: new Date('2026-03-24T12:00:00Z'), now: new Date('2026-03-24T12:59:59Z') })
 * // { fresh: true, expiresAt: 1774357200000, ttl: 3600, from: 'card' }
 *
 * @throws {TypeError} for invalid times, {RangeError} for a default that is not a number of seconds.
 */
export function freshness(
  card: Card | AgentCard,
  { retrievedAt, now = new Date(), defaultTtl = HOUR }: FreshnessOptions,
): Freshness {
  const [from, to] = [checkedTime('retrievedAt', retrievedAt).getTime(), checkedTime('now', now).getTime()]
  if (!(defaultTtl >= 0)) throw new RangeError(`defaultTtl: expected seconds, got ${String(defaultTtl)}`)
  const stated = member(objectMember(rootOf(card), 'metadata')?.value, 'ttl')
  const own = typeof stated === 'number' && stated >= 0
  const ttl = own ? stated : defaultTtl
  const expiresAt = Math.min(from + ttl * 1000, LAST)
  return { fresh: to < expiresAt, expiresAt, ttl, from: own ? 'card' : 'default' }
}
