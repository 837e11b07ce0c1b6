// A short version of the long run (test/soak/attacks.mjs): numbers, documents and raw exports with random input.
import { expect, test } from 'vitest'
import { attackDocuments, attackDoubles } from './canonical.ts'
import { attackExports } from './exports.ts'

test('doubles are written as the engine writes them, and read back', () => {
  expect(attackDoubles(100_000, 11)).toEqual([])
})

test('documents have the same canonical form as in other implementations', () => {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return new Map(members.map(([name, member]) => [name, sorted(member)]))
  }
  const write = (value: unknown): string => {
    if (value instanceof Map)
      return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`
    return Array.isArray(value) ? `[${value.map(write).join(',')}]` : JSON.stringify(value)
  }
  expect(attackDocuments(4_000, 12, (value) => write(sorted(value)))).toEqual([])
})

test('no input makes an export trap or hang, and both builds of the module agree', () => {
  expect(attackExports(20_000, 13)).toEqual([])
})
