// Patterns and subjects built to be slow or large: each is answered, or refused with a reason, in bounded time.
import { beforeAll, describe, expect, test } from 'vitest'
import { checkPattern, compilePatterns, type PatternKind } from '../../bindings/core/index.ts'
import { compileTest } from '../../bindings/core/patterns.ts'
import { compileSet } from '../../bindings/wasm/pattern.ts'
import { LONG_BUILDS } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'

const MEGABYTE = 1 << 20

/** The core's answer for one pattern, with a generous limit for a busy machine. */
function matches(kind: PatternKind, pattern: string, subject: string): boolean {
  const started = processorTime()
  const answer = compileSet(kind, [pattern], false)!.test(subject)
  expect(processorTime() - started).toBeLessThan(20_000)
  return answer
}

describe.each(LONG_BUILDS)('[adl/18-5] [adl/18-6] hostile patterns, $name', (build) => {
  beforeAll(build.use)

  test('500 patterns of stars against a subject of 64 KB that nearly matches', () => {
    const patterns = Array.from({ length: 500 }, (_, i) => `*a*a*a*b${'a'.repeat(i)}`)
    const set = compilePatterns('env', patterns)
    const started = processorTime()
    expect(set.first('a'.repeat(65_536))).toBe(-1)
    expect(set.all(`${'a'.repeat(65_536)}b`)).toEqual([0])
    expect(processorTime() - started).toBeLessThan(10_000)
  })

  test('a long piece between stars, which a naive search would compare at every place', () => {
    const piece = `${'a'.repeat(30_000)}b`
    const subject = 'a'.repeat(MEGABYTE)
    expect(matches('env', `*${piece}*`, subject)).toBe(false)
    expect(matches('env', `*${piece}*`, `${subject}b${subject}`)).toBe(true)
    expect(matches('env', `x*${piece}*${piece}*y`, `x${subject}b${subject}y`)).toBe(false)
    expect(matches('env', `x*${piece}*${piece}*y`, `x${subject}b${subject}by`)).toBe(true)
  })

  test('a piece that overlaps itself', () => {
    const test = compileTest('env', '*abacabaabacabad*', false)
    for (const subject of ['abacabaabacabaabacabad', 'abacabaabacabacabad', 'abacababacabaabacabad']) {
      expect(matches('env', '*abacabaabacabad*', subject)).toBe(subject.includes('abacabaabacabad'))
      expect(test(subject)).toBe(subject.includes('abacabaabacabad'))
    }
  })

  test('10,000 times `**/`', () => {
    const pattern = '**/'.repeat(10_000)
    expect(matches('path', `${pattern}b`, `${'a/'.repeat(MEGABYTE / 2)}b`)).toBe(true)
    expect(matches('path', `${pattern}b`, 'a/'.repeat(MEGABYTE / 2))).toBe(false)
    expect(compilePatterns('path', [`${pattern}b`]).test('a/b')).toBe(true)
  })

  test('the most segments after `**`, against a megabyte', () => {
    const pattern = `**${'/a/**'.repeat(127)}/a/b`
    expect(checkPattern('path', pattern)).toEqual([])
    expect(matches('path', pattern, `${'a/'.repeat(MEGABYTE / 2)}c`)).toBe(false)
    expect(matches('path', pattern, `${'a/'.repeat(MEGABYTE / 16)}b`)).toBe(true)
  })

  test('counts the segments after `**`', () => {
    expect(checkPattern('path', `**${'/a'.repeat(256)}`)).toEqual([])
    expect(checkPattern('path', `/x/**${'/a'.repeat(257)}`)).toMatchObject([
      { reason: 'too-many-segments', offset: 5 + 513, length: 1 },
    ])
    expect(checkPattern('path', '/a'.repeat(10_000))).toEqual([])
    expect(matches('path', '/a'.repeat(10_000), '/a'.repeat(10_000))).toBe(true)
  })

  test('refuses hundreds of such patterns with a megabyte, instead of trying for minutes', () => {
    const patterns = Array.from({ length: 200 }, (_, i) => `**/*${'a'.repeat(i)}${'/a*'.repeat(250)}/b`)
    const set = compilePatterns('path', patterns)
    const subject = `${'a'.repeat(200)}/`.repeat(MEGABYTE / 200)
    const started = processorTime()
    expect(() => set.test(subject)).toThrow(/^subject 0: expected 268435456 steps at the most, got more$/)
    expect(() => set.allOf(['x', 'y', subject])).toThrow(/^subject 2: /)
    expect(processorTime() - started).toBeLessThan(30_000)
    expect(set.test('x')).toBe(false)
  })

  test('refuses a segment of a megabyte that 20,000 patterns would search', () => {
    const patterns = Array.from({ length: 20_000 }, (_, i) => `*${i}*${'a'.repeat(99)}b*`)
    const started = processorTime()
    expect(() => compileSet('env', patterns, false)!.test('a'.repeat(MEGABYTE))).toThrow(
      /^subject 0: expected 268435456/,
    )
    expect(processorTime() - started).toBeLessThan(30_000)
  })

  test('accepts 500 plain patterns that search a megabyte', () => {
    const set = compileSet(
      'env',
      Array.from({ length: 500 }, (_, i) => `*foo${i}*`),
      false,
    )!
    expect(set.firstOf([`${'lorem ipsum fo '.repeat(MEGABYTE / 15)}foo4`])).toEqual(new Int32Array([4]))
  })

  test.each([
    ['path', '/', '**', true],
    ['path', '/', '/**/a', false],
    ['path', '/', '*/*', false],
    ['host', '.', '*.*', false],
    ['tag', '/', '*', true],
    ['env', '\0', '*a', false],
    ['command', '*', '*\u002a', false],
  ] as const)('a megabyte of nothing but the %s character %j', (kind, character, pattern, expected) => {
    if (pattern === '**' && kind !== 'path') return
    const allowed = pattern.includes('**') && kind !== 'path' ? '*' : pattern
    expect(matches(kind, allowed, character.repeat(MEGABYTE))).toBe(expected || allowed === '*')
  })

  test('20,000 distinct segments in one pattern set', () => {
    const patterns = Array.from({ length: 20_000 }, (_, i) => `/d${i}/*f${i}*/${i}*`)
    const started = processorTime()
    const set = compilePatterns('path', patterns)
    expect([...set.firstOf(['/d19999/xf19999/19999', '/d7/f8/7', '/d7/f7/70'])]).toEqual([19_999, -1, 7])
    expect(processorTime() - started).toBeLessThan(10_000)
  })

  test('accepts the longest pattern, and refuses one byte more', () => {
    for (const [kind, unit] of [
      ['env', 'a'],
      ['path', 'é'],
      ['path', '/'],
      ['path', '/*'],
    ] as const) {
      const longest = unit.repeat(Math.floor(65_535 / new TextEncoder().encode(unit).length))
      expect(checkPattern(kind, longest).filter((finding) => finding.severity === 'error')).toEqual([])
      expect(matches(kind, longest, longest)).toBe(true)
      expect(checkPattern(kind, longest + unit)).toMatchObject([{ reason: 'too-long' }])
      expect(() => compilePatterns(kind, ['/', longest + unit])).toThrow(/^pattern [01]: expected at most 65535 bytes/)
    }
    expect(checkPattern('env', 'a'.repeat(1 << 28))).toMatchObject([{ reason: 'too-long', offset: 65_535 }])
  })

  test('[adl/18-9] refuses a set of more than 4 MiB', () => {
    const patterns = Array.from({ length: 64 }, () => 'a'.repeat(65_535))
    expect(compilePatterns('env', patterns).size).toBe(64)
    expect(() => compilePatterns('env', [...patterns, 'a'])).toThrow(
      new RangeError('patterns: expected 4194304 bytes at the most, got more'),
    )
    expect(compilePatterns('path', ['/'.repeat(65_535), '*'.repeat(1)]).test('/'.repeat(65_535))).toBe(true)
  })
})
