// Sets: their order, their limits, and subjects that the fast path cannot pass to the core.
import { beforeAll, describe, expect, test } from 'vitest'
import { compilePatterns, type PatternSet } from '../../bindings/core/index.ts'
import { compileSet } from '../../bindings/wasm/pattern.ts'
import { BUILDS } from '../support/builds.ts'

/** Matches as one list per subject. */
function lists({ offsets, patterns }: PatternSet.Matches): number[][] {
  return Array.from({ length: offsets.length - 1 }, (_, i) => [...patterns.subarray(offsets[i], offsets[i + 1])])
}

/** A set too large for trying its patterns one by one in JavaScript, with the given patterns first. */
function large(kind: 'host' | 'path', patterns: readonly string[]): PatternSet {
  return compilePatterns(kind, [...patterns, ...Array.from({ length: 20 }, (_, i) => `never${i}`)])
}

describe.each(BUILDS)('sets, $name', (build) => {
  beforeAll(build.use)

  test('a repeated pattern counts twice, and `first` returns the first', () => {
    const set = large('path', ['/b', '/a/*', '/a/b', '/a/*', '/**'])
    expect(set.all('/a/b')).toEqual([1, 2, 3, 4])
    expect(set.first('/a/b')).toBe(1)
    expect(set.test('/a/b')).toBe(true)
    expect(lists(set.allOf(['/a/b', '/b', 'x', '/a/b']))).toEqual([[1, 2, 3, 4], [0, 4], [], [1, 2, 3, 4]])
    expect([...set.firstOf(['/a/b', '/b', 'x'])]).toEqual([1, 0, -1])
  })

  test('matches far apart in the list', () => {
    const patterns = Array.from({ length: 1_000 }, (_, i) => (i % 333 === 1 ? '/a/*' : `/b/${i}`))
    const set = compilePatterns('path', patterns)
    expect(lists(set.allOf(['/a/x', '/b/998', '/a/y']))).toEqual([[1, 334, 667], [998], [1, 334, 667]])
    expect([...set.firstOf(['/a/x', '/b/998'])]).toEqual([1, 998])
  })

  test('an empty set matches nothing', () => {
    const set = compilePatterns('host', [])
    expect([set.size, set.test(''), set.first('a'), set.all('a')]).toEqual([0, false, -1, []])
    expect([...set.firstOf(['', 'a'])]).toEqual([-1, -1])
    expect(lists(set.allOf(['', 'a']))).toEqual([[], []])
  })

  test('an empty list of subjects gives an empty answer', () => {
    const set = large('host', ['*'])
    expect(set.firstOf([]).length).toBe(0)
    expect(set.allOf([])).toEqual({ offsets: new Uint32Array([0]), patterns: new Uint32Array() })
  })

  test('empty subjects are subjects', () => {
    const set = large('path', ['**', '*/a', '**/'])
    expect(lists(set.allOf(['', '', 'x', '']))).toEqual([[0, 2], [0, 2], [0], [0, 2]])
    expect([...set.firstOf([''])]).toEqual([0])
    expect(set.all('')).toEqual([0, 2])
  })

  const strange = ['/a\nb', '\n', '/\0', '\0\n\u00ff', '/a\u{10ffff}', '/a/\ud800', '\udc00', '/b']
  const wanted = [[0, 1], [1], [0, 1], [1], [0, 1], [], [], [0, 1]]

  test.each([
    ['a newline', strange.slice(0, 5)],
    ['half a surrogate pair', strange.slice(4)],
    ['both', strange],
  ])('subjects with %s', (_, subjects) => {
    const expected = subjects.map((subject) => wanted[strange.indexOf(subject)]!)
    const set = large('path', ['/**', '**'])
    expect(lists(set.allOf(subjects))).toEqual(expected)
    expect([...set.firstOf(subjects)]).toEqual(expected.map((list) => list[0] ?? -1))
    expect(subjects.map((subject) => set.all(subject))).toEqual(expected)
    expect(subjects.map((subject) => set.test(subject))).toEqual(expected.map((list) => list.length > 0))
  })

  test('splits more matches than fit one answer into portions, with a newline in a later one', () => {
    const patterns = Array.from({ length: 4_200 }, (_, i) => (i % 2 === 0 ? '**' : '/x/*'))
    const subjects = Array.from({ length: 1_200 }, (_, i) => (i === 1_199 ? '/x/\n' : `/x/${i}`))
    const set = compilePatterns('path', patterns)
    const { offsets, patterns: matched } = set.allOf(subjects)
    expect(matched.length).toBe(4_200 * 1_200)
    expect(offsets.every((offset, i) => offset === 4_200 * i)).toBe(true)
    expect(matched.every((pattern, i) => pattern === i % 4_200)).toBe(true)
  })

  test('splits more subjects than one call accepts into portions', () => {
    const subjects = ['/a', '/b/c', '/a\ud800'].map((start) => start + 'x'.repeat(6_000_000))
    const set = large('path', ['/b/*', '/*'])
    expect([...set.firstOf(subjects)]).toEqual([1, 0, -1])
    expect(lists(set.allOf(subjects))).toEqual([[1], [0], []])
  })

  test('sets coexist, and still work after their memory was dropped', () => {
    const sets = Array.from({ length: 30 }, (_, i) => compileSet('host', [`h${i}.example`, ...filler(i)], false)!)
    for (const round of [0, 1]) {
      sets.forEach((set, i) => {
        expect([round, ...set.firstOf([`H${i}.example`, `h${i + 1}.example`])]).toEqual([round, 0, -1])
      })
    }
  })
})

/** Patterns whose blob takes a megabyte: the instance keeps sixteen of them. */
function filler(seed: number): string[] {
  return Array.from({ length: 12_000 }, (_, i) => `n${i}.f${seed}.example`)
}
