import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Writer } from '../../bindings/core/writer.ts'
import { canonicalizeBytes } from '../../bindings/wasm/json.ts'
import { oracle } from '../oracle/json.ts'
import { casesOf } from '../support/cases.ts'
import { documents } from '../support/documents.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { random } from '../support/random.ts'
import { hasSuite, suiteFile, suiteFiles } from '../support/suites.ts'
import { textOf } from './support.ts'

const encoder = new TextEncoder()
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** The oracle's canonical form of the result of JSON.stringify. */
function wantedOf(value: unknown): string {
  const result = oracle(encoder.encode(JSON.stringify(value)))
  if ('fault' in result) throw new Error(`the oracle refuses: ${JSON.stringify(result)}`)
  return result.canonical
}

describe('published vectors', () => {
  test.runIf(hasSuite('cyberphone-jcs'))('[rfc8785/3.2.3-1] [rfc8785/3.2.4-1] cyberphone', () => {
    const files = suiteFiles('cyberphone-jcs', 'input')
    expect(files).toHaveLength(6)
    for (const file of files) {
      const value: unknown = JSON.parse(text(suiteFile('cyberphone-jcs', 'input', file)))
      expect(textOf(value), file).toBe(text(suiteFile('cyberphone-jcs', 'output', file)).trimEnd())
    }
  })

  test.runIf(hasSuite('rfc-vectors'))('[rfc8785/3.2.3-2] RFC 8785', () => {
    const { sample, sorting } = JSON.parse(text(suiteFile('rfc-vectors', 'rfc8785.json')))
    expect(Buffer.from(textOf(JSON.parse(sample.input))).toString('hex')).toBe(sample.outputHex)
    const members = JSON.parse(sorting.input)
    const wanted = sorting.keyOrder.map((name: string) => `${JSON.stringify(name)}:${JSON.stringify(members[name])}`)
    expect(textOf(members)).toBe(`{${wanted.join(',')}}`)
  })

  test.runIf(hasSuite('jsontestsuite'))('every y_ file of JSONTestSuite gives the same result as its bytes', () => {
    const files = suiteFiles('jsontestsuite', 'test_parsing').filter((file) => file.startsWith('y_'))
    for (const file of nonEmpty(files)) {
      const bytes = suiteFile('jsontestsuite', 'test_parsing', file)
      const canonical = canonicalizeBytes(bytes)
      // Two have duplicate names, which parsing removes.
      if (canonical instanceof Uint8Array) expect(textOf(JSON.parse(text(bytes))), file).toBe(text(canonical))
      else expect(canonical.code, file).toBe(-16)
    }
  })
})

describe('agrees with the oracle for the result of JSON.stringify, and with the core for its bytes', () => {
  const same = (value: unknown) => {
    const came = textOf(value)
    if (came !== wantedOf(value)) expect(came).toBe(wantedOf(value))
    const bytes = canonicalizeBytes(encoder.encode(JSON.stringify(value)))
    if (came !== text(bytes as Uint8Array)) expect(came).toBe(text(bytes as Uint8Array))
  }

  test('[rfc8785/3.2.3-1] [rfc8785/3.2.3-3] [rfc8785/3.2.3-4] 20,000 documents like those for testing the core', () => {
    const make = documents(8785)
    for (let i = 0; i < 20_000; i++) same(make.value(4))
  })

  test('[rfc8785/3.2.2.2-1] [rfc8785/3.2.2.2-2] [rfc8785/3.1-4] fast-check values, odd names and prototypes', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', 'toString', '10', '9', 'toJSON', ''),
    )
    const scalar = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalar, tie('object'), tie('array')),
      object: fc.dictionary(name, tie('value'), { noNullPrototype: false }),
      array: fc.array(tie('value')),
    }))
    fc.assert(fc.property(value, same), { numRuns: casesOf(2500), seed: 8785 })
  })

  test('[rfc8785/3.2.2.3-1] doubles of all magnitudes', () => {
    const next = random(3)
    const cell = new DataView(new ArrayBuffer(8))
    const list = Array.from({ length: 20_000 }, (_, i) => {
      cell.setUint32(0, next() * 2 ** 32)
      cell.setUint32(4, next() * 2 ** 32)
      const double = cell.getFloat64(0)
      return i % 3 === 0 ? Math.round(next() * 2000) - 1000 : Number.isFinite(double) ? double : i / 100
    })
    expect(textOf(list)).toBe(`[${list.map((double) => String(double === 0 ? 0 : double)).join(',')}]`)
  })
})

describe('the paths for writing strings', () => {
  const PIECES = [
    'a',
    '"',
    '\\',
    '\n',
    '\u0001',
    '\u007f',
    'é',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '\u{10ffff}',
  ]

  // Strings of 128 units and more take another path, in blocks of 1024 units: tests lengths around these, with each
  // kind of character at each end.
  test('[rfc8785/3.2.2.2-2] strings of every length, with every kind of character first, last and in the middle', () => {
    for (const length of [...Array(140).keys(), 1021, 1022, 1023, 1024, 1025, 2047, 2048, 2049, 20_000]) {
      for (const piece of PIECES) {
        const half = 'x'.repeat(length >> 1)
        for (const string of [piece + half + half, half + piece + half, half + half + piece, piece.repeat(length)]) {
          const came = textOf(string)
          if (came !== JSON.stringify(string)) expect(came).toBe(JSON.stringify(string))
        }
      }
    }
  })

  test('the buffer grows at any place', () => {
    for (let filler = 16_384 - 64; filler < 16_384 + 4; filler++) {
      for (const value of ['"\u0001é😀', 1e21, true, null, [], { '€': 1 }, [[[7]]]]) {
        const list = ['x'.repeat(filler), value]
        // Takes the larger buffer left by earlier calls, so that the next call begins with a new one.
        new Writer()
        if (textOf(list) !== JSON.stringify(list)) expect(textOf(list)).toBe(JSON.stringify(list))
      }
    }
  })

  test('[rfc8785/3.2.3-2] objects of every number of members, in every kind of order, sorted by insertion or by the engine', () => {
    const next = random(9)
    for (let count = 0; count < 60; count++) {
      const names = Array.from({ length: count }, (_, i) => `${next() < 0.5 ? 'é' : 'k'}${i * 7}`)
      const ways = [names, names.slice().reverse(), names.slice().sort(), names.slice().sort().reverse()]
      for (const way of ways) {
        const object = Object.fromEntries(way.map((name) => [name, count]))
        const wanted = names
          .slice()
          .sort()
          .map((name) => `"${name}":${count}`)
        expect(textOf(object)).toBe(`{${wanted.join(',')}}`)
      }
    }
  })
})
