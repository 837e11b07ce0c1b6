import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Ruleset } from '../../bindings/document/finding.ts'
import { RULESETS } from '../../bindings/frame/subject.ts'
import type { Options } from '../../cli/command.ts'
import { readArguments } from '../../cli/run.ts'

const DECLARED = {
  ruleset: { value: 'NAME', choices: RULESETS, about: '' },
  report: { value: 'FORMAT', choices: ['json', 'sarif'], withFile: true, many: true, about: '' },
  limit: { value: 'N', number: true, about: '' },
  tag: { value: 'TAG', many: true, about: '' },
  fix: { short: 'f', about: '' },
  out: { value: 'FILE', needed: 'as in --out a.json', about: '' },
} as const satisfies Options

const read = (line: string) => readArguments('demo', DECLARED, line.split(' '))

describe('options have the types of their declarations', () => {
  test('given options', () => {
    const line =
      '--ruleset strict --report json:a:b --report sarif --limit 4294967295 --tag a --tag=-b -f --out x y -- z'
    const { options, positionals, rest } = read(line)
    expect(options).toMatchObject({
      ruleset: 'strict',
      report: [
        { choice: 'json', file: 'a:b' },
        { choice: 'sarif', file: undefined },
      ],
      limit: 4294967295,
      tag: ['a', '-b'],
      fix: true,
      out: 'x',
      quiet: false,
    })
    expect([positionals, rest]).toEqual([['y', 'z'], ['z']])
    expectTypeOf(options.ruleset).toEqualTypeOf<Ruleset | undefined>()
    expectTypeOf(options.report[0]!.choice).toEqualTypeOf<'json' | 'sarif'>()
    expectTypeOf(options.limit).toEqualTypeOf<number | undefined>()
    expectTypeOf(options.tag).toEqualTypeOf<readonly string[]>()
    expectTypeOf(options.fix).toEqualTypeOf<boolean>()
    expectTypeOf(options.out).toEqualTypeOf<string>()
    expectTypeOf(options['max-depth']).toEqualTypeOf<number | undefined>()
  })

  test('a fingerprint that begins with a dash is an operand', () => {
    const [one, two] = [`-${'x'.repeat(42)}`, `--${'-_A'.repeat(13)}hf`]
    const { options, positionals, rest } = read(`${one} --out ${two} --tag ${one} ${two} -- ${one}`)
    expect(options).toMatchObject({ out: two, tag: [one], quiet: false, fix: false })
    expect([positionals, rest]).toEqual([[one, two, one], [one]])
    expect(() => read(`${one}q --out x`)).toThrow(/unknown option/)
  })

  test('absent options', () => {
    const { options, rest } = read('--out x')
    expect(options).toMatchObject({ report: [], tag: [], fix: false, format: [], help: false })
    expect([options.ruleset, options.limit, rest]).toEqual([undefined, undefined, undefined])
  })

  test('the last of several values counts', () => {
    expect(read('--ruleset spec --ruleset security --out a --out b').options).toMatchObject({
      ruleset: 'security',
      out: 'b',
    })
  })

  test.each([
    ['--fix', 'demo needs --out'],
    ['--out x --ruleset lax', '--ruleset has no value "lax"'],
    ['--out x --report json:', '--report has no value "json:"'],
    ['--out x --limit 4294967296', '--limit: expected an integer from 0 to 4294967295, got "4294967296"'],
    ['--out x --limit 0x10', '--limit: expected an integer from 0 to 4294967295, got "0x10"'],
    ['--out x --constructor', 'unknown option --constructor'],
  ])('%s', (line, message) => expect(() => read(line)).toThrow(message))

  test('help needs no required options', () => {
    expect(read('--help').options.help).toBe(true)
  })
})
