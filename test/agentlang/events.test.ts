// Logs of events: the six types, and what no schema can say about them.
import { describe, expect, test } from 'vitest'
import { explained } from '../../bindings/agentlang/events/findings.ts'
import { validate } from '../../bindings/verbs.ts'
import { processorTime } from '../support/effort.ts'

type Json = Readonly<Record<string, unknown>>

/** The example of the specification, with its indentation and with something in the place of its dots. */
const EXAMPLE = `events:
  - type: agent.think
    timestamp: 2025-01-29T10:00:00Z
    agent_id: researcher
    content: "I should search for recent papers..."
  - type: tool.call
    timestamp: 2025-01-29T10:00:01Z
    agent_id: researcher
    tool: web_search
    input: { query: "transformer architectures 2025" }
    call_id: abc123
  - type: tool.result
    timestamp: 2025-01-29T10:00:03Z
    call_id: abc123
    output: { results: [] }
    duration_ms: 2000
  - type: agent.delegate
    timestamp: 2025-01-29T10:00:05Z
    from: orchestrator
    to: academic-researcher
    task: "Analyze these findings"
  - type: agent.message
    timestamp: 2025-01-29T10:00:10Z
    agent_id: researcher
    role: assistant
    content: "Based on my analysis..."
`

const at = (second: number) => `2025-01-29T10:00:${String(second).padStart(2, '0')}Z`
const call = (second: number, call_id: string) => {
  return { type: 'tool.call', timestamp: at(second), agent_id: 'a', tool: 't', input: {}, call_id }
}
const result = (second: number, call_id: string, more: Json = { output: 1 }) => {
  return { type: 'tool.result', timestamp: at(second), call_id, ...more }
}
const delegate = (from: string, to: string) => ({ type: 'agent.delegate', timestamp: at(0), from, to, task: 'x' })

const found = (events: readonly unknown[]) =>
  validate(JSON.stringify({ events })).diagnostics.map(({ code, source }) => `${code} ${source.pointer}`)

test('the example of the specification has no findings [agentlang/events-1]', () => {
  const { kind, diagnostics } = validate(EXAMPLE, { file: 'run.events.yaml' })
  expect([kind, diagnostics]).toEqual(['events', []])
})

describe('an example of a finding', () => {
  const rows = explained().filter(({ bad, good }) => [bad, good].every((text) => text.startsWith('{')))
  test.each(rows.map((row) => [row.code, row] as const))(
    '%s: the bad one has only this finding, the good one none',
    (code, { bad, good }) => {
      expect(new Set(validate(bad, { as: 'events' }).diagnostics.map((one) => one.code))).toEqual(new Set([code]))
      expect(validate(good, { as: 'events' }).diagnostics).toEqual([])
    },
  )
})

describe('the key fields of each type are required [agentlang/events-2]', () => {
  const FIELDS = {
    'agent.think': ['agent_id', 'content'],
    'tool.call': ['agent_id', 'tool', 'input', 'call_id'],
    'tool.result': ['call_id'],
    'agent.delegate': ['from', 'to', 'task'],
    'agent.message': ['agent_id', 'role', 'content'],
    'context.compact': ['strategy', 'tokens_before', 'tokens_after'],
  }
  test.each(Object.entries(FIELDS))('%s', (type, fields) => {
    const { diagnostics } = validate(JSON.stringify({ events: [{ type, timestamp: at(0), error: 'x' }] }))
    expect(diagnostics.map(({ code, detail }) => `${code} ${detail}`)).toEqual(
      fields.map((name) => `AL-251 Required member '${name}' is missing`),
    )
  })
})

describe('calls and results [agentlang/events-3]', () => {
  test.each([
    ['a call with its result', [call(0, 'a'), result(1, 'a')], []],
    ['a call without a result', [call(0, 'a')], ['AL-258 /events/0/call_id']],
    ['a result without a call', [result(0, 'a')], ['AL-257 /events/0/call_id']],
    ['two calls with one id', [call(0, 'a'), call(1, 'a'), result(2, 'a')], ['AL-256 /events/1/call_id']],
    ['two results of one call', [call(0, 'a'), result(1, 'a'), result(2, 'a')], ['AL-256 /events/2/call_id']],
    ['a result before its call', [result(0, 'a'), call(0, 'a')], []],
    ['a result with neither output nor error', [call(0, 'a'), result(1, 'a', {})], ['AL-260 /events/1']],
    ['a result with an error', [call(0, 'a'), result(1, 'a', { error: 'no network' })], []],
    ['names of the prototype as ids', [call(0, '__proto__'), result(1, '__proto__')], []],
  ])('%s', (_, events, expected) => {
    expect(found(events)).toEqual(expected)
  })
})

describe('order and depth', () => {
  test('an event is not earlier than one before it, in whatever zone [agentlang/events-1]', () => {
    const think = (timestamp: string) => ({ type: 'agent.think', timestamp, agent_id: 'a', content: '' })
    expect(found([think(at(5)), think(at(1)), think(at(3)), think(at(6))])).toEqual([
      'AL-259 /events/1/timestamp',
      'AL-259 /events/2/timestamp',
    ])
    expect(found([think('2025-01-29T11:00:00+01:00'), think('2025-01-29T10:00:00Z')])).toEqual([])
  })

  test('a chain of four delegations is deeper than the default of three [agentlang/constraints-1]', () => {
    const chain = ['a', 'b', 'c', 'd', 'e'].map((from, i, all) => delegate(from, all[i + 1] ?? ''))
    expect(found(chain.slice(0, 3))).toEqual([])
    expect(found(chain.slice(0, 4))).toEqual(['AL-261 /events/3'])
  })

  test('a task that goes back and forth makes no chain deeper', () => {
    expect(found(Array.from({ length: 20 }, (_, i) => (i % 2 ? delegate('b', 'a') : delegate('a', 'b'))))).toEqual([])
  })
})

