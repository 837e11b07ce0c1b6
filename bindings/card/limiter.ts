// Keeps a caller within the limits that a card states (section 3.7). They are advisory: the agent enforces its own
// limits, and answers BUSY.
import type { RelatedPlace } from '../document/types.ts'
import { objectMember, valueIn } from '../text/members.ts'
import { shown } from '../text/words.ts'
import { type AgentCard, type Card, rootOf } from './subject.ts'

export declare namespace parseRateLimit {
  /** The number of calls that are allowed within any period of this length. */
  interface Result {
    readonly count: number
    readonly periodMs: number
  }
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
export function parseRateLimit(text: string): parseRateLimit.Result | undefined {
  if (text.length > LONGEST) return undefined
  const [, calls, times = '1', unit] = EXPRESSION.exec(text.trim()) ?? []
  if (unit === undefined) return undefined
  const limit = { count: Number(calls), periodMs: Number(times) * UNITS_MS[unit[0]!.toLowerCase()]! }
  return limit.count > 0 && limit.periodMs > 0 ? limit : undefined
}

export declare namespace limiter {
  interface Options {
    /** Milliseconds of a monotonic clock. Default: the platform's. */
    readonly elapsed?: () => number
    /**
     * A random number from 0 up to 1. Default: Math.random. Spreads the retries of callers that got BUSY at the same
     * time.
     */
    readonly random?: () => number
  }

  interface Result {
    /** Undefined when the card states no limit, or one that cannot be parsed. */
    readonly rate: parseRateLimit.Result | undefined
    readonly concurrent: number | undefined
    /** Limits that cannot be parsed. They are not applied. */
    readonly warnings: readonly RelatedPlace[]
    /** Requests a turn. Returns at once: the caller does the waiting. */
    take(): Turn | Wait
  }
}

/** Permission for one call. The caller must end each turn, however the call went. */
export interface Turn {
  readonly allowed: true
  /** Reports that the call has ended. Further calls do nothing. */
  done(): void
  /** Reports that the agent answered BUSY, with its retry time if it gave one. */
  busy(retryAfterMs?: number): void
}

/** No call is allowed now. */
export interface Wait {
  readonly allowed: false
  readonly reason: 'rate' | 'concurrency' | 'busy'
  /** Milliseconds until the next attempt; undefined when one of the caller's own calls has to end first. */
  readonly waitMs: number | undefined
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000
/** A pause that the agent itself asks for may be longer: up to an hour. */
const LONGEST_WISH_MS = 3_600_000

/** The calls of a period that are recorded individually. Above that, calls are grouped by thousandths of the period. */
const MOST_MOMENTS = 1000

/**
 * Keeps a caller within the limits of an agent's card: at most `rate_limit` calls in any period, at most
 * `max_concurrent_tasks` at a time, and a pause that doubles with every BUSY.
 *
 * @example
 * const limits = limiter(card)
 * const turn = limits.take()
 * if (turn.allowed) call().then(({ status }) => (status === 'BUSY' ? turn.busy() : turn.done()))
 * else console.log(`wait ${turn.waitMs} ms: ${turn.reason}`)
 *
 * @throws {TypeError} for a value that is not a card; never for the content of a card.
 */
export function limiter(card: Card | AgentCard, options: limiter.Options = {}): limiter.Result {
  const { elapsed = () => performance.now(), random = Math.random } = options
  const { rate, concurrent, warnings } = limitsOf(card)
  const window = rate && new Window(rate)
  let running = 0
  let refusals = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  const pause = (wish: number | undefined) => {
    const most = Math.min(FIRST_PAUSE_MS * 2 ** refusals++, LONGEST_PAUSE_MS)
    // Half of the pause is fixed, the other half random.
    const own = most / 2 + (most / 2) * random()
    const wished = Number.isFinite(wish) ? Math.min(wish!, LONGEST_WISH_MS) : 0
    pausedUntil = Math.max(pausedUntil, elapsed() + Math.max(own, wished))
  }
  const turn = (): Turn => {
    let open = true
    const end = (then: () => void) => {
      if (!open) return
      open = false
      running--
      then()
    }
    return {
      allowed: true,
      done: () =>
        end(() => {
          refusals = 0
        }),
      busy: (retryAfterMs) => end(() => pause(retryAfterMs)),
    }
  }
  const take = (): Turn | Wait => {
    const time = elapsed()
    if (time < pausedUntil) return { allowed: false, reason: 'busy', waitMs: pausedUntil - time }
    if (concurrent !== undefined && running >= concurrent) {
      return { allowed: false, reason: 'concurrency', waitMs: undefined }
    }
    const waitMs = window?.take(time) ?? 0
    if (waitMs > 0) return { allowed: false, reason: 'rate', waitMs }
    running++
    return turn()
  }
  return { rate, concurrent, warnings, take }
}

/** The calls of the last period. */
class Window {
  readonly #rate: parseRateLimit.Result
  readonly #step: number
  readonly #moments: { time: number; calls: number }[] = []
  #calls = 0

  constructor(rate: parseRateLimit.Result) {
    this.#rate = rate
    this.#step = rate.count > MOST_MOMENTS ? rate.periodMs / MOST_MOMENTS : 0
  }

  /** Counts a call, or returns the milliseconds until the next one is allowed. */
  take(now: number): number {
    const { count, periodMs } = this.#rate
    const last = this.#moments.at(-1)
    // Times are rounded up, never down, so that no period gets more calls than allowed.
    const rounded = this.#step === 0 ? now : Math.ceil(now / this.#step) * this.#step
    const time = Math.max(rounded, last?.time ?? rounded)
    while (this.#moments.length > 0 && this.#moments[0]!.time + periodMs <= now)
      this.#calls -= this.#moments.shift()!.calls
    if (this.#calls >= count) return this.#moments[0]!.time + periodMs - now
    this.#calls++
    if (this.#moments.at(-1)?.time === time) this.#moments.at(-1)!.calls++
    else this.#moments.push({ time, calls: 1 })
    return 0
  }
}

function limitsOf(card: Card | AgentCard) {
  const constraints = objectMember(rootOf(card), 'constraints')
  const warnings: RelatedPlace[] = []
  const warn = (name: string, expected: string, found: unknown) => {
    const message = `expected ${expected}, found ${shown(found)}: it does not limit`
    warnings.push({ pointer: `/constraints/${name}`, message })
  }
  const limit = valueIn(constraints, 'rate_limit')
  const rate = typeof limit === 'string' ? parseRateLimit(limit) : undefined
  if (limit !== undefined && rate === undefined) warn('rate_limit', 'a limit such as 60/min', limit)
  const most = valueIn(constraints, 'max_concurrent_tasks')
  const isCount = Number.isSafeInteger(most) && (most as number) >= 0
  if (most !== undefined && !isCount) warn('max_concurrent_tasks', 'an integer from 0 on', most)
  return { rate, concurrent: isCount ? (most as number) : undefined, warnings }
}
