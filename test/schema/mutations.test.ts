import { expect, test } from 'vitest'
import { CompiledSchema, checkSchema, compileSchema } from '../../bindings/schema/index.ts'
import { random } from '../support/random.ts'
import { hasSuite, suiteFile, suiteFiles } from '../support/suites.ts'

interface Group {
  readonly schema: unknown
  readonly tests: readonly { readonly data: unknown }[]
}

const ODD: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, '', 'x', '#', '#/', '#/$defs/a', '(', 'http://x/y'],
  ...[[], [1], [null], ['a', 'a'], {}, { a: 1 }],
  ...[{ $ref: '#' }, { $ref: '#/properties' }, { type: 3 }, { $id: 'a' }, { $anchor: 'x' }, { $dynamicRef: '#x' }],
]

function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) yield* pathsOf(member, [...path, name])
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[name] = replaced(copy[name], rest, by)
  return copy
}

// References may lead to places where no schema stands: what is there must be inspected before it is compiled.
test.runIf(hasSuite('json-schema'))('mutated schemas of the suite give problems or answers, never an exception', () => {
  const groups = suiteFiles('json-schema', 'tests')
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(new TextDecoder().decode(suiteFile('json-schema', 'tests', file))) as Group[])
  const next = random(2020)
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  let usable = 0
  for (let round = 0; round < 10_000; round++) {
    const { schema, tests } = pick(groups)
    let mutated = replaced(schema, pick([...pathsOf(schema)]), pick(ODD))
    const paths = [...pathsOf(mutated)]
    if (below(2) === 0) mutated = replaced(mutated, pick(paths), pick(ODD))
    if (below(3) === 0 && typeof mutated === 'object' && mutated !== null && !Array.isArray(mutated)) {
      const pointer = pick(paths).map(
        (name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      )
      mutated = { ...mutated, $ref: `#${pointer.join('')}` }
    }
    const compiled = compileSchema(mutated)
    if (compiled instanceof CompiledSchema) {
      usable++
      expect(checkSchema(mutated)).toEqual([])
      for (const { data } of tests) compiled.validate(data)
    } else expect(compiled.length).toBeGreaterThan(0)
  }
  expect(usable).toBeGreaterThan(1_000)
})
