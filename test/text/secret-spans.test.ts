import { expect, test } from 'vitest'
import { withoutSecrets } from '../../bindings/text/secret-shapes.ts'

/** The `d` and `k` of RFC 8037 appendix A.1 and RFC 7515 appendix A.1, shortened. */
const KEYS = ['{"d": "nWGxne_9WmC6hEr0kuwsxERJ"}', 'k: AyM1SysPpbyDfgZld3umj1qz', '{"d": "1234567890123456_789"}']

test('hides keys, but not numbers, which are counts and times', () => {
  for (const text of KEYS) expect(withoutSecrets(text)).toMatch(/[ "]\*{16,}/)
  for (const text of [
    '{"k": 1234567890123456789}',
    'd: 1700000000000000000',
    '{"q": -1234567890123456}',
    '{"p": 12345678901234567.5}',
  ])
    expect(withoutSecrets(text)).toBe(text)
})

/** One of 150 Ed25519 keys has at most one digit: only its place distinguishes it from a name. */
const FEW_DIGITS = ['arUkdm8GpXfxAYVuFQmuPGPkgzIfltlbuQxMaDRSCMk', 'arUkdmxGpXfxAYVuFQmuPGPkgzIfltlbuQxMaDRSCMk']

test.each([
  ...['"d",: "KEY"', '"d" "KEY"', '"d": ["KEY"]', '"d"= KEY', '"d"KEY"', '"d", "KEY"', '"d"; \'KEY\'', '"d":: "KEY"'],
  ...["'d' : KEY", 'd:KEY', 'k=KEY', '"d":\n\n    "KEY"', '{d: (KEY', '"d: "KEY"', '"d": KEY",', 'qi: [ "KEY'],
])('hides a key completely even when its member is broken: %s', (member) => {
  for (const key of FEW_DIGITS) {
    const text = `{"kty": "OKP",\n ${member.replace('KEY', key)}\n}`
    expect(withoutSecrets(text)).toBe(text.replace(key, '*'.repeat(43)))
  }
})

test('does not hide words that follow a letter in a list', () => {
  for (const text of [
    '["d", "international-shipping-rates"]',
    'd, p, q, k\nInternationalShip',
    '["k", "InternationalShip"]',
  ])
    expect(withoutSecrets(text)).toBe(text)
})

test('does not hide the fingerprint of a key, but hides the same text elsewhere', () => {
  const fingerprint = 'ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk'
  expect(withoutSecrets(`found ${fingerprint}, expected`)).toContain(fingerprint)
  expect(withoutSecrets(`token: ${fingerprint.slice(8)}`)).not.toContain(fingerprint.slice(8))
  expect(withoutSecrets(`${fingerprint}AAAA0aB1`)).not.toContain(fingerprint)
})

test('does not hide a thumbprint that is named as such, but hides the same text elsewhere', () => {
  // RFC 7638 section 3.1.
  const print = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
  for (const text of [
    `which one the kid '${print}' is`,
    `{"kid": "${print}"}`,
    `kid: ${print}`,
    `the thumbprint ${print}`,
  ])
    expect(withoutSecrets(text)).toBe(text)
  for (const text of [
    `which one '${print}' is`,
    `{"akid": "${print}"}`,
    `{"kid": "${print}x1"}`,
    `{"kid": 1, "k": "${print}"}`,
  ])
    expect(withoutSecrets(text)).not.toContain(print)
})

test('does not hide a did:key and its fragment, but hides the same text elsewhere', () => {
  // The example of the did:key method.
  const key = 'z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
  for (const text of [`"did": "did:key:${key}"`, `did:key:${key}#${key}`]) expect(withoutSecrets(text)).toBe(text)
  expect(withoutSecrets(`key: ${key}`)).not.toContain(key)
  expect(withoutSecrets(`did:key:${key}#${key}x1`)).not.toContain(`#${key}`)
})

/** The examples of AWS's documentation. */
const [ID, KEY] = ['AKIAIOSFODNN7EXAMPLE', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY']

test.each<readonly [string, string]>([
  ...['key%3D§', 'a\\n§', 'x_§', '-p§'].map((text) => [text, ID] as const),
  ['foo.§', 'sk-ant-api03-abcdefghijklmnopqrstuvwx'],
  ['redis://:§@host:6379', 'hunter2'],
  ['postgres://u:§@host', 'p:q'],
  ['amqp://u:§@host', 'x'.repeat(100)],
  ...['aws_secret_access_key = §', '{"SecretAccessKey":"§"}', '{\\"SecretAccessKey\\": \\"§\\"}'].map(
    (text) => [text, KEY] as const,
  ),
  ...['Authorization: Bearer §', '{"authorization":"Basic §"}'].map((text) => [text, 'dXNlcjpodW50ZXIy'] as const),
])('hides the secret § in %s', (text, secret) => {
  expect(withoutSecrets(text.replace('§', () => secret))).not.toContain(secret)
})

test.each(['risk-assessment-and-other-words-that-are-long', 'Authorization: Bearer $TOKEN', 'http://a.example:80/x@y'])(
  'does not hide %s',
  (text) => {
    expect(withoutSecrets(text)).toBe(text)
  },
)
