import { member, objectMember } from '../document/members.ts'
import type { Card } from './card.ts'
import { rootOf } from './root.ts'
import type { AgentCard } from './types.ts'

/** For how long a card may be used. */
export interface Freshness {
  readonly fresh: boolean
  /** Milliseconds since 1970; from then on the card is fetched again. */
  readonly expiresAt: number
  /** Seconds. */
  readonly ttl: number
  /** Whether the card itself says so, or the default does. */
  readonly from: 'card' | 'default'
}

export interface FreshnessOptions {
  /** Seconds for cards without a ttl: 3600 when absent. */
  readonly defaultTtl?: number
}

const HOUR = 3600

/** The last time that a Date can have. */
const LAST = 8.64e15

/**
 * Whether a card is still fresh (section 6.3): its ttl counts from when it was retrieved, whatever its own times say.
 *
 * @example
 * freshness(card, new Date('2026-03-24T12:00:00Z'), new Date('2026-03-24T12:59:59Z'))
 * // { fresh: true, expiresAt: 1774357200000, ttl: 3600, from: 'card' }
 *
 * @param retrievedAt a Date or milliseconds since 1970, as `now`.
 * @throws {TypeError} for times that are none, {RangeError} for a default that is no number of seconds.
 */
export function freshness(
  card: Card | AgentCard,
  retrievedAt: Date | number,
  now: Date | number = new Date(),
  { defaultTtl = HOUR }: FreshnessOptions = {},
): Freshness {
  const [from, to] = [timeIn('retrievedAt', retrievedAt), timeIn('now', now)]
  if (!(defaultTtl >= 0)) throw new RangeError(`defaultTtl: expected seconds, got ${String(defaultTtl)}`)
  const stated = member(objectMember(rootOf(card), 'metadata')?.value, 'ttl')
  const own = typeof stated === 'number' && stated >= 0
  const ttl = own ? stated : defaultTtl
  const expiresAt = Math.min(from + ttl * 1000, LAST)
  return { fresh: to < expiresAt, expiresAt, ttl, from: own ? 'card' : 'default' }
}

function timeIn(name: string, time: Date | number): number {
  const value = time instanceof Date ? time.getTime() : time
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw new TypeError(`${name}: expected a Date or milliseconds, got ${String(time)}`)
}
