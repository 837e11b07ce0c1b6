import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planContext } from '../../../bindings/agentlang/run/context.ts'
import { processorTime } from '../../support/effort.ts'

interface Message extends planContext.Message {
  readonly tokens: number
}

const message = (role: Message['role'], tokens: number, ...call_ids: string[]): Message => ({ role, tokens, call_ids })
const plan = (messages: readonly Message[], context: object) =>
  planContext(messages, ({ tokens }) => tokens, context as Record<string, unknown>)
const window = (max_tokens: number, strategy = 'sliding') => ({ window: { max_tokens, strategy } })
const compaction = (strategy: string, preserve: readonly string[] = []) => ({
  window: { max_tokens: 100, strategy: 'sliding' },
  compaction: { strategy, trigger: 0.8, preserve },
})

/** Two turns: 10 + 20 + 20 + 20, then 10 + 5. */
const TALK = [
  message('system', 10),
  message('user', 10),
  message('assistant', 20, 'c1'),
  message('tool', 20, 'c1'),
  message('assistant', 20),
  message('user', 10),
  message('assistant', 5),
]

describe('the window', () => {
  test('[agentlang/functions-9] keeps everything that fits, also without a limit', () => {
    for (const context of [window(95), {}, { window: { max_tokens: 0 } }, { window: { max_tokens: '9' } }]) {
      expect(plan(TALK, context)).toEqual({ keep: [0, 1, 2, 3, 4, 5, 6], drop: [], action: 'none', fits: true })
    }
  })

  test('[agentlang/functions-9] sliding drops whole turns, truncate single messages', () => {
    expect(plan(TALK, window(94)).drop).toEqual([1, 2, 3, 4])
    expect(plan(TALK, window(94, 'truncate')).drop).toEqual([1])
    expect(plan(TALK, window(60, 'truncate')).drop).toEqual([1, 2, 3])
  })

  test('[agentlang/functions-9] summarize names the messages that need a summary', () => {
    expect(plan(TALK, window(94, 'summarize'))).toMatchObject({ drop: [1], action: 'summarize' })
  })
})

describe('compaction', () => {
  test('[agentlang/functions-10] starts at its trigger and leaves less than it', () => {
    const filled = (tokens: number) =>
      plan([message('user', tokens - 10), message('user', 10)], compaction('drop_oldest'))
    expect(filled(79).drop).toEqual([])
    expect(filled(80).drop).toEqual([0])
  })

  test('[agentlang/functions-10] counts over the strategy of the window, and gives its event', () => {
    expect(plan(TALK, compaction('summarize'))).toEqual({
      keep: [0, 4, 5, 6],
      drop: [1, 2, 3],
      action: 'summarize',
      fits: true,
      event: { type: 'context.compact', strategy: 'summarize', tokens_before: 95, tokens_after: 45 },
    })
  })

  test('[agentlang/functions-10] a checkpoint starts fresh with the system and the newest message', () => {
    expect(plan(TALK, compaction('checkpoint'))).toMatchObject({ keep: [0, 6], action: 'checkpoint', fits: true })
  })

  test('[agentlang/functions-11] preserved messages stay, with the calls of their results', () => {
    expect(plan(TALK, compaction('checkpoint', ['tool_results'])).keep).toEqual([0, 2, 3, 6])
    expect(plan(TALK, compaction('checkpoint', ['user_messages'])).keep).toEqual([0, 1, 5, 6])
  })

  test('[agentlang/functions-11] reports when what must stay does not fit', () => {
    const long = [message('tool', 90, 'a'), message('assistant', 20, 'a'), message('user', 5)]
    expect(plan(long, compaction('drop_oldest', ['tool_results']))).toMatchObject({
      keep: [0, 1, 2],
      fits: false,
      reason: '115 tokens must stay, but the window holds 100',
    })
  })
})

/** Merges sets that share a call until nothing changes, and drops the oldest set while too much is there. */
function planSlowly(messages: readonly Message[], limit: number, mayDrop: (message: Message, i: number) => boolean) {
  let sets = messages.map((_, i) => [i])
  for (let changed = true; changed; ) {
    changed = false
    for (const a of sets) {
      const b = sets.find(
        (other) =>
          other !== a &&
          other.some((i) => a.some((j) => messages[i]!.call_ids!.some((id) => messages[j]!.call_ids!.includes(id)))),
      )
      if (b === undefined) continue
      sets = [...sets.filter((set) => set !== a && set !== b), [...a, ...b]]
      changed = true
      break
    }
  }
  sets.sort((a, b) => Math.min(...a) - Math.min(...b))
  let kept = messages.map((_, i) => i)
  const sum = () => kept.reduce((total, i) => total + messages[i]!.tokens, 0)
  for (const set of sets) {
    if (sum() < limit) break
    if (set.every((i) => mayDrop(messages[i]!, i))) kept = kept.filter((i) => !set.includes(i))
  }
  return kept
}

test('[agentlang/functions-11] never parts a call from its result, as a slow plan does', () => {
  const anyMessage = fc
    .tuple(fc.constantFrom('system', 'user', 'assistant', 'tool'), fc.nat(40), fc.subarray(['a', 'b', 'c', 'd']))
    .map(([role, tokens, ids]) => message(role as Message['role'], tokens, ...ids.slice(0, 2)))
  fc.assert(
    fc.property(
      fc.array(anyMessage, { maxLength: 12 }),
      fc.subarray(['tool_results', 'user_messages']),
      (messages, preserve) => {
        const mayDrop = ({ role }: Message, i: number) =>
          i < messages.length - 1 &&
          role !== 'system' &&
          !(role === 'tool' && preserve.includes('tool_results')) &&
          !(role === 'user' && preserve.includes('user_messages'))
        const { keep, drop, fits, event } = plan(messages, compaction('drop_oldest', preserve))
        expect(keep).toEqual(planSlowly(messages, 80, mayDrop))
        expect([...keep, ...drop].sort((a, b) => a - b)).toEqual(messages.map((_, i) => i))
        const after = keep.reduce((sum, i) => sum + messages[i]!.tokens, 0)
        expect(fits).toBe(after <= 100)
        expect(event?.tokens_after ?? after).toBe(after)
      },
    ),
  )
})

test('refuses a count that is not a whole number', () => {
  for (const number of [-1, 0.5, Number.NaN]) {
    expect(() => planContext(TALK, () => number, window(1))).toThrow(RangeError)
  }
})

test('plans 100,000 messages that share calls in linear time', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => message('tool', 1, `c${i >> 1}`, `d${(i + 1) >> 1}`))
  const before = processorTime()
  expect(plan(many, window(10)).fits).toBe(false)
  expect(processorTime() - before).toBeLessThan(4_000)
})
