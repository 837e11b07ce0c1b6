// Random patterns and subjects through the core in both builds, the JavaScript matcher, and two independent references.
import { beforeAll, describe, expect, test } from 'vitest'
import { checkPattern, compilePatterns } from '../../bindings/core/index.ts'
import { compileTest } from '../../bindings/core/patterns.ts'
import { compileSet, KINDS } from '../../bindings/wasm/pattern.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { drawing } from './generate.ts'
import { isAllowed, tableMatches, toRegExp } from './reference.ts'

/** For each kind and build; every set has up to 40 patterns and 25 subjects. */
const SETS = casesOf(120)
const SUBJECTS = 25

describe.each(BUILDS)('[adl/4.4-10] random sets, $name', (build) => {
  beforeAll(build.use)

  test.each(KINDS)('of kind %s', (kind) => {
    const draw = drawing(KINDS.indexOf(kind) + 1)
    let pairs = 0
    let matches = 0
    for (let n = 0; n < SETS; n++) {
      const ignoreCase = draw.chance(0.3)
      const drawn = Array.from({ length: 1 + draw.below(60) }, () => draw.pattern(kind))
      const patterns = drawn.filter((pattern) => isAllowed(kind, pattern)).slice(0, 40)
      const subjects = Array.from({ length: SUBJECTS }, () => draw.subject(kind, patterns))
      const set = compilePatterns(kind, patterns, { ignoreCase })
      const { offsets, patterns: matched } = set.allOf(subjects)
      const firsts = set.firstOf(subjects)
      const twins = patterns.map((pattern) => compileTest(kind, pattern, ignoreCase))
      const expressions = patterns.map((pattern) => toRegExp(kind, pattern, ignoreCase))
      subjects.forEach((subject, i) => {
        const wanted = patterns.flatMap((pattern, p) => (tableMatches(kind, pattern, subject, ignoreCase) ? [p] : []))
        const context = { subject, patterns, ignoreCase }
        const gave = {
          core: [...matched.subarray(offsets[i], offsets[i + 1])],
          first: firsts[i],
          all: set.all(subject),
          firstOfOne: set.first(subject),
          test: set.test(subject),
          twin: patterns.flatMap((_, p) => (twins[p]!(subject) ? [p] : [])),
          expressions: patterns.flatMap((_, p) => (expressions[p]!.test(subject) ? [p] : [])),
        }
        const first = wanted[0] ?? -1
        const expected = {
          core: wanted,
          first,
          all: wanted,
          firstOfOne: first,
          test: first >= 0,
          twin: wanted,
          expressions: wanted,
        }
        if (JSON.stringify(gave) !== JSON.stringify(expected))
          expect({ ...gave, ...context }).toEqual({ ...expected, ...context })
        pairs += patterns.length
        matches += wanted.length
      })
    }
    expect(pairs).toBeGreaterThan(casesOf(20_000))
    expect(matches / pairs).toBeGreaterThan(0.02)
  })

  test.each(KINDS)('[adl/4.4-6] refuses the same patterns as the reference, of kind %s', (kind) => {
    const draw = drawing(100 + KINDS.indexOf(kind))
    for (let n = 0; n < casesOf(10_000); n++) {
      let pattern = draw.pattern(kind)
      if (draw.chance(0.05)) pattern += String.fromCharCode(draw.below(0x100))
      if (draw.chance(0.01)) pattern += '\ud800'
      const errors = checkPattern(kind, pattern).filter((finding) => finding.severity === 'error')
      const compiles = errors.length > 0 ? false : compileSet(kind, [pattern], false) !== undefined
      const allowed = isAllowed(kind, pattern)
      if (compiles !== allowed || (errors.length === 0) !== allowed)
        expect({ pattern, errors, compiles }).toEqual({ allowed })
    }
  })
})
