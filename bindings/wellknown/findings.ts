// The findings of signing and verifying metadata.
import type { RuleInfo } from '../frame/rule.ts'

const PROOF = 'ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg'

export const invalidProof: RuleInfo = {
  id: 'metadata-proof-invalid',
  code: 'WK-150',
  title: 'Proof that does not hold',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'The document was changed after it was signed, or another key signed it.',
  bad: '{"identity": {"publicKey": {"proof": "not a signature"}}}',
  good: `{"identity": {"publicKey": {"proof": "${PROOF}"}}}`,
}

export const noProof: RuleInfo = {
  id: 'metadata-proof-absent',
  code: 'WK-151',
  title: 'No proof',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'The proof is OPTIONAL. Without it only the way by which the document came shows that the agent wrote it.',
  bad: '{"identity": {"publicKey": {"algorithm": "ed25519"}}}',
  good: `{"identity": {"publicKey": {"algorithm": "ed25519", "proof": "${PROOF}"}}}`,
}

export const ownKeyOnly: RuleInfo = {
  id: 'metadata-self-asserted',
  code: 'WK-152',
  title: 'Self-asserted',
  section: 'ADP/1.1 section 8.1.2',
  severity: 'error',
  why: 'The key stands in the document that it signs: anybody can make such a pair. A key that you know, or the fingerprint in the DNS of the domain, shows whose it is.',
  bad: 'a document, verified with the key in it',
  good: 'a document, verified with the key that its agent gave you: blazon verify agent.json --key alice.pub.pem',
}

export const unusableKey: RuleInfo = {
  id: 'metadata-key-unusable',
  code: 'WK-153',
  title: 'No key to verify with',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'Without the key in full nothing can be verified, and a fingerprint that is not of this key speaks against the document.',
  bad: '{"identity": {"publicKey": {"fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}}}',
  good: '{"identity": {"publicKey": {"fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "full": "-----BEGIN PUBLIC KEY-----…"}}}',
}

export const otherMetadataKey: RuleInfo = {
  id: 'metadata-other-key',
  code: 'WK-154',
  title: 'Another key than the one that signs',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'The proof shows that whoever wrote the document has the key that stands in it. Signed with another key it would never hold.',
  bad: 'the key of Alice in publicKey, signed with that of Bob',
  good: 'the same key in both: blazon keygen prints its fingerprint',
}

export const otherMetadataAgent: RuleInfo = {
  id: 'metadata-other-agent',
  code: 'WK-155',
  title: 'Another agent',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'The document is of another agent than the one that was asked for.',
  bad: 'asked for agent:alice.example.com, found agent:bank.example',
  good: 'the agent that was asked for',
}

export const roundedNumber: RuleInfo = {
  id: 'metadata-rounded-number',
  code: 'WK-156',
  title: 'Number that a signature rounds',
  section: 'RFC 8785 section 6',
  severity: 'error',
  why: 'Canonical numbers are doubles: a signature over this one holds for others, too.',
  bad: '{"meta": {"build": 9007199254740993}}',
  good: '{"meta": {"build": "9007199254740993"}}',
}

export const METADATA_FINDINGS: readonly RuleInfo[] = [
  invalidProof,
  noProof,
  ownKeyOnly,
  unusableKey,
  otherMetadataKey,
  otherMetadataAgent,
  roundedNumber,
]
