import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import * as core from '../../bindings/core/index.ts'
import * as blazon from '../../bindings/index.ts'
import { type Api, hasRunner, runBody } from './body.ts'
import { readVectors } from './vectors.ts'

// A host may give the core no more memory at any point. Whatever call that hits: it is refused, with the words for it,
// or it gives the answer that it gives with memory to spare; it never traps, and the next call works.

const FOLDER = process.env['BLAZON_CORE'] ?? 'dist/wasm'
const api = { ...core, ...blazon } as Api
const cases = readVectors('abi').filter(hasRunner)

afterAll(() => blazon.initSync(new WebAssembly.Module(readFileSync(`${FOLDER}/core.wasm`))))

test.each(['core.wasm', 'core-baseline.wasm'])('[rfc8259/9-1] %s with little memory', (file) => {
  const bytes = readFileSync(`${FOLDER}/${file}`)
  blazon.initSync(new WebAssembly.Module(bytes))
  const wanted = runBody(api, cases)
  const other: string[] = []
  const refused = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55].map((more) => {
    blazon.initSync(new WebAssembly.Module(limitMemory(bytes, more)))
    const outcomes = runBody(api, cases)
    const wrong = outcomes.map((outcome, i) => !isMemoryRefusal(outcome) && !isDeepStrictEqual(outcome, wanted[i]))
    other.push(...cases.filter((_, i) => wrong[i]).map(({ id }) => `${id} with ${more} more pages`))
    return outcomes.filter(isMemoryRefusal).length
  })
  expect(other).toEqual([])
  // Some cases need more than a page, hardly any more than 55.
  expect(refused[0]).toBeGreaterThan(refused.at(-1)!)
  expect(refused.at(-1)).toBeLessThan(20)
})

function isMemoryRefusal(outcome: unknown): boolean {
  const { threw, refused } = outcome as { threw?: string; refused?: { rule?: string }[] }
  return threw === 'RangeError' || refused?.[0]?.rule === 'limit/memory'
}

/** The module with a maximum written into its memory section: as many pages more than it begins with. */
function limitMemory(bytes: Uint8Array, more: number): Uint8Array<ArrayBuffer> {
  let at = 8
  for (;;) {
    const id = bytes[at]!
    const size = readLeb(bytes, at + 1)
    if (id === 5) {
      const least = readLeb(bytes, size.next + 2)
      const limits = [1, 1, ...leb(least.value), ...leb(least.value + more)]
      const section = [5, ...leb(limits.length), ...limits]
      return Uint8Array.from([...bytes.subarray(0, at), ...section, ...bytes.subarray(size.next + size.value)])
    }
    at = size.next + size.value
  }
}

function readLeb(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return { value, next: at }
  }
}

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >> 7)]
}
