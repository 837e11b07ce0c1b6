import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CompiledSchema, compileSchema } from '../../bindings/schema/index.ts'
import { isRegex, parseRegex } from '../../bindings/schema/regex/parse.ts'
import { Automaton } from '../../bindings/schema/regex/program.ts'
import { Plan, triesOf } from '../../bindings/schema/regex/regex.ts'
import { Resource, Run } from '../../bindings/schema/run.ts'
import { ROOT } from '../../bindings/schema/shapes.ts'
import { countTries, TooMany } from '../oracle/backtrack.ts'
import { casesOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { EXPRESSIONS } from './expressions.ts'

/** An automaton without a budget. */
function automatonOf(source: string) {
  const automaton = Automaton.of(parseRegex(source)!)!
  return { test: (text: string) => automaton.test(text, { spend() {} }) }
}

/** RegExpBuiltinExec of ECMA-262 (section 22.2.7.2): a match begins at a character boundary. */
function matchesAtCharacters(source: string, text: string): boolean {
  const host = new RegExp(source, 'uy')
  for (let at = 0; at <= text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) {
    host.lastIndex = at
    if (host.test(text)) return true
  }
  return false
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
      .tuple(tie('regex'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '{2,}', '*?', '{1,3}?', '{0}'))
      .map(([body, sign]) => `(?:${body})${sign}`),
    fc.tuple(fc.constantFrom('', '?=', '?!', '?<=', '?<!'), tie('regex')).map(([sign, body]) => `(${sign}${body})`),
  ),
})).regex

const subjects = fc.string({ unit: fc.constantFrom('a', 'b', '-', '1', ' ', 'é', '😀', '\n', '\ud83d'), maxLength: 8 })

