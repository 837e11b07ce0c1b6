// Random expressions rarely nest lookbehinds so that the order of matching matters. These are made for that.
import { describe, expect, it } from 'vitest'
import { parseRegex } from '../../bindings/schema/regex/parse.ts'
import { Automaton } from '../../bindings/schema/regex/program.ts'
import { preparingOf, triesOf } from '../../bindings/schema/regex/regex.ts'
import { countTries, matches, TooMany } from '../oracle/backtrack.ts'
import { casesOf } from '../support/cases.ts'
import { random } from '../support/random.ts'
import { nestedLooks } from './expressions.ts'

/** Nested lookbehinds, such as `(?<=(?<=Xza*)ya*)`, with this many levels. */
function behind(levels: number, loop = 'a*'): string {
  let source = ''
  for (let i = 0; i < levels; i++) source = `(?<=${source}${String.fromCharCode(98 + i)}?${loop})`
  return source
}

const TEXTS = ['', 'a', 'ab', 'ba', 'aab', 'aaaa', 'abab', 'aaaaab', 'aaaaaaaa', 'é😀a', 'a-aa', 'baaaaaaaaa']

describe('the counting matcher', () => {
  it('agrees with the host (differential)', () => {
    const chance = random(11)
    let found = 0
    for (let i = 0; i < casesOf(2_500); i++) {
      const [source] = nestedLooks(chance)
      const regex = parseRegex(source)!
      if (preparingOf(regex) > 10_000) continue
      for (const text of TEXTS) {
        if (triesOf(regex, text.length) > 10_000) continue
        const host = new RegExp(source, 'uy')
        let expected = false
        for (let at = 0; at <= text.length && !expected; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
          host.lastIndex = at
          expected = host.test(text)
        }
        expect(matches(source, text), JSON.stringify([source, text])).toBe(expected)
        if (expected) found++
      }
    }
    expect(found).toBeGreaterThan(casesOf(2_500))
  })
})

describe('the bound on the tries of an engine', () => {
  it('is never below the counted tries for nested lookarounds', () => {
    const chance = random(5)
    let counted = 0
    for (let i = 0; i < casesOf(3_750); i++) {
      const [source] = nestedLooks(chance)
      for (const text of TEXTS) {
        const bound = triesOf(parseRegex(source)!, text.length)
        if (bound > 20_000) continue
        expect(() => countTries(source, text, bound), JSON.stringify([source, text, bound])).not.toThrow()
        counted++
      }
    }
    expect(counted).toBeGreaterThan(casesOf(12_500))
  })

  it.each([
    ['a lookbehind in a lookbehind', behind(2)],
    ['three of them', behind(3)],
    ['a lookahead inside a lookbehind', '(?<=(?=a*b)a*)'],
    ['a lookbehind in a lookahead', '(?=a*(?<=(?<=a*)a*))'],
    ['a lookbehind before a loop of a group', '(?<=(?<=a*)(?:a|b)*)'],
    ['a negated one', '(?<!(?<!a*c)a*)'],
    ['a back reference before a loop', '(a*)(?<=\\1a*)'],
  ])('accounts for the direction: %s', (_, source) => {
    for (const length of [4, 8, 16, 32]) {
      const text = 'a'.repeat(length)
      const anchored = `^a{${length}}${source}`
      const bound = triesOf(parseRegex(anchored)!, length)
      expect(() => countTries(anchored, text, bound)).not.toThrow(TooMany)
    }
  })

  it('grows with the levels of a lookbehind, until the automaton is used', () => {
    const source = `^[^]{40}${behind(12)}`
    expect(source.length).toBeLessThan(384)
    const regex = parseRegex(source)!
    expect(triesOf(regex, 40)).toBeGreaterThan(1e12)
    let visits = 0
    const automaton = Automaton.of(regex)!
    expect(automaton.test('a'.repeat(40), { spend: (steps) => (visits += steps) })).toBe(true)
    expect(visits).toBeLessThan(2_000)
  })

  it('the automaton then takes linear time, for twice the text and twice the levels', () => {
    const steps = (levels: number, length: number) => {
      let sum = 0
      const automaton = Automaton.of(parseRegex(`^[^]*${behind(levels)}$`)!)!
      automaton.test('a'.repeat(length), { spend: (paid) => (sum += paid) })
      return sum
    }
    for (const [levels, length] of [
      [4, 1_000],
      [8, 10_000],
      [16, 1_000],
    ] as const) {
      expect(steps(levels, 2 * length)).toBeLessThan(2.1 * steps(levels, length))
      expect(steps(2 * levels, length)).toBeLessThan(2.1 * steps(levels, length))
    }
  })
})
