// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'INV-101' | 'INV-102' | 'INV-103' | 'INV-104' | 'INV-105' | 'INV-106' | 'INV-110' | 'INV-111' | 'INV-112' | 'INV-113' | 'INV-114' | 'INV-115' | 'INV-116' | 'INV-117' | 'INV-150' | 'INV-151' | 'INV-152' | 'INV-153' | 'INV-154' | 'INV-155' | 'INV-156'

const T0 = 'ADP/1.1 section 8.3.1'
const T1 = 'warning'
const T2 = 'Expired invitation'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'INV-101', 'Invitation is not a JSON object', T0)
export const PROTOCOL_VERSION = /* @__PURE__ */ finding('protocol-version', 'INV-102', 'Another protocol', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'INV-103', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'INV-104', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'INV-105', 'Empty value', T0)
export const FOREIGN_MEMBER = /* @__PURE__ */ finding('foreign-member', 'INV-106', 'Member of another kind of document', 'docs/guide/keys.md')
export const CODE_STRENGTH = /* @__PURE__ */ finding('code-strength', 'INV-110', 'Guessable code', T0, T1, { spec: 'info', security: 'error' })
export const AGENT_ID = /* @__PURE__ */ finding('agent-id', 'INV-111', 'Identifier that does not name an agent', T0)
export const WELL_KNOWN_URL = /* @__PURE__ */ finding('well-known-url', 'INV-112', 'Invalid address of metadata', 'ADP/1.1 section 8.2')
export const FINGERPRINT_FORM = /* @__PURE__ */ finding('fingerprint-form', 'INV-113', 'Fingerprint that matches no key', 'ADP/1.1 section 6.3.2')
export const EXPIRES_FORM = /* @__PURE__ */ finding('expires-form', 'INV-114', 'Invalid expiry', T0)
export const EXPIRED = /* @__PURE__ */ finding('expired', 'INV-115', T2, T0, T1)
export const FAR_EXPIRY = /* @__PURE__ */ finding('far-expiry', 'INV-116', 'Invitation for more than a year', T0, T1, { spec: 'info', security: 'error' })
export const WELL_KNOWN_ORIGIN = /* @__PURE__ */ finding('well-known-origin', 'INV-117', 'Metadata at another domain', 'ADP/1.1 section 4.1.2', T1)
export const INVITE_SIGNATURE_INVALID = /* @__PURE__ */ finding('invite-signature-invalid', 'INV-150', 'Invalid signature', T0)
export const INVITE_SIGNATURE_ABSENT = /* @__PURE__ */ finding('invite-signature-absent', 'INV-151', 'No signature', T0)
export const INVITE_KEY_UNKNOWN = /* @__PURE__ */ finding('invite-key-unknown', 'INV-152', 'No key to verify with', T0)
export const INVITE_OTHER_KEY = /* @__PURE__ */ finding('invite-other-key', 'INV-153', 'Another key than the invitation names', T0)
export const INVITE_OTHER_AGENT = /* @__PURE__ */ finding('invite-other-agent', 'INV-154', 'Another agent', T0)
export const INVITE_OVER = /* @__PURE__ */ finding('invite-over', 'INV-155', T2, T0)
export const INVITE_ROUNDED_NUMBER = /* @__PURE__ */ finding('invite-rounded-number', 'INV-156', 'Number that a signature rounds', 'RFC 8785 section 6')

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, PROTOCOL_VERSION, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, FOREIGN_MEMBER, CODE_STRENGTH, AGENT_ID, WELL_KNOWN_URL, FINGERPRINT_FORM, EXPIRES_FORM, EXPIRED, FAR_EXPIRY, WELL_KNOWN_ORIGIN]

