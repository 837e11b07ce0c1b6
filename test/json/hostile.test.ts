import { beforeAll, describe, expect, test } from 'vitest'
import { instance } from '../../bindings/wasm/instance.ts'
import { canonicalizeBytes, Fault, readTape, withoutBytes } from '../../bindings/wasm/json.ts'
import { oracle } from '../oracle/json.ts'
import { LONG_BUILDS } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { hasSuite, suiteFile, suiteFiles } from '../support/suites.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** No input may take longer than this; the slowest below takes a tenth on a slow machine. */
const LIMIT = 10_000

/** Text or a fault: vitest compares long byte arrays element by element. */
function survives(document: string | Uint8Array, maxDepth?: number): string | Fault {
  const bytes = typeof document === 'string' ? encode(document) : document
  const begun = processorTime()
  const canonical = canonicalizeBytes(bytes, maxDepth)
  readTape(bytes, maxDepth)
  withoutBytes(bytes, ['/signature', '/0/0/0'], maxDepth)
  expect(processorTime() - begun).toBeLessThan(LIMIT)
  return canonical instanceof Fault ? canonical : new TextDecoder().decode(canonical)
}

describe.each(LONG_BUILDS)('$name, hostile documents', ({ use }) => {
  beforeAll(use)

  test('[rfc8259/9-1] nested a million deep: refused by default, read when allowed', () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    expect(survives(deep)).toMatchObject({ code: -22, offset: 1024 })
    expect(survives(deep, 1_000_000)).toBe(deep)
    expect(survives(`[ ${deep.slice(1)}`, 1_000_000)).toBe(deep)
    expect(survives('['.repeat(1_000_000), 1_000_000)).toMatchObject({ code: -11, offset: 1_000_000 })
    expect(survives('{"a":'.repeat(300_000), 0xffffffff)).toMatchObject({ code: -11 })
    const objects = `${'{"b":0,"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
    expect(survives(objects, 200_000)).toHaveLength(objects.length)
  })

  test('200,000 members, in the worst orders, with and without duplicates', () => {
    const names = Array.from({ length: 200_000 }, (_, i) => `n${(i * 7919) % 200_000}`)
    const object = (list: string[]) => `{${list.map((name) => `"${name}":0`).join()}}`
    const wanted = object([...names].sort())
    expect(survives(object(names))).toBe(wanted)
    expect(survives(object([...names].sort().reverse()))).toBe(wanted)
    expect(survives(object([...names, names[0]!]))).toMatchObject({ code: -16, first: 1 })
    expect(survives(object(Array(200_000).fill('x')))).toMatchObject({ code: -16, offset: 7, first: 1 })
  })

  test('names that share a long prefix', () => {
    const prefix = 'p'.repeat(1000)
    const object = (order: number[]) => `{${order.map((i) => `"${prefix}${String(i).padStart(4, '0')}":0`).join()}}`
    const order = Array.from({ length: 2000 }, (_, i) => (i * 997) % 2000)
    expect(survives(object(order))).toBe(object([...order].sort((a, b) => a - b)))
  })

  test('megabytes of one thing', () => {
    const million = 1_000_000
    expect(survives(`"${'a'.repeat(million)}"`)).toHaveLength(million + 2)
    expect(survives(`"${'\\u0041'.repeat(million)}"`)).toHaveLength(million + 2)
    expect(survives(`"${'😀'.repeat(million / 4)}"`)).toHaveLength(million / 2 + 2)
    expect(survives(' '.repeat(million))).toMatchObject({ code: -11, offset: million })
    expect(survives(`[${'1.0,'.repeat(million / 4)}1]`)).toHaveLength(million / 2 + 3)
    expect(survives('1'.repeat(million))).toMatchObject({ code: -21, offset: 0 })
    expect(survives(`0.${'1'.repeat(million)}`)).toBe('0.1111111111111111')
    expect(survives(`1e${'0'.repeat(million)}1`)).toBe('10')
    expect(survives(`1e-${'9'.repeat(million)}`)).toBe('0')
    expect(survives(`[${'1E21,'.repeat(200_000)}1]`)).toHaveLength(200_000 * 6 + 3)
    expect(survives(`{"${'k'.repeat(million)}":1,"a":2}`)).toHaveLength(million + 12)
  })

  test.runIf(hasSuite('jsontestsuite'))('every document of the suites cut off at every byte', () => {
    const files = ['cyberphone-jcs/input', 'jsontestsuite/test_parsing'].flatMap((folder) =>
      suiteFiles(folder).map((file) => suiteFile(folder, file)),
    )
    for (const bytes of nonEmpty(files.filter((file) => file.length < 5_000))) {
      for (let n = 0; n < bytes.length; n++) {
        const cut = bytes.subarray(0, n)
        const came = canonicalizeBytes(cut)
        const wanted = oracle(cut)
        if (came instanceof Fault) expect({ fault: { ...came } }).toEqual(wanted)
        else expect(wanted).toHaveProperty('canonical', new TextDecoder().decode(came))
      }
    }
  })

  test('frees the memory of a huge document', () => {
    const huge = encode(`[${'{"b":[1.0],"a":"x"},'.repeat(500_000)}1]`)
    expect(canonicalizeBytes(huge)).toBeInstanceOf(Uint8Array)
    expect(instance().bytes.length).toBeLessThanOrEqual(64 << 20)
    expect(canonicalizeBytes('[1.0]')).toEqual(encode('[1]'))
  })

  test('refuses an input over the core’s limit before it is copied', () => {
    expect(() => canonicalizeBytes(new Uint8Array(2 ** 28 + 1))).toThrow(RangeError)
    expect(canonicalizeBytes('[1.0]')).toEqual(encode('[1]'))
  })
})
