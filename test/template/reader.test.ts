import { describe, expect, test } from 'vitest'
import { VariableReader, type Variables } from '../../bindings/core/template/template.ts'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'

/** The naive version: one look-up per name. */
const readEach = (names: string[], variables: Variables) =>
  names.map((name) => (Object.hasOwn(variables, name) ? variables[name] : undefined))

describe('reading the variables for the names of a template', () => {
  test('10,000 objects of many shapes: a reader that has seen others reads each like a new one', () => {
    const next = random(10_000)
    const pick = <T>(from: readonly T[]) => from[Math.floor(next() * from.length)]!
    let reader = new VariableReader(['a', 'b', 'c'])
    for (let i = 0; i < 10_000; i++) {
      if (i % 10 === 0) reader = new VariableReader(['a', 'b', 'c'])
      const keys = pick([
        ['a', 'b', 'c'],
        ['a', 'b', 'c'],
        ['c', 'b', 'a'],
        ['b', 'c', 'a'],
        ['a', 'b'],
        ['a', 'b', 'd'],
        ['a', 'b', 'c', 'd'],
      ])
      const variables = Object.create(
        pick([Object.prototype, null, { a: 'inherited', b: 'inherited', c: 'inherited' }]),
      )
      for (const key of keys) {
        const value = pick(['x', 'y', 1, undefined, true])
        const enumerable = next() < 0.9
        Object.defineProperty(variables, key, { value, enumerable, writable: true, configurable: true })
      }
      if (next() < 0.1) delete variables[pick(keys)]
      expect(reader.read(variables)).toEqual(readEach(['a', 'b', 'c'], variables))
    }
  })

  test('a getter that deletes a later variable makes it undefined, without falling back to an inherited one', () => {
    const reader = new VariableReader(['a', 'b'])
    const variables = () =>
      Object.assign(Object.create({ b: 'inherited' }), {}, { a: '', b: 'own' }) as Record<string, string>
    expect(reader.read(variables())).toEqual(['', 'own'])
    const changing = variables()
    Object.defineProperty(changing, 'a', { enumerable: true, get: () => delete changing['b'] && 'x' })
    const [a, b] = reader.read(changing)
    expect([a, b]).toEqual(['x', undefined])
  })

  test('reads a hundred thousand names from variables in another order quickly', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `n${i}`)
    const variables = Object.fromEntries(names.toReversed().map((name) => [name, name]))
    const reader = new VariableReader(names)
    const begin = processorTime()
    for (let i = 0; i < 3; i++) expect(reader.read(variables)).toEqual(names)
    expect(processorTime() - begin).toBeLessThan(5_000)
  })
})
