// The findings of signing and verifying invitations.
import type { RuleInfo } from '../../frame/rule.ts'

const SIGNATURE = 'ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg'
const SECTION = 'ADP/1.1 section 8.3.1'

export const invalidSignature: RuleInfo = {
  id: 'invite-signature-invalid',
  code: 'INV-150',
  title: 'Signature that does not hold',
  section: SECTION,
  severity: 'error',
  why: 'The invitation was changed after it was signed, or another key signed it.',
  bad: '{"signature": "not a signature"}',
  good: `{"signature": "${SIGNATURE}"}`,
}

export const noSignature: RuleInfo = {
  id: 'invite-signature-absent',
  code: 'INV-151',
  title: 'No signature',
  section: SECTION,
  severity: 'error',
  why: 'Without one only the way by which the invitation came shows that the agent sent it.',
  bad: '{"protocol": "ADP/1.1", "invite": {}}',
  good: `{"protocol": "ADP/1.1", "invite": {}, "signature": "${SIGNATURE}"}`,
}

export const unknownInviteKey: RuleInfo = {
  id: 'invite-key-unknown',
  code: 'INV-152',
  title: 'No key to verify with',
  section: SECTION,
  severity: 'error',
  why: 'An invitation has the fingerprint of the key and not the key. That stands in the metadata of the agent.',
  bad: 'an invitation, verified without a key',
  good: 'an invitation, verified with the key of its agent: blazon verify invite.json --key alice.pub.pem',
}

export const otherInviteKey: RuleInfo = {
  id: 'invite-other-key',
  code: 'INV-153',
  title: 'Another key than the one that is named',
  section: SECTION,
  severity: 'error',
  why: 'The fingerprint in the invitation stands in place of the DNS: another key is another agent.',
  bad: 'the fingerprint of Alice in pubkey, the key of Bob',
  good: 'the same key in both: blazon keygen prints its fingerprint',
}

export const otherInviteAgent: RuleInfo = {
  id: 'invite-other-agent',
  code: 'INV-154',
  title: 'Another agent',
  section: SECTION,
  severity: 'error',
  why: 'The invitation is of another agent than the one that is expected.',
  bad: 'expected agent:alice.example.com, found agent:bank.example',
  good: 'the agent that is expected',
}

export const inviteOver: RuleInfo = {
  id: 'invite-over',
  code: 'INV-155',
  title: 'Invitation that is over',
  section: SECTION,
  severity: 'error',
  why: 'Its time is over, or it does not say when that is: it invites nobody any more.',
  bad: '{"invite": {"expires": "2020-01-01T00:00:00Z"}}',
  good: '{"invite": {"expires": "2099-01-01T00:00:00Z"}}',
}

export const roundedInviteNumber: RuleInfo = {
  id: 'invite-rounded-number',
  code: 'INV-156',
  title: 'Number that a signature rounds',
  section: 'RFC 8785 section 6',
  severity: 'error',
  why: 'Canonical numbers are doubles: a signature over this one holds for others, too.',
  bad: '{"invite": {"uses": 9007199254740993}}',
  good: '{"invite": {"uses": "9007199254740993"}}',
}

export const INVITE_FINDINGS: readonly RuleInfo[] = [
  invalidSignature,
  noSignature,
  unknownInviteKey,
  otherInviteKey,
  otherInviteAgent,
  inviteOver,
  roundedInviteNumber,
]
