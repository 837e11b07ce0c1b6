import type { RuleInfo } from '../../frame/rule.ts'
import { untrustedSigner } from '../../frame/untrusted.ts'

// The findings of signing and verifying, in addition to the codes of ADL. docs/reference/diagnostics.md has a section for
// each code.

const SIGNED = (signature: string) => `{"security": {"attestation": {"type": "self", "signature": ${signature}}}}`
const GOOD_SIGNATURE = SIGNED('{"algorithm": "Ed25519", "value": "AAAA", "signed_content": "canonical"}')
const IDENTITY = '{"cryptographic_identity": {"did": "did:web:acme.example.com"}}'

export const invalidSignature: RuleInfo = {
  id: 'signature-invalid',
  code: 'ADL-4002',
  title: 'Invalid signature',
  section: 'ADL 18.1',
  severity: 'error',
  why: 'The document was changed after it was signed, or it was not signed with the key that it names.',
  bad: SIGNED('{"algorithm": "Ed25519", "value": "not base64url!", "signed_content": "canonical"}'),
  good: GOOD_SIGNATURE,
}

export const noSignature: RuleInfo = {
  id: 'signature-absent',
  code: 'KEY-120',
  title: 'No signature',
  section: 'ADL 18.1',
  severity: 'error',
  why: 'Without a signature nothing shows who wrote the document, nor that it was not changed.',
  bad: '{"security": {"attestation": {"type": "self"}}}',
  good: GOOD_SIGNATURE,
}

export const unsupportedSignature: RuleInfo = {
  id: 'signature-unsupported',
  code: 'KEY-121',
  title: 'Signature that cannot be judged',
  section: 'ADL 10.3',
  severity: 'error',
  why: 'An algorithm that is not known here gives no verdict: the signature may be sound or not.',
  bad: SIGNED('{"algorithm": "ES256K", "value": "AAAA", "signed_content": "canonical"}'),
  good: GOOD_SIGNATURE,
}

export const noKey: RuleInfo = {
  id: 'signature-key',
  code: 'KEY-122',
  title: 'No key to verify with',
  section: 'ADL 6.3',
  severity: 'error',
  why: 'A signature without the key that it was made with shows nothing.',
  bad: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "no key"}}}',
  good: IDENTITY,
}

export const unlistedKey: RuleInfo = {
  id: 'signature-unlisted-key',
  code: 'KEY-123',
  title: 'Key that the DID does not list',
  section: 'ADL 6.3',
  severity: 'error',
  why: 'Whoever controls the identifier says which keys are its own; the document says otherwise.',
  bad: '{"cryptographic_identity": {"did": "did:web:acme.example.com", "public_key": {"algorithm": "Ed25519", "value": "the key of somebody else"}}}',
  good: IDENTITY,
}

export const impossibleDates: RuleInfo = {
  id: 'attestation-dates',
  code: 'KEY-124',
  title: 'Attestation with impossible dates',
  section: 'ADL 10.3',
  severity: 'warning',
  why: 'An attestation that was issued in the future, or after it expires, was never valid: a clock or a program is wrong.',
  bad: '{"security": {"attestation": {"issued_at": "2027-01-01T00:00:00Z", "expires_at": "2026-01-01T00:00:00Z"}}}',
  good: '{"security": {"attestation": {"issued_at": "2026-01-01T00:00:00Z", "expires_at": "2027-01-01T00:00:00Z"}}}',
}

export const ownAttestation: RuleInfo = {
  id: 'attestation-own-key',
  code: 'KEY-125',
  title: 'Third party that signs with the key of the agent',
  section: 'ADL 10.3',
  severity: 'warning',
  why: 'A third party vouches with a key of its own; with the key of the agent, the agent vouches for itself.',
  bad: '{"security": {"attestation": {"type": "third_party"}}}',
  good: '{"security": {"attestation": {"type": "self"}}}',
}

