import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packed, unpacked } from '../../scripts/pack.mjs'

const CORE = readFileSync('dist/wasm/core.wasm')

test('the core comes back byte for byte from the text that is published, which is shorter', () => {
  const text = readFileSync('dist/wasm/module.inline.js', 'utf8')
  const [, base64 = ''] = /^const text = '([\w+/=]*)'$/m.exec(text) ?? []
  const bytes = Buffer.from(base64, 'base64')
  expect(Buffer.compare(unpacked(bytes, CORE.length), CORE)).toBe(0)
  expect(bytes.length).toBeLessThan(0.6 * CORE.length)
})

// Few different bytes, so that much repeats; runs longer than a repetition can be, and distances beyond the farthest.
const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40, max: 3 }), fc.integer({ min: 1, max: 700 })), { maxLength: 4 })
  .map((parts) =>
    Uint8Array.from(parts.flatMap(([part, times]) => Array.from({ length: times }, () => [...part]).flat())),
  )

test('bytes of every kind come back', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), repetitive), (bytes) => {
      expect(unpacked(packed(bytes), bytes.length)).toEqual(bytes)
    }),
    { numRuns: 60 },
  )
})
