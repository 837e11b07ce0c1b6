// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'WK-101' | 'WK-102' | 'WK-103' | 'WK-104' | 'WK-105' | 'WK-106' | 'WK-107' | 'WK-108' | 'WK-110' | 'WK-111' | 'WK-112' | 'WK-113' | 'WK-114' | 'WK-115' | 'WK-116' | 'WK-117' | 'WK-120' | 'WK-121' | 'WK-122' | 'WK-123' | 'WK-124' | 'WK-130' | 'WK-131' | 'WK-132' | 'WK-133' | 'WK-134' | 'WK-140' | 'WK-141' | 'WK-142' | 'WK-143' | 'WK-144' | 'WK-145' | 'WK-146' | 'WK-147' | 'WK-148' | 'WK-149' | 'WK-150' | 'WK-151' | 'WK-152' | 'WK-153' | 'WK-154' | 'WK-155' | 'WK-156'

const T0 = 'ADP/1.1 section 6.3'
const T1 = 'ADP/1.1 section 6.3.2'
const T2 = 'warning'
const T3 = 'ADP/1.1 section 6.3.3'
const T4 = 'ADP/1.1 section 6.3.4'
const T5 = 'ADP/1.1 section 6.3.1'
const T6 = 'ADP/1.1 section 6.3.5'
const T7 = 'ADP/1.1 section 6.3.6'
const T8 = 'ADP/1.1 section 8.1.2'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'WK-101', 'Metadata is not a JSON object', T0)
export const PROTOCOL_VERSION = /* @__PURE__ */ finding('protocol-version', 'WK-102', 'Another protocol', T5)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'WK-103', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'WK-104', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'WK-105', 'Empty value', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'WK-106', 'Number out of range', T6)
export const OLDER_PROTOCOL = /* @__PURE__ */ finding('older-protocol', 'WK-107', 'Metadata of ADP/1.0', 'ADP/1.1 section 10.2', T2)
export const FOREIGN_MEMBER = /* @__PURE__ */ finding('foreign-member', 'WK-108', 'Member of another kind of document', 'docs/guide/keys.md')
export const DOMAIN_FORM = /* @__PURE__ */ finding('domain-form', 'WK-110', 'Malformed domain', T1)
export const AGENT_ID = /* @__PURE__ */ finding('agent-id', 'WK-111', 'Identifier with another domain', T1)
export const FINGERPRINT_FORM = /* @__PURE__ */ finding('fingerprint-form', 'WK-112', 'Malformed fingerprint', T1)
export const DRAFT_FINGERPRINT = /* @__PURE__ */ finding('draft-fingerprint', 'WK-113', 'Fingerprint from the draft\'s example', T7, T2, { strict: 'error', security: 'error' })
export const FULL_KEY = /* @__PURE__ */ finding('full-key', 'WK-114', 'Malformed key', T1)
export const FINGERPRINT_MATCH = /* @__PURE__ */ finding('fingerprint-match', 'WK-115', 'Fingerprint of another key', T8)
export const NO_FULL_KEY = /* @__PURE__ */ finding('no-full-key', 'WK-116', 'Full key is missing', T1, T2, { spec: 'off' })
export const KEY_ALGORITHM = /* @__PURE__ */ finding('key-algorithm', 'WK-117', 'Key for another algorithm', T1)
export const ENDPOINT_URL = /* @__PURE__ */ finding('endpoint-url', 'WK-120', 'Endpoint is not a URL', T3)
export const ENDPOINT_SCHEME = /* @__PURE__ */ finding('endpoint-scheme', 'WK-121', 'Endpoint without TLS', 'ADP/1.1 section 8.2')
export const ENDPOINT_CREDENTIALS = /* @__PURE__ */ finding('endpoint-credentials', 'WK-122', 'Endpoint with a password', T3)
export const WELL_KNOWN_ORIGIN = /* @__PURE__ */ finding('well-known-origin', 'WK-123', 'Document of another domain', T3, T2)
export const WELL_KNOWN_PATH = /* @__PURE__ */ finding('well-known-path', 'WK-124', 'Document at another path', 'ADP/1.1 section 4.1.1', T2, { spec: 'off' })
export const DUPLICATE_CAPABILITY = /* @__PURE__ */ finding('duplicate-capability', 'WK-130', 'Duplicate capability id', T4)
export const CAPABILITY_ID = /* @__PURE__ */ finding('capability-id', 'WK-131', 'Capability without an id or a name', T4, T2)
export const MEDIA_TOKEN = /* @__PURE__ */ finding('media-token', 'WK-132', 'Input or output that is neither a token nor a media type', T4, T2, { strict: 'error' })
export const LANGUAGE_TAG = /* @__PURE__ */ finding('language-tag', 'WK-133', 'Not a BCP 47 language tag', T4)
export const PRICING_MODEL = /* @__PURE__ */ finding('pricing-model', 'WK-134', 'Unknown pricing model', T4, T2, { strict: 'error' })
export const SECURITY_BLOCK = /* @__PURE__ */ finding('security-block', 'WK-140', 'No security block', T5, T2, { spec: 'info', security: 'error' })
export const TLS_REQUIRED = /* @__PURE__ */ finding('tls-required', 'WK-141', 'TLS that is not required', T6)
export const AUTH_METHODS = /* @__PURE__ */ finding('auth-methods', 'WK-142', 'No pubkey authentication', T6)
export const UNKNOWN_AUTH_METHOD = /* @__PURE__ */ finding('unknown-auth-method', 'WK-143', 'Unknown authentication method', T6, 'info', { spec: 'off', strict: T2 })
export const MIN_PROTOCOL_VERSION = /* @__PURE__ */ finding('min-protocol-version', 'WK-144', 'Malformed minimum protocol version', T6)
export const RATE_LIMIT = /* @__PURE__ */ finding('rate-limit', 'WK-145', 'Rate limit that allows nothing', T6)
export const NO_AUTH_METHODS = /* @__PURE__ */ finding('no-auth-methods', 'WK-146', 'No authentication methods', T6, T2)
export const FRACTIONAL_RATE = /* @__PURE__ */ finding('fractional-rate', 'WK-147', 'Rate limit is not an integer', T6, T2)
export const DNS_CLAIM = /* @__PURE__ */ finding('dns-claim', 'WK-148', 'DNS claim is not true or false', T7, T2)
export const PLACEHOLDER = /* @__PURE__ */ finding('placeholder', 'WK-149', 'Placeholder of the template', T4, T2, { spec: 'off', strict: 'error' })
export const METADATA_PROOF_INVALID = /* @__PURE__ */ finding('metadata-proof-invalid', 'WK-150', 'Invalid proof', T1)
export const METADATA_PROOF_ABSENT = /* @__PURE__ */ finding('metadata-proof-absent', 'WK-151', 'No proof', T1)
export const METADATA_SELF_ASSERTED = /* @__PURE__ */ finding('metadata-self-asserted', 'WK-152', 'Self-asserted', T8)
export const METADATA_KEY_UNUSABLE = /* @__PURE__ */ finding('metadata-key-unusable', 'WK-153', 'No key to verify with', T1)
export const METADATA_OTHER_KEY = /* @__PURE__ */ finding('metadata-other-key', 'WK-154', 'Signed with another key than the document contains', T1)
export const METADATA_OTHER_AGENT = /* @__PURE__ */ finding('metadata-other-agent', 'WK-155', 'Another agent', T1)
export const METADATA_ROUNDED_NUMBER = /* @__PURE__ */ finding('metadata-rounded-number', 'WK-156', 'Number that a signature rounds', 'RFC 8785 section 6')

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, PROTOCOL_VERSION, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, NUMBER_RANGE, OLDER_PROTOCOL, FOREIGN_MEMBER, DOMAIN_FORM, AGENT_ID, FINGERPRINT_FORM, DRAFT_FINGERPRINT, FULL_KEY, FINGERPRINT_MATCH, NO_FULL_KEY, KEY_ALGORITHM, ENDPOINT_URL, ENDPOINT_SCHEME, ENDPOINT_CREDENTIALS, WELL_KNOWN_ORIGIN, WELL_KNOWN_PATH, DUPLICATE_CAPABILITY, CAPABILITY_ID, MEDIA_TOKEN, LANGUAGE_TAG, PRICING_MODEL, SECURITY_BLOCK, TLS_REQUIRED, AUTH_METHODS, UNKNOWN_AUTH_METHOD, MIN_PROTOCOL_VERSION, RATE_LIMIT, NO_AUTH_METHODS, FRACTIONAL_RATE, DNS_CLAIM, PLACEHOLDER]