describe('the automaton', () => {
  it('agrees with the host (differential)', () => {
    fc.assert(
      fc.property(regexes, fc.array(subjects, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const automaton = automatonOf(source)
        for (const text of texts)
          expect(automaton.test(text), JSON.stringify([source, text])).toBe(matchesAtCharacters(source, text))
      }),
      { numRuns: casesOf(3_000) },
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

  it('is used where engines look inside characters: no match begins within a surrogate pair', () => {
    for (const source of ['(?![^a])(?!(?<=[^a]))', '(?!.)(?<!.)', '(?:(?!.)(?<!.))*(?!.)(?<!.)', '(?!(?<=.))(?!.)']) {
      for (const text of ['😀', 'a', '', 'x😀', '😀😀'])
        expect(
          new Plan(source).test(text, new Run(new Resource('', true, ROOT, '', { draft: 2020 }), 1_000_000, 1)),
          `${source} ${text}`,
        ).toBe(text === '' || (source.includes('[^a]') && text === 'a'))
    }
  })

  it('is not built for unsupported or too large expressions', () => {
    for (const source of ['(a)\\1', '(?:a{500}){500}', '(?<x>a)\\k<x>', '(?=(a)\\1)b']) {
      const regex = parseRegex(source)
      expect(regex).toBeDefined()
      expect(Automaton.of(regex!), source).toBeUndefined()
    }
    expect(parseRegex(`${'('.repeat(60)}a${')'.repeat(60)}`)).toBeUndefined()
  })
})

describe('the bound on the tries of an engine', () => {
  it('is never below the tries of a textbook engine (another implementation)', () => {
    fc.assert(
      fc.property(regexes, fc.array(subjects, { minLength: 1, maxLength: 3 }), (source, texts) => {
        const regex = parseRegex(source)!
        for (const text of texts) {
          const bound = triesOf(regex, text.length)
          // Expressions with a larger bound never reach the host.
          if (bound > 20_000) continue
          expect(countTries(source, text, bound), JSON.stringify([source, text])).toBeLessThanOrEqual(bound)
        }
      }),
      { numRuns: casesOf(3_000) },
    )
  })

  it.each(['(^|^)', '(^|^aa)', '(^a|^b|^c)d', '^(^|^)', '((^|^)|(^|^))a'])(
    'includes the cost of finding that %s matches nowhere else',
    (source) => {
      const regex = parseRegex(source)!
      for (const text of ['', 'a', 'aaa', 'b'.repeat(20)]) {
        const bound = triesOf(regex, text.length)
        expect(countTries(source, text, bound), text).toBeLessThanOrEqual(bound)
      }
    },
  )

  it('is not below them for expressions of attackers, wherever the tries can be counted', () => {
    let counted = 0
    for (const [source, unit] of EXPRESSIONS) {
      const regex = parseRegex(source)
      if (regex === undefined) continue
      for (const length of [1, 2, 5, 12, 24]) {
        const text = unit.repeat(length).slice(0, length)
        const bound = triesOf(regex, text.length)
        if (bound > 200_000) continue
        expect(countTries(source, text, bound), JSON.stringify([source, text])).toBeLessThanOrEqual(bound)
        counted++
      }
    }
    expect(counted).toBeGreaterThan(500)
  })

  it('checks that the counting engine counts', () => {
    expect(() => countTries('^(a+)+$', 'a'.repeat(24), 1_000)).toThrow(TooMany)
    expect(countTries('^abc$', 'abc', 100)).toBe(5)
  })

  it('allows the host only while it is small, for every length', () => {
    for (const [source] of EXPRESSIONS) {
      const plan = new Plan(source)
      for (let length = 1; length <= 1 << 24; length *= 2) {
        const tries = plan.hostTries(length)
        if (tries !== undefined) expect(tries, `${source} at ${length}`).toBeLessThanOrEqual(16_384 + 128 * length)
      }
    }
  })
})

describe('isRegex', () => {
  const SYNTAX = [
    '\\p{L}',
    '\\P{Lu}',
    '\\p{Script=Greek}',
    '\\p{L',
    '\\p{Nothing}',
    '\\pL',
    '\\p',
    '\\p{}',
    '\\\\p{L}',
    '\\p{RGI_Emoji}',
  ]
  const AROUND = [
    'x',
    '[x]',
    '[^x]',
    '[a-x]',
    '[x-z]',
    '(?<x>a)',
    '\\k<x>',
    '\\cx',
    '\\ux',
    '\\xx',
    'x{2}',
    '(?:x)+',
    '{x}',
    '\\x',
  ]

  it('agrees with the host, also for properties (differential)', () => {
    for (const property of SYNTAX) {
      for (const around of AROUND) {
        const source = around.replaceAll('x', () => property)
        let expected = true
        try {
          new RegExp(source, 'u')
        } catch {
          expected = false
        }
        expect(isRegex(source), source).toBe(expected)
      }
    }
  })

  it('refuses groups that only some hosts support', () => {
    for (const source of ['(?i:a)', '(?-i:a)', '(?<a>x)|(?<a>y)']) expect(isRegex(source), source).toBe(false)
    for (const source of ['\\(?i', '[(?i:]', '(?<a>x)|(?<b>y)', '(?<=a)|(?<=a)'])
      expect(isRegex(source), source).toBe(true)
  })

  it('accepts all expressions of the tables', () => {
    for (const [source] of EXPRESSIONS) expect(isRegex(source), source).toBe(true)
    expect(EXPRESSIONS.length).toBeGreaterThanOrEqual(300)
  })
})

/** Expressions for which a backtracking engine takes exponential or cubic time, with subjects that do not match. */
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
    const begin = processorTime()
    expect(validate(pattern, subject)).toMatchObject([{ keyword: 'pattern' }])
    expect(processorTime() - begin).toBeLessThan(5_000)
  })

  it('with a lookahead, as for passwords, match texts as long as passwords', () => {
    const pattern = '^(?=.*[A-Z])(?=.*[0-9]).{8,}$'
    expect(validate(pattern, 'correctHorse7')).toEqual([])
    expect(validate(pattern, 'correcthorse7')).toMatchObject([{ keyword: 'pattern' }])
  })

  it('that only the host could match, but slowly, stop at the limit and never count as a match', () => {
    for (const pattern of ['(a*)*\\1b', '^(?!.*(.)\\1{3}).+$']) {
      expect(validate(pattern, 'a'.repeat(10_000))).toMatchObject([{ keyword: 'limit', params: { limit: 'steps' } }])
    }
  })

  it('test many subjects within the budget of a value', () => {
    const schema = compileSchema({ items: { pattern: '^[A-Z]{2,3}-[0-9]+(\\.[0-9]+)?$' } })
    if (!(schema instanceof CompiledSchema)) throw new Error('no schema')
    expect(schema.validate(Array.from({ length: 10_000 }, (_, i) => `AB-${i}`))).toEqual([])
  })
})

describe('characters beyond U+FFFF', () => {
  /** From the host's own engine, with the flag u. */
  const ATOMS = [
    '👍',
    '👎',
    '😀',
    'a',
    '\\u{1F44D}',
    '\\ud83d\\udc4e',
    '[👍-👎]',
    '[^👍]',
    '[😀a]',
    '.',
    '\\ud83d',
    '\\P{L}',
  ]
  const TEXTS = ['', '👍', '👎', '😀', 'a', '👍👎', '👎👍', 'a👍', '👍a👎', '\ud83d', '👎\ud83d', '😀😀', '👍👍👍']

  const expression = fc.letrec<{ regex: string }>((tie) => ({
    regex: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...ATOMS),
      fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => a + b),
      fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie('regex'), fc.constantFrom('?', '*', '+', '{2}')).map(([a, sign]) => `(?:${a})${sign}`),
    ),
  })).regex

  it('match in the automaton as in the host', () => {
    for (const source of ['^(?:👍|👎)+$', '^(?:👍|😀)$', '^👍*👎$'])
      for (const text of TEXTS)
        expect(automatonOf(source).test(text), `${source} ${text}`).toBe(matchesAtCharacters(source, text))
    fc.assert(
      fc.property(expression, fc.boolean(), (body, isWhole) => {
        const source = isWhole ? `^(?:${body})$` : body
        for (const text of TEXTS)
          expect(automatonOf(source).test(text), `${source} ${text}`).toBe(matchesAtCharacters(source, text))
      }),
      { numRuns: 300 },
    )
  })
})
