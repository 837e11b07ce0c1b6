// The findings of signing and verifying A2A cards.
import type { RuleInfo } from '../frame/rule.ts'

const SIGNED =
  '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}'

export const invalidA2aSignature: RuleInfo = {
  id: 'a2a-signature-invalid',
  code: 'CARD-188',
  title: 'Invalid signature of an A2A card',
  section: 'A2A 1.0 section 8.4.3',
  severity: 'error',
  why: 'The card was changed after it was signed, or another key signed it.',
  bad: '{"signatures": [{"protected": "not a header", "signature": "AAAA"}]}',
  good: SIGNED,
}

export const noA2aSignature: RuleInfo = {
  id: 'a2a-signature-absent',
  code: 'CARD-189',
  title: 'A2A card without a verifiable signature',
  section: 'A2A 1.0 section 8.4',
  severity: 'error',
  why: 'Without a signature, a key that the caller trusts and an algorithm that is known here, nothing shows whose card it is.',
  bad: '{"signatures": []}',
  good: SIGNED,
}

export const untrustedJku: RuleInfo = {
  id: 'a2a-signature-jku',
  code: 'CARD-189',
  title: 'Key address that is not trusted',
  section: 'A2A 1.0 section 8.4.3',
  severity: 'info',
  why: 'jku is written by whoever signs: an attacker names a server of his own. It is neither fetched nor believed.',
  bad: '{"signatures": [{"protected": "{alg: ES256, kid: key-1, jku: https://attacker.example/keys}", "signature": "AAAA"}]}',
  good: SIGNED,
}

export const uncoveredMember: RuleInfo = {
  id: 'a2a-signature-coverage',
  code: 'CARD-189',
  title: 'Member that a signature does not cover',
  section: 'A2A 1.0 section 8.4.1',
  severity: 'warning',
  why: 'SDKs leave out empty values and members that they do not know before they sign: whoever changes these breaks no signature.',
  bad: '{"securityRequirements": [{"schemes": {"bearer": {"list": []}}}]}',
  good: '{"securityRequirements": [{"schemes": {"oauth": {"list": ["read"]}}}]}',
}

export const unnamedA2aKey: RuleInfo = {
  id: 'a2a-signature-key',
  code: 'CARD-189',
  title: 'Signature that does not identify its key',
  section: 'A2A 1.0 section 8.4.3',
  severity: 'warning',
  why: 'A card of A2A says what its key is called, and not which it is: only who has the key already can verify the signature.',
  bad: 'a card, signed without a kid that those who verify know the key by',
  good: 'the same card, and the public key in the hands of whoever verifies: blazon verify card.json --key agent.pub.pem',
}

/** An A2A card gives the name of its key, but not the key. */
export const WAY_TO_A_KEY = 'verify with the public key of whoever signed it: blazon verify FILE --key KEY'

export const A2A_SIGNATURE_FINDINGS: readonly RuleInfo[] = [
  invalidA2aSignature,
  noA2aSignature,
  untrustedJku,
  uncoveredMember,
  unnamedA2aKey,
]
