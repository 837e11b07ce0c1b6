// The published examples are vectors (fixtures/vectors/abi/digest.json); here every length around the blocks, against another program.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../bindings/core/index.ts'
import { instance } from '../../bindings/wasm/instance.ts'
import { MessageBatch } from '../../bindings/wasm/sha256.ts'
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

  const batch = new MessageBatch()
  /** The digests of a batch, and of each message by the other program. Each message begins with a byte of its own. */
  const both = (messages: readonly Uint8Array[]) => {
    for (const [i, message] of messages.entries()) batch.add(i & 255, message)
    const own = messages.map((message, i) => wanted(Buffer.concat([Uint8Array.of(i & 255), message])))
    expect(batch.size).toBe(messages.length)
    return [hex(batch.digests()), own.join('')]
  }

  test('a batch has the digest of each message, of every length, and of four different lengths at once', () => {
    for (let length = 0; length <= 300; length++) {
      for (const others of [[], [length, length, length], [0, 55, 119], [64, 300 - length, 3]]) {
        const [got, expected] = both([length, ...others].map(bytesOf))
        expect(got, `${[length, ...others]}`).toBe(expected)
      }
    }
  })

  test('a batch of any size: many short ones, few long ones, and equal ones', () => {
    expect(both([])).toEqual(['', ''])
    for (let n = 0; n < 300; n++) {
      const most = [1, 70, 200, 3000][n % 4]!
      const lengths = Array.from({ length: n % 23 }, () => Math.floor(random() * most) * (random() < 0.05 ? 40 : 1))
      const [got, expected] = both(lengths.map(n % 5 === 0 ? (length) => new Uint8Array(length).fill(0xff) : bytesOf))
      expect(got, `${lengths}`).toBe(expected)
    }
    const [got, expected] = both(Array.from({ length: 3000 }, (_, i) => bytesOf(i % 131)))
    expect(got === expected).toBe(true)
  })

  test('a message whose length is beyond the input ends with the input', () => {
    for (let length = 0; length <= 200; length++) {
      const core = instance()
      const first = bytesOf(length)
      const at = core.reserve(length + 4)
      core.bytes.fill(0xff, at, at + 4)
      core.bytes.set(first, at + 4)
      expect(core.exports.sha256Each(length + 4)).toBe(32)
      expect(hex(core.copy(core.word(0), 32))).toBe(wanted(first))
    }
    for (let length = 0; length < 4; length++) expect(instance().exports.sha256Each(length)).toBe(0)
  })
})

test('misuse is a TypeError or RangeError that says what came', () => {
  expect(() => sha256('abc' as never)).toThrow(new TypeError('bytes: expected a Uint8Array, got string'))
  expect(() => sha256([1] as never)).toThrow(TypeError)
  expect(() => sha256(new Uint8Array(2 ** 28 + 1))).toThrow(RangeError)
})
