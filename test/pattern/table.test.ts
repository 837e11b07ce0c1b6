// Runs the table of fixtures/patterns through every matcher: the core in both builds, one by one and many at once, the
// JavaScript version, and the two references that the random tests use.
import { beforeAll, describe, expect, test } from 'vitest'
import { checkPattern, compilePatterns, PatternError, type PatternKind } from '../../bindings/core/index.ts'
import { compileTest } from '../../bindings/core/patterns.ts'
import { compileSet, KINDS } from '../../bindings/wasm/pattern.ts'
import { BUILDS } from '../support/builds.ts'
import { CLEAN, MATCHES, REFUSED, WARNED } from './cases.ts'
import { isAllowed, tableMatches, toRegExp } from './reference.ts'

const title = ([kind, pattern, subject, , from]: (typeof MATCHES)[number]) =>
  `${kind} ${JSON.stringify(pattern)} and ${JSON.stringify(subject)} (${from})`

type Matcher = (kind: PatternKind, pattern: string, subject: string) => boolean

function expectTable(matches: Matcher): void {
  const wrong = MATCHES.filter(([kind, pattern, subject, expected]) => matches(kind, pattern, subject) !== expected)
  expect(wrong.map(title)).toEqual([])
}

describe('[adl/4.4-1] [adl/4.4-2] [adl/4.4-3] [adl/4.4-4] [adl/4.4-8] [adl/4.4-10] [adl/4.4-11] [card/3.6.1-1] what matches', () => {
  for (const build of BUILDS) {
    describe(`the core, ${build.name}`, () => {
      beforeAll(build.use)

      test('one by one', () => {
        expectTable((kind, pattern, subject) => compileSet(kind, [pattern], false)!.firstOf([subject])[0] === 0)
      })

      test.each(KINDS)('all of kind %s as one set', (kind) => {
        const rows = MATCHES.filter((row) => row[0] === kind)
        const patterns = [...new Set(rows.map((row) => row[1]))]
        const { offsets, patterns: matched } = compilePatterns(kind, patterns).allOf(rows.map((row) => row[2]))
        const wrong = rows.filter(([, pattern, , expected], i) => {
          const hits = matched.subarray(offsets[i], offsets[i + 1])
          return hits.includes(patterns.indexOf(pattern)) !== expected
        })
        expect(wrong.map(title)).toEqual([])
      })
    })
  }

  test('the JS version', () => expectTable((kind, pattern, subject) => compileTest(kind, pattern, false)(subject)))
  test('the public test of one pattern', () =>
    expectTable((kind, pattern, subject) => compilePatterns(kind, [pattern]).test(subject)))
  test('the reference by tables', () => expectTable(tableMatches))
  test('the reference by regular expressions', () =>
    expectTable((kind, pattern, subject) => toRegExp(kind, pattern).test(subject)))
})

describe('[adl/4.4-5] [adl/4.4-6] [adl/D-6] [adl/18-6] [adl/18-7] [adl/18-8] refused patterns', () => {
  test.each(REFUSED)('%s %j: %s', (kind, pattern, reason, offset, length) => {
    const errors = checkPattern(kind, pattern).filter((finding) => finding.severity === 'error')
    const [finding, ...others] = errors
    expect(finding).toMatchObject({ severity: 'error', reason, offset, length })
    expect(finding!.message).toMatch(/^expected [^\n]+, got [^\n]+$/)
    expect(others).toEqual([])
    expect(() => compilePatterns(kind, [pattern])).toThrow(PatternError)
    expect(isAllowed(kind, pattern)).toBe(false)
  })
})

describe('[adl/4.4-7] [adl/4.4-8] [adl/4.4-9] [adl/18-3] patterns accepted with a warning', () => {
  test.each(WARNED)('%s %j: %s', (kind, pattern, reason, offset, length) => {
    const [finding, ...others] = checkPattern(kind, pattern)
    expect(finding).toMatchObject({ severity: 'warning', reason, offset, length })
    expect(finding!.message).toMatch(/^expected [^\n]+, got [^\n]+$/)
    expect(others).toEqual([])
    expect(compilePatterns(kind, [pattern]).size).toBe(1)
    expect(isAllowed(kind, pattern)).toBe(true)
  })

  test.each(CLEAN)('%s %j: no findings', (kind, pattern) => {
    expect(checkPattern(kind, pattern)).toEqual([])
    expect(isAllowed(kind, pattern)).toBe(true)
  })
})
