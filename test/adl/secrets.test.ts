// The bytes of a document settle most often that no string in it looks like a credential. They may not miss one.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayHoldSecret, secretIn } from '../../bindings/text/secret-shapes.ts'
import { documents } from '../support/documents.ts'

/** What texts with and without credentials are made of; put together here, so that nobody finds one in this file. */
const PIECES = [
  'AKIA',
  'IOSFODNN7EXAMPLE',
  'ghp',
  '_16C7e42F292c6912E7710c838347Ae178B4a',
  'https',
  '://',
  'user:',
  'password',
  '@',
  'example.com',
  ' ',
  '\n',
  '\r\n',
  '"',
  '\\',
  '/',
  '-----BEGIN PRIVATE ',
  'KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  'the',
  'quick',
  'Brown',
  '42',
  'é',
  '.',
  '=',
  'x'.repeat(20),
]
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''))

describe('the bytes of a document', () => {
  test('are worth a look whenever a string in them is', () => {
    const { spell } = documents(11)
    let found = 0
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), (strings) => {
        const json = new TextEncoder().encode(spell({ a: strings, b: strings[0] ?? '' }))
        const holds = strings.some((text) => secretIn(text) !== undefined)
        if (holds) found++
        expect(!holds || mayHoldSecret(json, '')).toBe(true)
      }),
      { numRuns: 3000, seed: 5 },
    )
    expect(found).toBeGreaterThan(300)
  })

  test('are not worth one in documents without', () => {
    const prose = { text: 'Search for invoices by vendor name, date range, or amount. Write to platform@example.com.' }
    const urls = { url: 'https://docs.example.com/agents/invoice-processor', host: 'api.semantic-scholar.example.org' }
    expect(mayHoldSecret(new TextEncoder().encode(JSON.stringify([prose, urls])), '')).toBe(false)
  })
})
