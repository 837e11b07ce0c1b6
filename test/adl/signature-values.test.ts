import { expect, test } from 'vitest'
import { validate } from '../../bindings/adl/verbs.ts'

const AGENT = {
  $schema: 'https://adl-spec.org/0.1/schema.json',
  adl_spec: '0.1.0',
  name: 'Scout',
  description: 'Looks for things in a test, and finds some of them.',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
}
const FINE = {
  algorithm: 'Ed25519',
  signed_content: 'digest',
  value: 'Zm8',
  digest_algorithm: 'SHA-256',
  digest_value: 'Zg',
}

const pointers = (more: object) =>
  validate(JSON.stringify({ ...AGENT, security: { attestation: { signature: { ...FINE, ...more } } } }))
    .diagnostics.filter(({ rule }) => rule === 'signature-values')
    .map(({ source }) => source.pointer.replace(/.*\//, ''))

// Padding, the alphabet of section 4, white space, an extra digit, and nonzero trailing bits: RFC 4648 sections 3 and
// 5.
test.each(['Zg==', 'a+b_', 'a/b_', 'Zm 8', 'Zm8\n', 'Z', 'Zh', 'ä'])('[adl/10.3-10] %j is not base64url', (text) => {
  expect(pointers({ value: text })).toEqual(['value'])
  expect(pointers({ digest_value: text })).toEqual(['digest_value'])
})

test.each(['Ed25519', 'Ed448', 'ES256', 'ES384', 'ES512', 'RS256', 'PS256'])(
  '[adl/10.3-10] %s is known',
  (algorithm) => {
    expect(pointers({ algorithm })).toEqual([])
  },
)

test.each(['EdDSA', 'ed25519', 'HS256', 'none', ''])('%j is not an algorithm of section 10.3', (algorithm) => {
  expect(pointers({ algorithm })).toEqual(['algorithm'])
})

test('reports a digest of another algorithm', () => {
  expect(pointers({ digest_algorithm: 'sha256' })).toEqual(['digest_algorithm'])
})
