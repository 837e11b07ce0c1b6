// The published examples are vectors (fixtures/vectors/abi/digest.json); here every length around the blocks, against another program.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../bindings/core/index.ts'
import { BUILDS } from '../support/builds.ts'
import { random as randomOf } from '../support/random.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const wanted = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each(BUILDS)('$name', (build) => {
  beforeAll(build.use)
  const random = randomOf(180)
  const bytesOf = (length: number) => Uint8Array.from({ length }, () => random() * 256)

  test('every length from 0 to 300', () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = bytesOf(length)
      expect(hex(sha256(bytes)), `${length} bytes`).toBe(wanted(bytes))
    }
  })

  test('long ones, whatever the call before them left in the memory', () => {
    for (let n = 0; n < 40; n++) {
      for (const length of [Math.floor(random() * 100_000), Math.floor(random() * 200)]) {
        const bytes = bytesOf(length)
        expect(hex(sha256(bytes)), `${length} bytes`).toBe(wanted(bytes))
      }
    }
    // Memory ends with a page: the padding of these goes up to the last bytes of one, or behind it.
    for (let length = 65_536 * 40 - 1500; length < 65_536 * 40; length += 61) {
      const bytes = new Uint8Array(length).fill(0xff)
      expect(hex(sha256(bytes)), `${length} bytes`).toBe(wanted(bytes))
    }
  })

  test('a digest is the caller’s own, and a part of a buffer is no more than that part', () => {
    const whole = bytesOf(300)
    const part = whole.subarray(7, 99)
    const digest = sha256(part)
    sha256(whole)
    expect(hex(digest)).toBe(wanted(part))
    expect(digest.buffer.byteLength).toBe(32)
  })
})

test('misuse is a TypeError or RangeError that says what came', () => {
  expect(() => sha256('abc' as never)).toThrow(new TypeError('bytes: expected a Uint8Array, got string'))
  expect(() => sha256([1] as never)).toThrow(TypeError)
  expect(() => sha256(new Uint8Array(2 ** 28 + 1))).toThrow(RangeError)
})
