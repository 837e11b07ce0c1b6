/** The number of calls that are allowed within any period of this length. */
export interface RateLimit {
  readonly count: number
  readonly periodMs: number
}

const EXPRESSION =
  /^(\d{1,9})\s*(?:requests?|reqs?|calls?)?\s*(?:\/|per)\s*(\d{1,6})?\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$/i

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const LONGEST = 100

/**
 * Parses a `rate_limit` (Agent Card section 3.7). Undefined when it cannot be parsed. The draft gives an example and no
 * grammar, so this accepts a count, then `/` or `per`, then a unit of time with an optional number before it.
 *
 * @example
 * parseRateLimit('60/min') // { count: 60, periodMs: 60000 }
 * parseRateLimit('5 requests per 10 seconds') // { count: 5, periodMs: 10000 }
 * parseRateLimit('plenty') // undefined
 */
export function parseRateLimit(text: string): RateLimit | undefined {
  if (text.length > LONGEST) return undefined
  const [, calls, times = '1', unit] = EXPRESSION.exec(text.trim()) ?? []
  if (unit === undefined) return undefined
  const limit = { count: Number(calls), periodMs: Number(times) * UNITS_MS[unit[0]!.toLowerCase()]! }
  return limit.count > 0 && limit.periodMs > 0 ? limit : undefined
}
