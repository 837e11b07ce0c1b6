import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPattern, compilePatterns } from '../../../bindings/core/index.ts'
import { Inclusion } from '../../../bindings/policy/inclusion.ts'
import { spellWindowsPattern } from '../../../bindings/policy/path.ts'
import { processorTime } from '../../support/effort.ts'

const KINDS = ['host', 'path', 'env', 'command'] as const

describe('[adl/9.1-1] one pattern includes everything that another matches', () => {
  test.each([
    ['host', 'a.example', '*.example', true],
    ['host', '*.A.example', '*.a.EXAMPLE', true],
    ['host', 'a*.example', '*.example', true],
    ['host', '*.example', 'a*.example', false],
    ['host', '*.a.example', '*.example', false],
    ['host', '*.*.example', '*.a.example', false],
    ['host', 'a.example', '*', true],
    ['host', '*', '*.example', false],
    ['host', '*', '*', true],
    ['path', '/data/a', '/data/**', true],
    // A shell of POSIX takes the backslash away.
    ['command', 'C:\\bin\\git', 'C:\\*', false],
    ['path', '/data/**', '/data/**', true],
    ['path', '/data/a/**', '/data/**', true],
    ['path', '/data/*', '/data/**', true],
    ['path', '/data/**', '/data/*', false],
    ['path', '/data', '/data/**', false],
    ['path', '/a/**/b', '/a/**', true],
    ['path', '/a/**/b/**/c', '/a/**/c', true],
    ['path', '/a/**/c', '/a/**/b/**/c', false],
    ['path', '/a/b', '/a/**/b', true],
    ['path', '/a/*/b', '/a/**/b', true],
    ['path', '/a/**/b', '/a/*/b', false],
    ['path', '/a/**', '/a/**/*', true],
    ['path', '/a/**/*', '/a/**', true],
    ['path', '/a/**/**/b', '/a/**/b', true],
    ['path', '/x/**', '**', true],
    ['path', '*', '**', true],
    ['path', '**', '/**', false],
    ['path', '/a*b/c', '/a*/c', true],
    ['path', '/a*c', '/a*b*c', false],
    ['path', 'C:\\a\\b', 'C:\\a\\*', true],
    ['path', 'C:\\a\\b\\c', 'C:\\a\\*', false],
    ['path', '/données/a', '/données/**', true],
    ['path', '/e\u0301/a', '/e*/a', false],
    ['env', 'APP_*', '*', true],
    ['env', 'APP_SECRET_*', 'APP_*', true],
    ['env', 'APP_*', 'APP_SECRET_*', false],
    ['env', '*_A_*', '*_*', true],
    ['env', 'APP_A', 'app_a', false],
    ['command', '/usr/bin/*', '/usr/*', true],
    ['command', 'git-*', 'git', false],
    ['command', 'git-lfs', 'git*', true],
    ['command', 'git;ls', 'git*', false],
    ['command', 'git;ls', '*', true],
  ] as const)('%s: %s in %s: %s', (kind, inner, outer, wanted) => {
    expect(new Inclusion(kind).holds(inner, outer)).toBe(wanted)
  })

  test.each(KINDS)('%s: never reports inclusion of patterns that some text distinguishes', (kind) => {
    const separator = { host: '.', path: '/', env: '_', command: '-' }[kind]
    const part = fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .stringMatching(kind === 'path' ? /^[abAé\\*]{1,3}$/ : /^[abA*]{1,3}$/)
          .filter((text) => !text.includes('**')),
      },
      { weight: kind === 'path' ? 3 : 0, arbitrary: fc.constant('**') },
      { weight: kind === 'path' ? 3 : 0, arbitrary: fc.constantFrom('a\\b', 'a\\*', '*\\b', 'a*') },
    )
    const pattern = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(separator))
      .filter((text) => checkPattern(kind, text).every(({ severity }) => severity !== 'error'))
    const filler = fc
      .array(fc.constantFrom('a', 'b', 'A', 'z', '\\', separator), { maxLength: 4 })
      .map((units) => units.join(''))
    let held = 0
    let matched = 0
    fc.assert(
      fc.property(pattern, pattern, fc.array(filler, { minLength: 6, maxLength: 6 }), (inner, outer, fillers) => {
        if (!new Inclusion(kind).holds(inner, outer)) return
        if (inner !== outer && outer !== '*') held++
        // On Windows, patterns have another spelling.
        const systems = kind === 'path' ? [(text: string) => text, spellWindowsPattern] : [(text: string) => text]
        // Texts that the inner pattern is likely to match: its wildcards are replaced, also by parts of the outer
        // pattern.
        const subjects = fillers.flatMap((text, i) => [
          inner.replaceAll('**', text).replaceAll('*', fillers[(i + 1) % fillers.length]!),
          inner.replaceAll(`**${separator}`, text === '' ? '' : text + separator).replaceAll('*', text),
          outer.replaceAll('*', text),
          text,
        ])
        for (const spell of systems) {
          const [narrow, wide] = [inner, outer].map((pattern) => compilePatterns(kind, [spell(pattern)]))
          for (const subject of subjects.map(spell)) {
            if (!narrow!.test(subject)) continue
            matched++
            if (!wide!.test(subject)) expect({ inner, outer, subject }).toBe('matched by both')
          }
        }
      }),
      { numRuns: 2500, seed: 4 },
    )
    expect(held).toBeGreaterThan(30)
    expect(matched).toBeGreaterThan(500)
  })

  test('gives up on comparisons that take too long', () => {
    const start = processorTime()
    const inclusion = new Inclusion('path')
    const inner = `/${'a/'.repeat(30_000)}b`
    const outer = `/${'**/a/a/'.repeat(200)}c`
    for (let i = 0; i < 100; i++) expect(inclusion.holds(`${inner}${i}`, outer)).toBe(false)
    const many = Array.from({ length: 20_000 }, (_, i) => ({ pointer: '', value: `/x${i}/*` }))
    for (const { value } of many) inclusion.find(`/y${value}`, many)
    expect(processorTime() - start).toBeLessThan(10_000)
  })
})
