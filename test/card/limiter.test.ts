// The limits that a card states for callers: draft-song-anp-adp-00 section 3.7.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AgentCard, limiter, parseRateLimit } from '../../bindings/card/index.ts'
import type { Turn } from '../../bindings/card/limiter.ts'

const card = (constraints: unknown) => ({ id: 'agent://a', name: 'a', constraints }) as AgentCard

/** A limiter and its clock. */
function setUp(constraints: object) {
  const clock = { time: 0 }
  return { clock, limits: limiter(card(constraints), { elapsed: () => clock.time, random: () => 1 }) }
}

describe('[card/3.7-2] rate limits', () => {
  test.each([
    ['60/min', 60, 60_000],
    ['60/minute', 60, 60_000],
    ['1/s', 1, 1000],
    ['10 per second', 10, 1000],
    ['1000/day', 1000, 86_400_000],
    ['100 / h', 100, 3_600_000],
    ['5/10s', 5, 10_000],
    ['5 requests per 10 seconds', 5, 10_000],
    ['20 req/min', 20, 60_000],
    [' 60/MIN ', 60, 60_000],
  ])('%s', (text, count, periodMs) => expect(parseRateLimit(text)).toEqual({ count, periodMs }))

  test.each([
    '',
    '60',
    '/min',
    '0/min',
    '-1/min',
    '1.5/min',
    '60/fortnight',
    'often',
    '60/min/s',
    '1e3/s',
    '６０/min',
    '3/500ms',
  ])('does not parse %j', (text) => expect(parseRateLimit(text)).toBeUndefined())

  test('does not parse a megabyte of text', () => expect(parseRateLimit(`1${' '.repeat(1e6)}`)).toBeUndefined())
})

describe('[card/3.7-1] turns', () => {
  test('allows as many calls in a period as the rate says', () => {
    const { clock, limits } = setUp({ rate_limit: '2/min' })
    expect([limits.take().allowed, limits.take().allowed]).toEqual([true, true])
    clock.time = 1000
    expect(limits.take()).toEqual({ allowed: false, reason: 'rate', waitMs: 59_000 })
    clock.time = 59_999
    expect(limits.take()).toMatchObject({ waitMs: 1 })
    clock.time = 60_000
    expect(limits.take().allowed).toBe(true)
  })

  test('allows as many concurrent calls as the agent accepts', () => {
    const { limits } = setUp({ max_concurrent_tasks: 1 })
    const turn = limits.take() as Turn
    expect(limits.take()).toEqual({ allowed: false, reason: 'concurrency', waitMs: undefined })
    turn.done()
    turn.done()
    expect(limits.take().allowed).toBe(true)
    expect(limits.take().allowed).toBe(false)
    expect(setUp({ max_concurrent_tasks: 0 }).limits.take().allowed).toBe(false)
  })

  test('[card/3.7-3] doubles the pause with every BUSY, and starts over after a successful call', () => {
    const { clock, limits } = setUp({})
    const pauses: (number | undefined)[] = []
    const beBusy = (retryAfterMs?: number) => {
      ;(limits.take() as Turn).busy(retryAfterMs)
      const wait = limits.take()
      if (!wait.allowed) {
        pauses.push(wait.waitMs)
        clock.time += wait.waitMs!
      }
    }
    for (let i = 0; i < 8; i++) beBusy()
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    ;(limits.take() as Turn).done()
    beBusy()
    beBusy(90_000)
    beBusy(Number.MAX_VALUE)
    beBusy(Number.NaN)
    expect(pauses.slice(8)).toEqual([1000, 90_000, 3_600_000, 8000])
  })

  test('shortens a pause at random by up to half', () => {
    const limits = limiter(card({}), { elapsed: () => 0, random: () => 0 })
    ;(limits.take() as Turn).busy()
    expect(limits.take()).toEqual({ allowed: false, reason: 'busy', waitMs: 500 })
  })

  test('never allows too many calls in any period, and allows one after the wait', () => {
    const rates = fc.constantFrom('1/s', '3/s', '7/10s', '1200/s', '5000/2s')
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })), { maxLength: 60 })
    fc.assert(
      fc.property(rates, gaps, fc.integer({ min: 1, max: 200 }), (rate_limit, steps, burst) => {
        const { clock, limits } = setUp({ rate_limit })
        const { count, periodMs } = limits.rate!
        const calls: number[] = []
        for (const step of steps) {
          clock.time += step
          for (let i = 0; i < burst; i++) {
            const turn = limits.take()
            if (turn.allowed) calls.push(clock.time)
            else {
              expect(turn.waitMs).toBeGreaterThan(0)
              expect(turn.waitMs).toBeLessThanOrEqual(periodMs * 1.001)
            }
          }
        }
        // The call that comes `count` calls later is at least a whole period later.
        for (let i = count; i < calls.length; i++)
          expect(calls[i]! - calls[i - count]!).toBeGreaterThanOrEqual(periodMs)
        const last = limits.take()
        if (!last.allowed) clock.time += last.waitMs!
        expect(last.allowed || limits.take().allowed).toBe(true)
      }),
      { numRuns: 60, seed: 37 },
    )
  })
})

describe('[card/3.7-4] limits that cannot be parsed', () => {
  test.each([
    [
      { rate_limit: 'often' },
      '/constraints/rate_limit',
      "expected a limit such as 60/min, found the string 'often': it does not limit",
    ],
    [
      { rate_limit: 60 },
      '/constraints/rate_limit',
      'expected a limit such as 60/min, found the number 60: it does not limit',
    ],
    [
      { max_concurrent_tasks: -1 },
      '/constraints/max_concurrent_tasks',
      'expected an integer from 0 on, found the number -1: it does not limit',
    ],
    [
      { max_concurrent_tasks: '3' },
      '/constraints/max_concurrent_tasks',
      "expected an integer from 0 on, found the string '3': it does not limit",
    ],
  ])('%j', (constraints, pointer, message) => {
    const { limits } = setUp(constraints)
    expect(limits.warnings).toEqual([{ pointer, message }])
    expect(Array.from({ length: 1000 }, () => limits.take().allowed)).not.toContain(false)
  })

  test.each([undefined, null, 7, 'x', [], {}])('accepts any constraints: %j', (constraints) => {
    const { warnings, rate, concurrent } = limiter(card(constraints))
    expect([warnings, rate, concurrent]).toEqual([[], undefined, undefined])
  })

  test('throws for a value that is not a card', () => expect(() => limiter(null as never)).toThrow(TypeError))
})