test('another type is kept, with one note for each type [agentlang/events-4]', () => {
  const start = { type: 'runtime.start', timestamp: at(0) }
  const { valid, diagnostics } = validate(JSON.stringify({ events: [start, start, { ...start, type: 'event' }] }))
  expect([valid, diagnostics.map(({ code, severity }) => `${code} ${severity}`)]).toEqual([
    true,
    ['AL-262 info', 'AL-262 info'],
  ])
})

test('a secret in an event is a warning', () => {
  const events = [{ ...call(0, 'a'), input: { token: `ghp_${'x1Y2'.repeat(9)}` } }, result(1, 'a')]
  expect(found(events)).toEqual(['AL-114 /events/0/input/token'])
})

test('20,000 hostile events take at most ten times as long as 2,000', () => {
  const hostile = (count: number) =>
    JSON.stringify({
      events: Array.from({ length: count }, (_, i) => [
        { ...call(59, `c${i % 3}`), agent_id: null },
        result(0, `r${i}`, {}),
        { ...delegate(`a${i}`, `a${i + 1}`), type: i % 2 ? 'agent.delegate' : `t${i}` },
        [],
      ]).flat(),
    })
  const [small, large] = [hostile(500), hostile(5000)]
  validate(small)
  const effort = (text: string) => {
    const start = processorTime()
    validate(text)
    return processorTime() - start
  }
  expect(effort(large)).toBeLessThan(10 * 3 * Math.max(effort(small), 10))
})

describe('a log with an event in each line', () => {
  const EVENTS = [
    { type: 'agent.think', timestamp: at(0), agent_id: 'a', content: 'Search first.' },
    call(1, 'c1'),
    result(2, 'c1'),
  ]
  const lines = (...events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
  const bytes = (text: string) => new TextEncoder().encode(text)
  const NAMED = { file: 'runs/8a.events.jsonl' }
  const report = (source: string | Uint8Array, options = {}) => {
    const { kind, diagnostics } = validate(source, options)
    return [kind, ...diagnostics.map(({ code, source: { pointer, line } }) => `${code} ${pointer} ${line}`)]
  }

  test.each([
    ['its name', lines(...EVENTS), NAMED],
    ['its content', lines(...EVENTS), {}],
    ['its bytes', bytes(lines(...EVENTS)), {}],
    ['one event', lines(EVENTS[0]), {}],
    ['the caller', lines(...EVENTS), { as: 'events' }],
    ['a mark, and CRLF', bytes(`\ufeff${lines(...EVENTS)}`.replaceAll('\n', '\r\n')), {}],
  ])('is found by %s', (_, source, options) => {
    expect(report(source, options).filter((one) => !one?.startsWith('DOC-105'))).toEqual(['events'])
  })

  test('an empty file is a log without events', () => {
    expect(report('', NAMED)).toEqual(['events'])
  })

  test('each finding names its line', () => {
    const bad = { type: 'agent.think', timestamp: '10:00', agent_id: 'a' }
    const source = lines(EVENTS[0], bad, 7, result(3, 'c9', {}))
    expect(report(source, NAMED)).toEqual(['events', 'AL-250 /2 3'])
    expect(report(source.replace('7\n', ''), NAMED)).toEqual([
      'events',
      'AL-251 /1 2',
      'AL-254 /1/timestamp 2',
      'AL-260 /2 3',
      'AL-257 /2/call_id 3',
    ])
    expect(report(`${lines(EVENTS[0])}{"type":\n`, NAMED)[1]).toMatch(/^DOC-1\d\d \/1\S* 2$/)
    expect(report(`${lines(EVENTS[0])}{"type":\n`)[1]).toMatch(/^DOC-1\d\d \/1\S* 2$/)
  })

  test('a list is not a log, and other documents are not lines', () => {
    for (const source of [JSON.stringify(EVENTS), `\ufeff${JSON.stringify(EVENTS)}`, `- ${JSON.stringify(EVENTS[0])}`])
      expect(report(bytes(source), { as: 'events' }).at(-1)).toMatch(/^AL-250 {2}1$/)
    expect(report(lines({ type: 'agent.x', adl_spec: '0.1.0' }))[0]).toBe('adl')
    expect(report(lines({ type: 'agent.x', events: [] }))).toEqual(['events'])
    expect(report(lines({ type: 'other.x', timestamp: at(0) }))[0]).toBeUndefined()
  })

  test('is judged in linear time', () => {
    const many = (count: number) => lines(...Array.from({ length: count }, (_, i) => call(1, `c${i}`)))
    const cost = (count: number) => {
      const source = bytes(many(count))
      const before = processorTime()
      validate(source, NAMED)
      return processorTime() - before
    }
    cost(1_000)
    expect(cost(20_000)).toBeLessThan(Math.max(200, cost(5_000) * 12))
  })
})
