// Tests growth in two dimensions at once, for each parser: neither the size of an input nor its shape may multiply its cost.
import { expect, test } from 'vitest'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'
import { DOCUMENT_SPLITS } from './growth.documents.ts'
import { MULTIPLIED, SPLITS, type Split } from './growth.splits.ts'

/** Less harms nobody. Long runs compare more shapes: this is about the least that can be measured. */
const LEAST_MS = process.env['BLAZON_SEED'] === undefined ? 100 : 40
/** The whole is four quarters: linear work costs four times as much, quadratic sixteen times. Stricter in long runs. */
const MOST_GROWTH = process.env['BLAZON_SEED'] === undefined ? 9 : 7.5
/** Both dimensions together, compared with each alone. */
const MOST_FACTOR = 8

/** In long runs sizes grow, and each seed divides them between the dimensions in its own way. */
const seed = process.env['BLAZON_SEED']
const next = seed === undefined ? undefined : random(Number(seed))
const grownBy = (size: number) => (next === undefined ? size : Math.ceil(size * 2 ** (next() * 2)))

function effortOf(split: Split, [m, n]: readonly [m: number, n: number], tries = 1): number {
  const call = split.make(Math.max(1, Math.ceil(m)), Math.max(1, Math.ceil(n)))
  const efforts = Array.from({ length: tries }, () => {
    const before = processorTime()
    call()
    return processorTime() - before
  })
  return Math.round(Math.min(...efforts))
}

/** The sizes that the whole is compared with, and how much more it may cost. */
function comparisonsOf({ area, bound }: Split, [a, b]: readonly [m: number, n: number]) {
  const part = area === 'sum' ? 4 : 2
  const growth = { name: 'a quarter', sizes: [[a / part, b / part]], most: MOST_GROWTH } as const
  if (bound !== undefined) return [growth]
  const ends =
    area === 'sum'
      ? ([
          [a, 1],
          [1, b],
        ] as const)
      : ([
          [a * b, 1],
          [1, a * b],
        ] as const)
  return [growth, { name: 'one dimension alone', sizes: ends, most: MOST_FACTOR }] as const
}

function faultsOf(split: Split): string[] {
  const whole = split.size === MULTIPLIED ? MULTIPLIED : ([grownBy(split.size[0]), grownBy(split.size[1])] as const)
  const compare = (cost: number, tries: number) =>
    comparisonsOf(split, whole).flatMap(({ name, sizes, most }) => {
      // Most shapes are so cheap that there is nothing to compare.
      if (cost < LEAST_MS) return []
      const reference = sizes.reduce((sum, size) => sum + effortOf(split, size, tries), 0)
      return cost <= most * reference ? [] : [`${cost} ms at ${whole.join(' x ')}, ${reference} ms at ${name}`]
    })
  const faults = compare(effortOf(split, whole), 1)
  // A pause of the machine is not growth: what failed is measured again.
  return faults.length === 0 ? [] : compare(effortOf(split, whole, 4), 4)
}

const names = [...SPLITS, ...DOCUMENT_SPLITS].map((split) => [split.name, split] as const)

test('each shape has its own name', () => {
  expect(new Set(names.map(([name]) => name)).size).toBe(names.length)
})

test.each(names)('%s: costs in proportion to its size, in whatever shape', (_, split) => {
  expect(faultsOf(split)).toEqual([])
})
