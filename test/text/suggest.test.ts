import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { suggest } from '../../bindings/text/words.ts'

/** The edit distance of two words by its definition: the shortest path through all single edits. */
function withinTwoEdits(a: string, b: string): boolean {
  const letters = [...new Set(a + b)]
  const edits = (word: string): string[] => {
    const made: string[] = []
    for (let i = 0; i <= word.length; i++) {
      const [head, tail] = [word.slice(0, i), word.slice(i)]
      if (tail !== '') made.push(head + tail.slice(1))
      if (tail.length > 1) made.push(head + tail[1] + tail[0] + tail.slice(2))
      for (const letter of letters) made.push(head + letter + tail, head + letter + tail.slice(1))
    }
    return made
  }
  return a === b || edits(a).some((once) => once === b || edits(once).includes(b))
}

describe('did you mean', () => {
  test.each([
    ['canonicalise', 'canonicalize'],
    ['cannonicalize', 'canonicalize'],
    ['mtach', 'match'],
    ['rend', 'render'],
    ['compl', 'completion'],
    ['x', undefined],
    ['c', undefined],
    ['publish', undefined],
    ['dif', 'diff'],
    ['duff', 'diff'],
    ['doft', undefined],
    ['dog', undefined],
  ])('%s: %s', (word, expected) => {
    expect(suggest(word, ['canonicalize', 'match', 'render', 'completion', 'diff'])).toBe(expected)
  })

  test.each([
    ['a2a', 'a2a-1.0'],
    ['mcp', 'mcp-2025-11-25'],
    ['mcp-serve', 'mcp-server'],
    ['adls', 'adl'],
  ])('suggests the first of several words that begin with %s, unless one is nearer: %s', (word, expected) => {
    const known = ['adl', 'card', 'a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server', 'mcp-client']
    expect(suggest(word, known)).toBe(expected)
  })

  test('suggests only words within two edits, and finds the near ones (oracle: trying all edits)', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 3, maxLength: 7 })
    fc.assert(
      fc.property(words, words, (a, b) => {
        if (b.startsWith(a)) return
        const suggested = suggest(a, [b])
        if (suggested !== undefined) expect(withinTwoEdits(a, b)).toBe(true)
        // A swap of letters with another edit between them counts as three edits here (optimal string alignment).
        else if (withinOneEdit(a, b)) throw new Error(`${b} is near ${a}`)
      }),
      { numRuns: 300 },
    )
  })
})

function withinOneEdit(a: string, b: string): boolean {
  for (let i = 0; i <= a.length; i++) {
    const [head, tail] = [a.slice(0, i), a.slice(i)]
    if (head + tail.slice(1) === b || (tail.length > 1 && head + tail[1] + tail[0] + tail.slice(2) === b)) return true
    for (const letter of 'abcd') if (head + letter + tail === b || head + letter + tail.slice(1) === b) return true
  }
  return false
}
