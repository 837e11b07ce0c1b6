import { otherAgent, unsignedInteger } from '../a2a/shared-findings.ts'
import type { RuleInfo } from '../frame/rule.ts'

// The findings of signing and verifying cards. docs/reference/diagnostics.md has a row for each code.

const KEY_ID = 'agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV'
const SIGNATURE = '"signature": "AAAA"'

export const invalidCardSignature: RuleInfo = {
  id: 'card-signature-invalid',
  code: 'CARD-150',
  title: 'Invalid signature',
  section: 'Agent Card 3.2',
  severity: 'error',
  why: 'The card was changed after it was signed, or another key signed it. Such a card is discarded.',
  bad: '{"id": "agent://scout", "name": "Scout", "signature": "not base64url!"}',
  good: '{"id": "agent://scout", "name": "Scout"}',
}

export const noCardSignature: RuleInfo = {
  id: 'card-signature-absent',
  code: 'CARD-151',
  title: 'No signature',
  section: 'Agent Card 3.2',
  severity: 'error',
  why: 'Without a signature only the channel by which the card came shows whose it is.',
  bad: '{"id": "agent://scout", "name": "Scout"}',
  good: `{"id": "${KEY_ID}", "name": "Scout", "seq": 1, ${SIGNATURE}}`,
}

export const noCardKey: RuleInfo = {
  id: 'card-key-absent',
  code: 'CARD-152',
  title: 'No key to verify with',
  section: 'Agent Card 3.2',
  severity: 'error',
  why: 'A plain name gives no key: the caller, a name service, or an id that is itself a key has to.',
  bad: `{"id": "agent://scout", "name": "Scout", ${SIGNATURE}}`,
  good: `{"id": "${KEY_ID}", "name": "Scout", ${SIGNATURE}}`,
}

export const partOfCard: RuleInfo = {
  id: 'card-partial',
  code: 'CARD-153',
  title: 'Part of a card',
  section: 'Agent Card 4.1',
  severity: 'error',
  why: 'The signature covers the whole card. A part neither holds nor fails: the whole card has to be asked for.',
  bad: '{"id": "agent://scout", "name": "Scout"}',
  good: '{"id": "agent://scout", "name": "Scout", "seq": 1, "signature": "of all of it"}',
}

export const selfAsserted: RuleInfo = {
  id: 'card-self-asserted',
  code: 'CARD-154',
  title: 'Self-asserted',
  section: 'Agent Card 3.3',
  severity: 'error',
  why: 'Anybody can write a card for any id and sign it with the key that its own did names.',
  bad: '{"id": "agent://scout", "did": "did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw"}',
  good: `{"id": "${KEY_ID}"}`,
}

export const unsignableId: RuleInfo = {
  id: 'card-signature-id',
  code: 'CARD-157',
  title: 'Card that is nobody’s',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'The key belongs to an agent:// URI; without one nobody can look for the key.',
  bad: '{"id": "https://example.com/scout"}',
  good: '{"id": "agent://scout"}',
}

export const otherCardKey: RuleInfo = {
  id: 'card-signature-key',
  code: 'CARD-158',
  title: 'Signed with another key than the card names',
  section: 'Agent Card 3.2',
  severity: 'error',
  why: 'Verification takes the key that the id is, so the signature would never hold. A did that is another key warns.',
  bad: `{"id": "${KEY_ID}", "seq": 1}`,
  good: '{"id": "agent://scout", "seq": 1}',
}

export const unordered: RuleInfo = {
  id: 'card-signature-seq',
  code: 'CARD-159',
  title: 'Signed without a sequence number',
  section: 'Agent Card 3.2',
  severity: 'warning',
  why: 'Nothing shows which of two signed cards is newer, so an old one can be sent again.',
  bad: '{"id": "agent://scout", "name": "Scout"}',
  good: '{"id": "agent://scout", "name": "Scout", "seq": 1}',
}

export const nameWithoutKey: RuleInfo = {
  id: 'card-signature-name',
  code: 'CARD-169',
  title: 'Signed under a name that gives no key',
  section: 'Agent Card 3.2',
  severity: 'warning',
  why: 'Only who was given the key can verify the signature, so a directory that was not refuses the card.',
  bad: '{"id": "agent://scout", "seq": 1}',
  good: `{"id": "${KEY_ID}", "seq": 1}`,
}

/** The hint for a name that is not a key. */
export const WAYS_TO_A_KEY =
  'an id that is the key needs nothing else: blazon init --kind card --key KEY writes it, blazon keygen tells it; who knows the public key verifies with blazon verify --key'

export const CARD_SIGNATURE_FINDINGS: readonly RuleInfo[] = [
  invalidCardSignature,
  noCardSignature,
  noCardKey,
  partOfCard,
  selfAsserted,
  otherAgent,
  unsignedInteger,
  unsignableId,
  otherCardKey,
  unordered,
  nameWithoutKey,
]
