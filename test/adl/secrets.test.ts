// The bytes of a document usually show that no string in it looks like a credential. This check must not miss one.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayHoldSecret, secretIn } from '../../bindings/text/secret-shapes.ts'
import { documents } from '../support/documents.ts'

/** Parts of texts with and without credentials. They are assembled here, so that scanners find none in this file. */
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
  test('are inspected whenever a string in them looks like a credential', () => {
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

  test('are not inspected in documents without credentials', () => {
    const prose = { text: 'Search for invoices by vendor name, date range, or amount. Write to platform@example.com.' }
    const urls = { url: 'https://docs.example.com/agents/invoice-processor', host: 'api.semantic-scholar.example.org' }
    expect(mayHoldSecret(new TextEncoder().encode(JSON.stringify([prose, urls])), '')).toBe(false)
  })
})
