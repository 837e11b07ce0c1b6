/** So many calls within so many seconds. */
export interface RateLimit {
  readonly calls: number
  readonly seconds: number
}

const EXPRESSION =
  /^(\d{1,9})\s*(?:requests?|reqs?|calls?)?\s*(?:\/|per)\s*(\d{1,6})?\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$/i

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

const LONGEST = 100

/**
 * What a `rate_limit` says (Agent Card section 3.7); undefined when it cannot be read. The draft gives an example and no
 * grammar: read is a count, `/` or `per`, and a unit of time, of which there may be several.
 *
 * @example
 * parseRateLimit('60/min') // { calls: 60, seconds: 60 }
 * parseRateLimit('5 requests per 10 seconds') // { calls: 5, seconds: 10 }
 * parseRateLimit('plenty') // undefined
 */
export function parseRateLimit(text: string): RateLimit | undefined {
  if (text.length > LONGEST) return undefined
  const [, count, times = '1', unit] = EXPRESSION.exec(text.trim()) ?? []
  if (unit === undefined) return undefined
  const limit = { calls: Number(count), seconds: Number(times) * SECONDS[unit[0]!.toLowerCase()]! }
  return limit.calls > 0 && limit.seconds > 0 ? limit : undefined
}
