import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { decodeBase64, decodeBase64url, encodeBase64, encodeBase64url, KeyError } from '../../bindings/keys/index.ts'
import { casesOf } from '../support/cases.ts'
import { hasSuite } from '../support/suites.ts'
import { suiteJson, utf8 } from './support.ts'

describe.runIf(hasSuite('rfc-vectors'))('RFC 4648', () => {
  const { base64url, refuse } = suiteJson('rfc-vectors', 'rfc4648.json') as {
    base64url: { text: string; encoded: string }[]
    refuse: [text: string, why: string][]
  }
  test.each(base64url)('$text is $encoded', ({ text, encoded }) => {
    expect(encodeBase64url(utf8(text))).toBe(encoded)
    expect(decodeBase64url(encoded)).toEqual(utf8(text))
    const padded = encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=')
    expect(encodeBase64(utf8(text))).toBe(padded)
    expect(decodeBase64(padded)).toEqual(utf8(text))
  })
  test.each(refuse)('%j is refused: %s', (text) => {
    expect(() => decodeBase64url(text)).toThrow(KeyError)
  })
})

it.each([
  'Zg',
  'Zg=',
  'Zg===',
  'Zh==',
  'Zm9=',
  'Zm9v=',
  '=',
  '====',
  'Zm8=\n',
  ' Zm8=',
  'Zm-v',
  'Zm_v',
  'Z===',
  'Zg==Zg==',
])('%j is not valid base64', (text) => expect(() => decodeBase64(text)).toThrow(KeyError))

it('agrees with Node on bytes, and refuses every text except the one that Node writes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      expect(encodeBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
      expect([...decodeBase64(encodeBase64(bytes))]).toEqual([...bytes])
      expect([...decodeBase64url(encodeBase64url(bytes))]).toEqual([...bytes])
    }),
  )
  const digits = fc.constantFrom(...'ABQgwZ9/+-_= \n')
  fc.assert(
    fc.property(fc.array(digits, { maxLength: 9 }), (characters) => {
      const text = characters.join('')
      for (const [decode, form] of [
        [decodeBase64, 'base64'],
        [decodeBase64url, 'base64url'],
      ] as const) {
        const canonical = Buffer.from(text, form).toString(form) === text
        let accepted = true
        try {
          decode(text)
        } catch {
          accepted = false
        }
        expect(accepted).toBe(canonical)
      }
    }),
    { numRuns: casesOf(2000) },
  )
})
