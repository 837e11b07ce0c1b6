// Large or deep documents that are designed to make kind detection slow. Its time must grow linearly with the document.
import { describe, expect, test } from 'vitest'
import { validate, verify } from '../../bindings/index.ts'
import { IS_WHOLE } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'

/** Few enough to stay below the most tokens of YAML. */
const manyNames = (n: number) => Array.from({ length: n / 4 }, (_, i) => `name${i}: 1\n`).join('')

const SHAPES: Readonly<Record<string, (n: number) => string>> = {
  'a definition behind very many members': (n) =>
    `{${Array.from({ length: n }, (_, i) => `"m${i}":1`).join(',')},"adl_spec":"0.1.0"}`,
  'a list of agents of which the last tells the kind': (n) =>
    `{"agents":[${'{"x":1},'.repeat(n)}{"adl_document":"x"}]}`,
  'a long run record': (n) => `{"run_id":"r","steps":[${'{"a":[1,2]},'.repeat(n)}1]}`,
  'very many deep lists': (n) => `{"run_id":"r","steps":[${`${'['.repeat(500)}${']'.repeat(500)},`.repeat(n / 100)}1]}`,
  'YAML of one name again and again': (n) => `${'a: b\n'.repeat(n)}adl_spec: 1\n`,
  'YAML of very many names': (n) => manyNames(n),
  'YAML of very many names, read by the package': (n) => `a: &b 1\n${manyNames(n)}`,
  'YAML of names with nothing beside them': (n) => `${'entries:\n\n'.repeat(n)}`,
  'YAML of half a line': (n) => `a:${' '.repeat(n * 8)}`,
}

function timeOf(work: () => unknown): number {
  const start = processorTime()
  work()
  return processorTime() - start
}

describe('kind detection', () => {
  test.each(Object.entries(SHAPES))('%s', (_, make) => {
    const size = IS_WHOLE ? 80_000 : 40_000
    const [small, large] = [make(size / 4), make(size)]
    validate(small)
    // Four times the document: linear is 4, quadratic 16. Other processes may use the processor, so a slow try is repeated.
    const isLinear = () => timeOf(() => validate(large)) < 10 * timeOf(() => validate(small)) + 100
    expect(isLinear() || isLinear() || isLinear()).toBe(true)
  })

  test.each([
    ['a definition beyond its bounds', `{"adl_spec":"${'x'.repeat(1 << 20)}"}`, 'adl', 'DOC-114'],
    ['one that hides its kind behind an escape', `{"\\u0061dl_spec":"${'x'.repeat(1 << 20)}"}`, 'adl', 'DOC-114'],
    ['one whose kind stands last', `{"x_a":"${'x'.repeat(1 << 20)}","adl_spec":"0.1.0"}`, 'adl', 'DOC-114'],
    [
      'one that also claims to be a run record',
      `{"run_id":"${'x'.repeat(1 << 20)}","steps":[],"adl_spec":"0.1.0"}`,
      'adl',
      'DOC-114',
    ],
    [
      'a prototype is not a member',
      `{"__proto__":{"adl_spec":"0.1.0"},"a":"${'x'.repeat(1 << 20)}"}`,
      undefined,
      'DOC-187',
    ],
    ['a kind of a name within', `{"a":{"adl_spec":"0.1.0"},"b":"${'x'.repeat(1 << 20)}"}`, undefined, 'DOC-187'],
  ])('%s', (_, source, kind, code) => {
    const report = validate(source)
    expect([report.kind, report.valid, report.diagnostics[0]!.code]).toEqual([kind, false, code])
  })

  test('documents beyond the limits of their kind are not verified', async () => {
    const { verdict, steps } = await verify(`{"adl_spec":"0.1.0","x_a":${'['.repeat(40)}${']'.repeat(40)}}`)
    expect([verdict, steps[0]!.diagnostic!.code]).toEqual(['failed', 'DOC-113'])
  })
})