export const names = (): readonly string[] => [...namesOf(ALL), ...'invite-signature-invalid INV-150 invite-signature-absent INV-151 invite-key-unknown INV-152 invite-other-key INV-153 invite-other-agent INV-154 invite-over INV-155 invite-rounded-number INV-156'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'An invitation is one JSON object. Anything else has no members to read.', bad: '[]', good: '{"protocol": "ADP/1.1", "invite": {}}' },
  { ...PROTOCOL_VERSION, why: 'This member says which rules apply to all others. There were no invitations before 1.1.', bad: '{"protocol": "ADP/1.0", "invite": {}}', good: '{"protocol": "ADP/1.1", "invite": {}}' },
  { ...MISSING_MEMBER, why: 'An invitation replaces the DNS, so its recipient has nothing else to rely on.', bad: '{"protocol": "ADP/1.1", "invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}', good: '{"protocol": "ADP/1.1", "invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA", "agent": "agent:alice.example.com", "wellKnown": "https://alice.example.com/.well-known/agent.json", "pubkey": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "expires": "2026-12-31T00:00:00Z"}}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"invite": {"code": 12345678}}', good: '{"invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"invite": {"code": ""}}', good: '{"invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}' },
  { ...FOREIGN_MEMBER, why: 'One key signs several kinds of documents, and the signature of an invitation covers only its member invite.', bad: '{"protocol": "ADP/1.1", "invite": {}, "identity": {}}', good: '{"protocol": "ADP/1.1", "invite": {}}' },
  { ...CODE_STRENGTH, why: 'Anyone with the code is admitted. All eight-digit codes, as in the draft\'s example, can be tried in a day. 128 bits in base64url (22 characters) cannot be guessed.', bad: '{"invite": {"code": "a1b2c3d4"}}', good: '{"invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}' },
  { ...AGENT_ID, why: 'The agent is named by its domain, which serves its metadata.', bad: '{"invite": {"agent": "alice"}}', good: '{"invite": {"agent": "agent:alice.example.com"}}' },
  { ...WELL_KNOWN_URL, why: 'The metadata is fetched from there over TLS. The address contains neither credentials nor the code, because servers log addresses.', bad: '{"invite": {"wellKnown": "http://alice.example.com/agent.json"}}', good: '{"invite": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...FINGERPRINT_FORM, why: 'The agent\'s key is compared with this fingerprint, which replaces the DNS. It is ed25519: and the 32 bytes of a SHA-256 in base64url without padding.', bad: '{"invite": {"pubkey": "ed25519:abc="}}', good: '{"invite": {"pubkey": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}}' },
  { ...EXPIRES_FORM, why: 'An invitation ends at a moment (RFC 3339). A date alone is a different moment in each time zone.', bad: '{"invite": {"expires": "2026-12-31"}}', good: '{"invite": {"expires": "2026-12-31T00:00:00Z"}}' },
  { ...EXPIRED, why: 'It admits nobody any more.', bad: '{"invite": {"expires": "2020-01-01T00:00:00Z"}}', good: '{"invite": {"expires": "2026-12-31T00:00:00Z"}}' },
  { ...FAR_EXPIRY, why: 'Unless it is revoked, it admits anyone who finds it. Prefer a short time, and a new invitation afterwards.', bad: '{"invite": {"expires": "2999-01-01T00:00:00Z"}}', good: '{"invite": {"expires": "2026-12-31T00:00:00Z"}}' },
  { ...WELL_KNOWN_ORIGIN, why: 'Hosted agents need this. The recipient shows the code to that other domain.', bad: '{"invite": {"agent": "agent:alice.example.com", "wellKnown": "https://evil.example/.well-known/agent.json"}}', good: '{"invite": {"agent": "agent:alice.example.com", "wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...INVITE_SIGNATURE_INVALID, why: 'The invitation was changed after it was signed, or another key signed it.', bad: '{"signature": "not a signature"}', good: '{"signature": "ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg"}' },
  { ...INVITE_SIGNATURE_ABSENT, why: 'Without a signature, only the channel shows that the agent sent the invitation.', bad: '{"protocol": "ADP/1.1", "invite": {}}', good: '{"protocol": "ADP/1.1", "invite": {}, "signature": "ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg"}' },
  { ...INVITE_KEY_UNKNOWN, why: 'An invitation has the fingerprint of the key, not the key. The agent\'s metadata has it.', bad: 'an invitation, verified without a key', good: 'an invitation, verified with the key of its agent: blazon verify invite.json --key alice.pub.pem' },
  { ...INVITE_OTHER_KEY, why: 'The fingerprint in the invitation replaces the DNS, so another key means another agent.', bad: 'Alice\'s fingerprint in pubkey, Bob\'s key', good: 'the same key in both: blazon keygen prints its fingerprint' },
  { ...INVITE_OTHER_AGENT, why: 'The invitation is for another agent than expected.', bad: 'expected agent:alice.example.com, found agent:bank.example', good: 'the agent that is expected' },
  { ...INVITE_OVER, why: 'It has expired, or does not say when it expires, so it admits nobody.', bad: '{"invite": {"expires": "2020-01-01T00:00:00Z"}}', good: '{"invite": {"expires": "2099-01-01T00:00:00Z"}}' },
  { ...INVITE_ROUNDED_NUMBER, why: 'Canonical numbers are doubles, so a signature over this number also covers others.', bad: '{"invite": {"uses": 9007199254740993}}', good: '{"invite": {"uses": "9007199254740993"}}' },
]