export const otherIdentity: RuleInfo = {
  id: 'identity-expected',
  code: 'KEY-126',
  title: 'Not the expected agent',
  section: 'ADL 18.11',
  severity: 'error',
  why: 'A sound signature of somebody else is no reason for trust.',
  bad: '{"id": "https://evil.example/agents/scout"}',
  good: '{"id": "https://acme.example.com/agents/scout"}',
}

export const unprovenIdentity: RuleInfo = {
  id: 'identity-unproven',
  code: 'KEY-127',
  title: 'Nobody vouches for the provider',
  section: 'ADL 18.11',
  severity: 'error',
  why: 'A key that comes with the document says only that the document was not changed since, not whose it is.',
  bad: '{"id": "urn:adl:agent:acme:scout:1.0.0"}',
  good: '{"id": "https://acme.example.com/agents/scout", "cryptographic_identity": {"did": "did:web:acme.example.com"}}',
}

export const strayDigest: RuleInfo = {
  id: 'signature-stray-digest',
  code: 'KEY-128',
  title: 'Wrong digest next to a valid signature',
  section: 'ADL 10.3',
  severity: 'warning',
  why: 'The canonical form is signed, so nothing hangs on the digest; who goes by it takes the document for another one.',
  bad: SIGNED(
    '{"algorithm": "Ed25519", "value": "AAAA", "signed_content": "canonical", "digest_algorithm": "SHA-256", "digest_value": "AAAA"}',
  ),
  good: GOOD_SIGNATURE,
}

export const noPlace: RuleInfo = {
  id: 'signature-place',
  code: 'KEY-130',
  title: 'No place for a signature',
  section: 'ADL 10.3',
  severity: 'error',
  why: 'The signature stands in security.attestation, so both have to be objects.',
  bad: '{"security": []}',
  good: '{"security": {}}',
}

export const unsafeInteger: RuleInfo = {
  id: 'signature-integer',
  code: 'KEY-131',
  title: 'Integer that is not signed',
  section: 'ADL 18.8',
  severity: 'error',
  why: 'Programs read integers beyond 2^53 - 1 as different numbers, so they would sign different documents.',
  bad: '{"x_acme_serial": 9007199254740993}',
  good: '{"x_acme_serial": "9007199254740993"}',
}

export const otherKey: RuleInfo = {
  id: 'signature-other-key',
  code: 'KEY-132',
  title: 'Signed with another key than the document names',
  section: 'ADL 10.3',
  severity: 'error',
  why: 'Verification takes the key that the document names, so the signature would never verify.',
  bad: '{"cryptographic_identity": {"public_key": {"algorithm": "Ed25519", "value": "the key of somebody else"}}}',
  good: IDENTITY,
}

export const unnamedKey: RuleInfo = {
  id: 'signature-unnamed-key',
  code: 'KEY-133',
  title: 'Signed with a key that the document does not name',
  section: 'ADL 6.3',
  severity: 'warning',
  why: 'Only who has the key already can verify the signature.',
  bad: '{"cryptographic_identity": {}}',
  good: IDENTITY,
}

/** For a definition that names no key. */
export const WAYS_TO_A_KEY =
  'blazon sign --embed-key writes the public key into the definition; who knows the public key verifies with blazon verify --key'

/** For a definition that names another key than the one that signs. */
export const WAYS_TO_ONE_KEY =
  'sign with the private half of the key in the definition, or take public_key out and sign with --embed-key, which writes the new one'

/** For a document without a signature that does not look like a definition. */
export const NO_DEFINITION =
  'nothing in it tells what it is, so it was taken for an agent definition: blazon validate FILE says what is missing'

/** For tools that explain codes. */
export const SIGNATURE_FINDINGS: readonly RuleInfo[] = [
  invalidSignature,
  noSignature,
  unsupportedSignature,
  noKey,
  unlistedKey,
  impossibleDates,
  ownAttestation,
  otherIdentity,
  unprovenIdentity,
  strayDigest,
  untrustedSigner,
  noPlace,
  unsafeInteger,
  otherKey,
  unnamedKey,
]
