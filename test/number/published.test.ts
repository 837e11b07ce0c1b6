import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatNumber, readNumber } from '../../bindings/core/index.ts'
import { BUILDS } from '../support/builds.ts'
import { IS_WHOLE } from '../support/cases.ts'
import { hasSuite, SUITES, suiteFile } from '../support/suites.ts'
import { fromBits, toBits } from './doubles.ts'

interface Checkpoint {
  readonly lines: number
  readonly ok: boolean
}
interface Sequence {
  verify(most: number, format: (x: number) => string): Checkpoint[]
}
interface Row {
  readonly ieee: string
  readonly expected: string | null
}

describe.each(BUILDS)('$name', ({ name, use }) => {
  beforeAll(use)
  /** The builds differ in how they copy digits, which fewer numbers reach. */
  const lines = [1_000, 10_000, 100_000, ...(name === 'SIMD' || IS_WHOLE ? [1_000_000] : [])]

  // The SHA-256 values come from the author of the sequence: https://github.com/cyberphone/json-canonicalization
  test.runIf(hasSuite('es6numbers'))(
    '[rfc8785/3.2.2.3-1] the published sequence of ES6 numbers, by hash, and read back',
    async () => {
      const sequence: Sequence = await import(pathToFileURL(join(SUITES, 'es6numbers/gen.mjs')).href)
      let wrong = 0
      const rows = sequence.verify(lines.at(-1)!, (x) => {
        const text = formatNumber(x)
        if (readNumber(text) !== x) wrong++
        return text
      })
      expect(rows.map(({ lines, ok }) => [lines, ok])).toEqual(lines.map((count) => [count, true]))
      expect(wrong).toBe(0)
    },
  )

  test.runIf(hasSuite('rfc-vectors'))('[rfc8785/B-1] the table of RFC 8785 appendix B, both ways', () => {
    const { numbers } = JSON.parse(new TextDecoder().decode(suiteFile('rfc-vectors', 'rfc8785.json'))) as {
      numbers: Row[]
    }
    expect(numbers.length).toBeGreaterThan(20)
    for (const { ieee, expected } of numbers) {
      const x = fromBits(BigInt(`0x${ieee}`))
      if (expected === null) {
        expect(() => formatNumber(x), ieee).toThrow(RangeError)
      } else {
        expect(formatNumber(x), ieee).toBe(expected)
        expect(toBits(readNumber(expected)), expected).toBe(x === 0 ? 0n : toBits(x))
      }
    }
  })
})
