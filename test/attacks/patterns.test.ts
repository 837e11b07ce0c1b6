import { expect, test } from 'vitest'
import { validate } from '../../bindings/index.ts'
import { CompiledSchema, compileSchema } from '../../bindings/schema/index.ts'
import { EXPRESSIONS, nestedCounts, nestedLooks } from '../schema/expressions.ts'
import { casesOf, sampleOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'
import { judge, slowCalls } from './patterns.ts'

/** A definition with a tool whose parameters have patterns, and an example for it. */
function definition(patterns: readonly string[], value: string): string {
  const members = Object.fromEntries(patterns.map((pattern, i) => [`p${i}`, { type: 'string', pattern }]))
  const input = Object.fromEntries(patterns.map((_, i) => [`p${i}`, value]))
  return JSON.stringify({
    adl_spec: '0.1.0',
    name: 'A',
    description: 'd',
    version: '1.0.0',
    tools: [
      { name: 't', description: 'd', parameters: { type: 'object', properties: members }, examples: [{ input }] },
    ],
  })
}

function milliseconds(work: () => void): number {
  const begin = processorTime()
  work()
  return processorTime() - begin
}

test('422 bytes do not block validation: optional letters, then as many required ones', () => {
  const source = definition(['^(a?){24}a{24}$'], 'a'.repeat(24))
  expect(source.length).toBeLessThan(422)
  expect(milliseconds(() => validate(source, { as: 'adl' }))).toBeLessThan(500)
})

test('384 bytes do not block validation: lookbehinds, which engines match from right to left', () => {
  // Takes seconds for five levels, and forty times as long for each further level.
  for (const levels of [5, 12]) {
    const looks = Array.from({ length: levels }).reduce<string>((body) => `(?<=${body}a*)`, 'z')
    const source = definition([`^[^]{40}${looks}`], 'a'.repeat(40))
    expect(source.length).toBeLessThan(384)
    expect(milliseconds(() => validate(source, { as: 'adl' }))).toBeLessThan(500)
  }
})

test('nested counts are checked in linear time, or not at all', () => {
  // Backtracking engines take 11 s and 302 s, and 25 minutes for the third with a megabyte.
  const matches: Record<string, (length: number) => boolean> = {
    '^(a?){24}a{24}$': (length) => length >= 24 && length <= 48,
    '^(a?){30}a{30}$': (length) => length >= 30 && length <= 60,
    '(a{1000}){1000}': (length) => length >= 1_000_000,
  }
  for (const [pattern, expected] of Object.entries(matches)) {
    for (const length of [24, 30, 1_000, 100_000, 1 << 20]) {
      const { answer, milliseconds } = judge(pattern, 'a'.repeat(length))
      expect(milliseconds, `${pattern} at ${length}`).toBeLessThan(1_000)
      expect([expected(length), 'limit']).toContain(answer)
      if (length <= 30 && pattern.startsWith('^')) expect(answer).toBe(expected(length))
    }
  }
})

test('no expression of the table is slow, at 1 and at 10 KB (the long run: also at 100 KB, and random ones)', () => {
  expect(slowCalls(sampleOf(EXPRESSIONS), [1_000, 10_000], 1_000)).toEqual([])
})

test('random expressions with nested counts, lookbehinds and lookaheads are not slow either', () => {
  const chance = random(7)
  const made = Array.from({ length: casesOf(100) }, () => [nestedCounts(chance), nestedLooks(chance)]).flat()
  expect(slowCalls(made, [30, 3_000], 1_000)).toEqual([])
})

test('a document full of Unicode properties is read quickly, although each costs the host a tenth of a millisecond', () => {
  const patterns = Array.from({ length: 200 }, (_, i) => `[${'\\p{L}'.repeat(700)}${i}]`)
  const source = definition(patterns, 'a')
  expect(source.length).toBeGreaterThan(700_000)
  expect(milliseconds(() => validate(source, { as: 'adl' }))).toBeLessThan(3_000)
})

/** Slow for V8 to compile: it looks ahead through the next 8 units, and multiplies all alternatives that it finds. */
const PREPARED: Record<string, string> = {
  'properties in a row: 3.5 s for 40 bytes': '\\P{L}'.repeat(8),
  'two of them to choose from: 64 s': '(?:\\P{L}|\\P{Lu})'.repeat(8),
  'after a word boundary': `^\\b${'(?:\\P{L}|\\P{Lu})'.repeat(8)}`,
  'after an anchor that is optional': `(?:^|x)${'(?:\\P{L}|\\P{Lu})'.repeat(8)}`,
  'classes to choose from': '(?:[aB]|[bC]|[cD]|[dE]|[eF]|[fG]|[gH]|[hI]|[iJ]|[jK]|[kL])'.repeat(8),
  'classes to choose from, anchored': `^${`(?:${Array.from('abcdefghijklmnopqrstuvwxyz', (c) => `[${c}0]`).join('|')})`.repeat(30)}`,
  'groups that are optional': '(.)?'.repeat(1_000),
  'boundaries before every character': '\\b.'.repeat(1_300),
}

test.each(Object.entries(PREPARED))('compiling is quick: %s', (_, pattern) => {
  for (const text of ['aaa', 'aaa', 'Āa', 'Āa']) {
    expect(judge(pattern, text).milliseconds, text).toBeLessThan(500)
  }
  const source = definition([pattern], 'Āa')
  expect(milliseconds(() => validate(source, { as: 'adl' }))).toBeLessThan(500)
})

test('compiling counts as work: 790 properties in a class take 0.7 s, more than an example may cost', () => {
  const properties = `[${'\\P{L}'.repeat(790)}]`
  expect(milliseconds(() => validate(definition([properties], 'a'), { as: 'adl' }))).toBeLessThan(200)
  // The host checks the shorter text; the automaton checks what only it can decide.
  for (const source of [properties, `${properties}(?:a*)*$`]) {
    expect(judge(source.replaceAll('\\P{L}', '\\P{L}\\p{Lu}'), 'a').answer).toBe('limit')
  }
  expect(judge(`^[${'\\p{L}\\p{Nd}'.repeat(20)}]+$`, 'a1').answer).toBe(true)
})

test('an engine that runs out of memory does not crash', () => {
  const schema = compileSchema({ pattern: '^(a)*$' })
  if (!(schema instanceof CompiledSchema)) throw new Error('no schema')
  const errors = schema.validate('a'.repeat(1 << 25), { maxSteps: 2 ** 40 })
  for (const error of errors) expect(error.keyword).toBe('limit')
})
