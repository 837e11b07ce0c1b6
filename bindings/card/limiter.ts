// Keeps a caller to the limits that a card asks for (section 3.7). The constraints are advice: the agent enforces its own,
// and answers BUSY.

import type { Related } from '../document/types.ts'
import { member, objectMember } from '../text/members.ts'
import { shown } from '../text/words.ts'
import type { Card } from './card.ts'
import { parseRateLimit, type RateLimit } from './rate-limit.ts'
import { rootOf } from './root.ts'
import type { AgentCard } from './types.ts'

export interface LimiterOptions {
  /** Milliseconds of a clock that is never set back: the platform's when absent. */
  readonly elapsed?: () => number
  /** From 0 up to 1: Math.random when absent. Spreads those who were all told BUSY at one time. */
  readonly random?: () => number
}

/** A call may be made. Whoever takes a turn ends it, whatever became of the call. */
export interface Turn {
  readonly allowed: true
  /** The call came to its end; a second time does nothing. */
  done(): void
  /** The agent answered BUSY; it may have said for how long. */
  busy(retryAfterMs?: number): void
}

/** No call now. */
export interface Wait {
  readonly allowed: false
  readonly reason: 'rate' | 'concurrency' | 'busy'
  /** After how many milliseconds to ask again; undefined when a turn of the caller's own has to end before. */
  readonly waitMs: number | undefined
}

export interface Limiter {
  /** Undefined where the card sets none, or one that cannot be read. */
  readonly rate: RateLimit | undefined
  readonly concurrent: number | undefined
  /** Limits that cannot be read, and so do not limit. */
  readonly warnings: readonly Related[]
  /** Asks for a turn. Nothing waits here: the caller does. */
  take(): Turn | Wait
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000
/** An agent's own wish is followed further: an hour. */
const LONGEST_WISH_MS = 3_600_000

/** Calls of one period that are remembered one by one; of more, those of a thousandth of the period together. */
const MOST_MOMENTS = 1000

/**
 * Keeps the caller of an agent within the limits of its card: never more calls in any period than `rate_limit` says, never
 * more at a time than `max_concurrent_tasks`, and a pause that doubles with every BUSY.
 *
 * @example
 * const limits = limiter(card)
 * const turn = limits.take()
 * if (turn.allowed) call().then(({ status }) => (status === 'BUSY' ? turn.busy() : turn.done()))
 * else console.log(`wait ${turn.waitMs} ms: ${turn.reason}`)
 *
 * @throws {TypeError} for a value that is not a card; never for the content of one.
 */
export function limiter(card: Card | AgentCard, options: LimiterOptions = {}): Limiter {
  const { elapsed = () => performance.now(), random = Math.random } = options
  const { rate, concurrent, warnings } = limitsOf(card)
  const window = rate && new Window(rate)
  let running = 0
  let refusals = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  const pause = (wish: number | undefined) => {
    const most = Math.min(FIRST_PAUSE_MS * 2 ** refusals++, LONGEST_PAUSE_MS)
    // Half of it is sure, the other half by chance.
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
  readonly #rate: RateLimit
  readonly #step: number
  readonly #moments: { time: number; calls: number }[] = []
  #calls = 0

  constructor(rate: RateLimit) {
    this.#rate = rate
    this.#step = rate.count > MOST_MOMENTS ? rate.periodMs / MOST_MOMENTS : 0
  }

  /** Counts a call, or gives the time until the next one may be made. */
  take(now: number): number {
    const { count, periodMs } = this.#rate
    const last = this.#moments.at(-1)
    // Later than it was, never earlier: a period never has more calls than it may.
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
  const warnings: Related[] = []
  const warn = (name: string, expected: string, found: unknown) => {
    const message = `expected ${expected}, found ${shown(found)}: it does not limit`
    warnings.push({ pointer: `/constraints/${name}`, message })
  }
  const limit = member(constraints?.value, 'rate_limit')
  const rate = typeof limit === 'string' ? parseRateLimit(limit) : undefined
  if (limit !== undefined && rate === undefined) warn('rate_limit', 'a limit such as 60/min', limit)
  const most = member(constraints?.value, 'max_concurrent_tasks')
  const isCount = Number.isSafeInteger(most) && (most as number) >= 0
  if (most !== undefined && !isCount) warn('max_concurrent_tasks', 'an integer from 0 on', most)
  return { rate, concurrent: isCount ? (most as number) : undefined, warnings }
}
