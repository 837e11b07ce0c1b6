import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CompiledSchema, compileSchema } from '../../bindings/schema/index.ts'
import { Automaton } from '../../bindings/schema/regex/automaton.ts'
import { parseRegex } from '../../bindings/schema/regex/parse.ts'

function automatonOf(source: string): Automaton {
  return Automaton.of(parseRegex(source)!)!
}

/** Expressions over few characters, so that subjects often match. */
const regexes = fc.letrec<{ regex: string }>((tie) => ({
  regex: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'a',
      'b',
      '-',
      '.',
      '\\d',
      '\\w',
      '\\W',
      '[ab]',
      '[^a-]',
      '[\\]b]',
      '\\p{L}',
      '\\u{1f600}',
      '\\x61',
    ),
    fc.constantFrom('^', '$', '\\b', '(?:)', '\\/', 'é', '\\ud83d\\ude00', '\\t'),
    fc.array(tie('regex'), { minLength: 2, maxLength: 3 }).map((parts) => parts.join('')),
    fc.array(tie('regex'), { minLength: 2, maxLength: 3 }).map((parts) => `(${parts.join('|')})`),
    fc
      .tuple(tie('regex'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '{1,3}?'))
      .map(([body, sign]) => `(?:${body})${sign}`),
    tie('regex').map((body) => `(?:${body})`),
  ),
})).regex

const subjects = fc.string({ unit: fc.constantFrom('a', 'b', '-', '1', ' ', 'é', '😀', '\n', '\ud83d'), maxLength: 8 })

describe('the automaton', () => {
  it('matches what the host matches (differential)', () => {
    fc.assert(
      fc.property(regexes, fc.array(subjects, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const host = new RegExp(source, 'u')
        const automaton = automatonOf(source)
        for (const text of texts) expect(automaton.test(text), JSON.stringify([source, text])).toBe(host.test(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    '^[a-z][a-z0-9_]*$',
    '^(\\([0-9]{3}\\))?[0-9]{3}-[0-9]{4}$',
    '^\\p{Lu}\\p{Ll}+( \\p{Lu}\\p{Ll}+)*$',
    '^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$',
    '[\\u{1F600}-\\u{1F64F}]',
    '^\\cJ?\\0?\\$\\.\\*$',
    '^[^\\\\\\]]+$',
    '\\bfoo\\b',
    'o\\B',
    '^(?:a|ab)(?:c|bcd)(?:d*)$',
  ])('%s', (source) => {
    const texts = [
      'a_1',
      '(888)555-1212',
      '555-1212',
      'Ada Lovelace',
      '2026-12',
      '2026-13',
      '😀',
      '$.*',
      '\n$.*',
      'a]',
      'abcd',
    ]
    const host = new RegExp(source, 'u')
    for (const text of [...texts, 'foo', 'a foo!', 'afoo', '']) {
      expect(automatonOf(source).test(text), text).toBe(host.test(text))
    }
  })

  it('is not made of what it cannot do', () => {
    for (const source of ['(a)\\1', '(?=a)b', '(?<!a)b', '(?:a{500}){500}', '(?<x>a)\\k<x>']) {
      const regex = parseRegex(source)
      expect(regex).toBeDefined()
      expect(Automaton.of(regex!), source).toBeUndefined()
    }
    expect(parseRegex(`${'('.repeat(60)}a${')'.repeat(60)}`)).toBeUndefined()
  })
})

/** Expressions that make a backtracking engine take exponential or cubic time, and subjects that do not match them. */
const SLOW: readonly (readonly [pattern: string, subject: string])[] = [
  ['^(a+)+$', `${'a'.repeat(50_000)}!`],
  ['^(a|a)*$', `${'a'.repeat(50_000)}!`],
  ['^(a|b|ab)*c$', 'ab'.repeat(25_000)],
  ['(.*,){11}P', `${'1,'.repeat(5_000)}`],
  ['a*a*a*a*a*b', 'a'.repeat(20_000)],
  [`${'a?'.repeat(30)}${'a'.repeat(30)}b`, 'a'.repeat(10_000)],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    `a${'a'.repeat(20_000)}`,
  ],
  ['\\s+$', `${' '.repeat(100_000)}x`],
]

function validate(pattern: string, value: unknown) {
  const schema = compileSchema({ pattern })
  if (!(schema instanceof CompiledSchema)) throw new Error(JSON.stringify(schema))
  return schema.validate(value, { maxSteps: 100_000_000 })
}

describe('patterns', () => {
  it.each(SLOW)('%s takes linear time', (pattern, subject) => {
    const begin = performance.now()
    expect(validate(pattern, subject)).toMatchObject([{ keyword: 'pattern' }])
    expect(performance.now() - begin).toBeLessThan(5_000)
  })

  it('with a look ahead, as for passwords, are matched in texts as long as passwords', () => {
    const pattern = '^(?=.*[A-Z])(?=.*[0-9]).{8,}$'
    expect(validate(pattern, 'correctHorse7')).toEqual([])
    expect(validate(pattern, 'correcthorse7')).toMatchObject([{ keyword: 'pattern' }])
  })

  it('that only the host can match, and slowly, end as such and never as a match', () => {
    for (const pattern of ['^(?=(a+)+b)', '(a*)*\\1b', '^(?!(a|a)*b)']) {
      expect(validate(pattern, 'a'.repeat(10_000))).toMatchObject([{ keyword: 'limit', params: { limit: 'steps' } }])
    }
  })

  it('take many subjects within the budget that every value has', () => {
    const schema = compileSchema({ items: { pattern: '^[A-Z]{2,3}-[0-9]+(\\.[0-9]+)?$' } })
    if (!(schema instanceof CompiledSchema)) throw new Error('no schema')
    expect(schema.validate(Array.from({ length: 10_000 }, (_, i) => `AB-${i}`))).toEqual([])
  })
})