export const names = (): readonly string[] => [...namesOf(ALL), ...'metadata-proof-invalid WK-150 metadata-proof-absent WK-151 metadata-self-asserted WK-152 metadata-key-unusable WK-153 metadata-other-key WK-154 metadata-other-agent WK-155 metadata-rounded-number WK-156'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'Metadata is one JSON object. Anything else has no members to read.', bad: '[]', good: '{"protocol": "ADP/1.1"}' },
  { ...PROTOCOL_VERSION, why: 'This member says which rules apply to all others, and clients check it first (section 9.4).', bad: '{"protocol": "ADP/2.0"}', good: '{"protocol": "ADP/1.1"}' },
  { ...MISSING_MEMBER, why: 'Every client relies on the required members.', bad: '{"security": {"authMethods": ["pubkey"]}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"policies": "https://alice.example.com/privacy"}', good: '{"policies": {"privacy": "https://alice.example.com/privacy"}}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"identity": {"name": ""}}', good: '{"identity": {"name": "Alice"}}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"burstSize": -1}}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"burstSize": 10}}}' },
  { ...OLDER_PROTOCOL, why: 'Clients of 1.1 read it, but the member MUST be ADP/1.1.', bad: '{"protocol": "ADP/1.0"}', good: '{"protocol": "ADP/1.1"}' },
  { ...FOREIGN_MEMBER, why: 'One key signs several kinds of documents. A document that could be two kinds would be signed as both.', bad: '{"protocol": "ADP/1.1", "adl_spec": "0.1"}', good: '{"protocol": "ADP/1.1"}' },
  { ...DOMAIN_FORM, why: 'The domain identifies the agent and says where to find it. It is a full name in ASCII, without a port or a trailing dot.', bad: '{"identity": {"domain": "https://alice.example.com/"}}', good: '{"identity": {"domain": "alice.example.com"}}' },
  { ...AGENT_ID, why: 'Only this domain was asked. An identifier with another domain would be a claim without proof.', bad: '{"identity": {"id": "agent:bank.example", "domain": "alice.example.com"}}', good: '{"identity": {"id": "agent:alice.example.com", "domain": "alice.example.com"}}' },
  { ...FINGERPRINT_FORM, why: 'A fingerprint is ed25519: and the 32 bytes of a SHA-256 in base64url without padding. Any other text matches no key.', bad: '{"identity": {"publicKey": {"fingerprint": "ed25519:abc="}}}', good: '{"identity": {"publicKey": {"fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}}}' },
  { ...DRAFT_FINGERPRINT, why: 'The draft\'s example has 25 bytes of text, which is not the fingerprint of any key.', bad: '{"identity": {"publicKey": {"fingerprint": "ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ"}}}', good: '{"identity": {"publicKey": {"fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}}}' },
  { ...FULL_KEY, why: 'Messages and this document are verified with the key, which is the PEM of an Ed25519 PUBLIC KEY.', bad: '{"identity": {"publicKey": {"full": "ssh-ed25519 AAAA"}}}', good: '{"identity": {"publicKey": {"full": "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\\n-----END PUBLIC KEY-----"}}}' },
  { ...FINGERPRINT_MATCH, why: 'Clients hash the key and compare. If the fingerprint differs, the agent MUST NOT be trusted. The 32 bytes are hashed, not their SPKI.', bad: '{"identity": {"publicKey": {"fingerprint": "ed25519:BuP9j9opu2CrWVV95h7bCuzbIxE0vjDnW0Vfjht5L6k", "full": "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\\n-----END PUBLIC KEY-----"}}}', good: '{"identity": {"publicKey": {"fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "full": "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\\n-----END PUBLIC KEY-----"}}}' },
  { ...NO_FULL_KEY, why: 'A fingerprint alone verifies nothing. Without the key the agent is at most verified by DNS, and its messages are not.', bad: '{"identity": {"publicKey": {"algorithm": "ed25519", "fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}}}', good: '{"identity": {"publicKey": {"algorithm": "ed25519", "fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "full": "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\\n-----END PUBLIC KEY-----"}}}' },
  { ...KEY_ALGORITHM, why: 'The algorithm MUST be ed25519, because fingerprints, messages and proofs use it.', bad: '{"identity": {"publicKey": {"algorithm": "rsa"}}}', good: '{"identity": {"publicKey": {"algorithm": "ed25519"}}}' },
  { ...ENDPOINT_URL, why: 'Programs read a malformed URL differently, so it leads to different places or nowhere. A script URL runs in the program that opens it.', bad: '{"endpoints": {"wellKnown": "alice.example.com"}}', good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...ENDPOINT_SCHEME, why: 'All endpoints MUST be served over TLS, with https, and wss for chat. Anything else can be read and changed in transit.', bad: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json", "chat": "ws://alice.example.com/agent/chat"}}', good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json", "chat": "wss://alice.example.com/agent/chat"}}' },
  { ...ENDPOINT_CREDENTIALS, why: 'Anyone can read this document and the password in it. Clients refuse such a URL.', bad: '{"endpoints": {"wellKnown": "https://user:pass@alice.example.com/.well-known/agent.json"}}', good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...WELL_KNOWN_ORIGIN, why: 'The member is the URL of this document. At another domain, it must be a provider that the DNS names.', bad: '{"identity": {"domain": "alice.example.com"}, "endpoints": {"wellKnown": "https://bank.example/.well-known/agent.json"}}', good: '{"identity": {"domain": "alice.example.com"}, "endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...WELL_KNOWN_PATH, why: 'Clients look below /.well-known/, at agent.json unless the DNS names another path.', bad: '{"endpoints": {"wellKnown": "https://alice.example.com/agent.json"}}', good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...DUPLICATE_CAPABILITY, why: 'Tasks name a capability by its unique id. If two have the same id, nothing tells which is meant.', bad: '{"capabilities": [{"id": "chat", "name": "Chat"}, {"id": "chat", "name": "Talk"}]}', good: '{"capabilities": [{"id": "chat", "name": "Chat"}, {"id": "talk", "name": "Talk"}]}' },
  { ...CAPABILITY_ID, why: 'Nobody can request it, or show it. The draft does not mark them as required; its schema does.', bad: '{"capabilities": [{"description": "Talks."}]}', good: '{"capabilities": [{"id": "chat", "name": "Chat", "description": "Talks."}]}' },
  { ...MEDIA_TOKEN, why: 'Clients compare these exactly with what they can send or accept.', bad: '{"capabilities": [{"id": "chat", "name": "Chat", "input": ["Plain Text"]}]}', good: '{"capabilities": [{"id": "chat", "name": "Chat", "input": ["text", "application/pdf"]}]}' },
  { ...LANGUAGE_TAG, why: 'Languages are tags such as en, zh-Hant or pt-BR. A name in words matches nothing.', bad: '{"capabilities": [{"id": "chat", "name": "Chat", "languages": ["English (US)"]}]}', good: '{"capabilities": [{"id": "chat", "name": "Chat", "languages": ["en-US"]}]}' },
  { ...PRICING_MODEL, why: 'Clients choose by the three defined models. Others come from earlier drafts.', bad: '{"capabilities": [{"id": "chat", "name": "Chat", "pricing": {"model": "per-use"}}]}', good: '{"capabilities": [{"id": "chat", "name": "Chat", "pricing": {"model": "per_use"}}]}' },
  { ...SECURITY_BLOCK, why: 'It is RECOMMENDED, because it tells clients how to authenticate and how often they may send requests.', bad: '{"protocol": "ADP/1.1"}', good: '{"protocol": "ADP/1.1", "security": {"tlsRequired": true, "authMethods": ["pubkey"]}}' },
  { ...TLS_REQUIRED, why: 'The member MUST be true, because agents require TLS 1.3 (section 8.2).', bad: '{"security": {"tlsRequired": false, "authMethods": ["pubkey"]}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}' },
  { ...AUTH_METHODS, why: 'All implementations MUST support pubkey. Clients that support nothing else could not reach this agent.', bad: '{"security": {"tlsRequired": true, "authMethods": ["bearer_token"]}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey", "bearer_token"]}}' },
  { ...UNKNOWN_AUTH_METHOD, why: 'Clients of the draft do not know it, and skip it.', bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey", "basic"]}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}' },
  { ...MIN_PROTOCOL_VERSION, why: 'Peers with a lower version are refused, so a version that does not exist refuses everyone.', bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "minProtocolVersion": "1.1"}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "minProtocolVersion": "ADP/1.1"}}' },
  { ...RATE_LIMIT, why: 'With a limit of 0, nobody may send requests.', bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 0}}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 60}}}' },
  { ...NO_AUTH_METHODS, why: 'The list tells clients how to authenticate. Without it they can only assume pubkey.', bad: '{"security": {"tlsRequired": true}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}' },
  { ...FRACTIONAL_RATE, why: 'Requests are whole, and programs round fractions differently.', bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 1.5}}}', good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 2}}}' },
  { ...DNS_CLAIM, why: 'Clients compare these claims with what they observe, and ignore other types.', bad: '{"dns": {"dnssecSigned": "yes"}}', good: '{"dns": {"dnssecSigned": true}}' },
  { ...PLACEHOLDER, why: 'Readers of the metadata learn nothing about what the agent does.', bad: '{"capabilities": [{"id": "chat", "name": "Chat", "description": "Says what this tool does, with what, and what comes out of it."}]}', good: '{"capabilities": [{"id": "chat", "name": "Chat", "description": "Answers questions about invoices."}]}' },
  { ...METADATA_PROOF_INVALID, why: 'The document was changed after it was signed, or another key signed it.', bad: '{"identity": {"publicKey": {"proof": "not a signature"}}}', good: '{"identity": {"publicKey": {"proof": "ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg"}}}' },
  { ...METADATA_PROOF_ABSENT, why: 'The proof is OPTIONAL. Without it, only the channel shows that the agent wrote the document.', bad: '{"identity": {"publicKey": {"algorithm": "ed25519"}}}', good: '{"identity": {"publicKey": {"algorithm": "ed25519", "proof": "ed25519:3cLS5W0xP3brpT0YajFvC4ShK70izrmapx8_3p-OBBloFgdTrQEpDXdefpnG0H8Yl-Ag4vAy2yYayNS4GLnyAg"}}}' },
  { ...METADATA_SELF_ASSERTED, why: 'The document contains the key that signs it, and anyone can make such a pair. A key that you know, or the fingerprint in the domain\'s DNS, shows whose it is.', bad: 'a document, verified with its own key', good: 'a document, verified with the key that its agent gave you: blazon verify agent.json --key alice.pub.pem' },
  { ...METADATA_KEY_UNUSABLE, why: 'Without the full key nothing can be verified, and a fingerprint of another key speaks against the document.', bad: '{"identity": {"publicKey": {"fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}}}', good: '{"identity": {"publicKey": {"fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "full": "-----BEGIN PUBLIC KEY-----…"}}}' },
  { ...METADATA_OTHER_KEY, why: 'The proof shows that the author has the key in the document. Another key\'s signature would never verify.', bad: 'Alice\'s key in publicKey, signed with Bob\'s', good: 'the same key in both: blazon keygen prints its fingerprint' },
  { ...METADATA_OTHER_AGENT, why: 'The document belongs to another agent than expected.', bad: 'asked for agent:alice.example.com, found agent:bank.example', good: 'the agent that was asked for' },
  { ...METADATA_ROUNDED_NUMBER, why: 'Canonical numbers are doubles, so a signature over this number also covers others.', bad: '{"meta": {"build": 9007199254740993}}', good: '{"meta": {"build": "9007199254740993"}}' },
]
