// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'CARD-144' | 'CARD-180' | 'CARD-181' | 'CARD-182' | 'CARD-183' | 'CARD-184' | 'CARD-185' | 'CARD-186' | 'CARD-187' | 'CARD-188' | 'CARD-200' | 'CARD-201' | 'CARD-189'

const T0 = 'A2A 1.0 section 5.7'
const T1 = 'A2A 1.0 section 4.4'
const T2 = 'CARD-184'
const T3 = 'warning'
const T4 = 'CARD-185'
const T5 = 'A2A 1.0 section 4.4.6'
const T6 = 'CARD-186'
const T7 = 'A2A 1.0 section 4.4.1'
const T8 = 'A2A 1.0 section 4.5'
const T9 = 'CARD-187'
const T10 = 'A2A 1.0 section 8.4.2'
const T11 = 'A2A 0.3 section 5.5'
const T12 = 'CARD-188'
const T13 = 'CARD-189'
const T14 = 'A2A 1.0 section 8.4.3'
export const A2A_SCRIPT_URL = /* @__PURE__ */ finding('a2a-script-url', 'CARD-144', 'Address that runs or reads something when it is opened', T7)
export const A2A_MISSING_MEMBER = /* @__PURE__ */ finding('a2a-missing-member', 'CARD-180', 'Missing required member of an A2A card', T0)
export const A2A_MEMBER_TYPE = /* @__PURE__ */ finding('a2a-member-type', 'CARD-181', 'Invalid member type in an A2A card', T1)
export const A2A_ENUM_VALUE = /* @__PURE__ */ finding('a2a-enum-value', 'CARD-182', 'Value that A2A does not define', T8)
export const A2A_EMPTY_VALUE = /* @__PURE__ */ finding('a2a-empty-value', 'CARD-183', 'Empty value in an A2A card', T0)
export const A2A_LEGACY_MEMBER = /* @__PURE__ */ finding('a2a-legacy-member', T2, 'Member of an older version of A2A', T1)
export const A2A_OLDER_MEMBER = /* @__PURE__ */ finding('a2a-older-member', T2, 'Member from before A2A 0.3', T11, T3)
export const A2A_UNKNOWN_MEMBER = /* @__PURE__ */ finding('a2a-unknown-member', T2, 'Member that A2A does not define', T1)
export const A2A_PLAIN_HTTP = /* @__PURE__ */ finding('a2a-plain-http', T4, 'Interface without HTTPS', T5, T3, { strict: 'error', security: 'error' })
export const A2A_URL = /* @__PURE__ */ finding('a2a-url', T4, 'Invalid address of an interface', T5)
export const A2A_BINDING = /* @__PURE__ */ finding('a2a-binding', T6, 'Protocol binding that few clients support', T5, T3)
export const A2A_MODE = /* @__PURE__ */ finding('a2a-mode', T6, 'Mode that is not a media type', T7, T3)
export const A2A_PROTOCOL_VERSION = /* @__PURE__ */ finding('a2a-protocol-version', T6, 'Malformed protocol version', T5, T3)
export const A2A_OTHER_VERSION = /* @__PURE__ */ finding('a2a-other-version', T6, 'Another version of A2A', T5, T3)
export const A2A_DEPRECATED_FLOW = /* @__PURE__ */ finding('a2a-deprecated-flow', T9, 'Deprecated OAuth flow', T8, T3)
export const A2A_SCHEME_KIND = /* @__PURE__ */ finding('a2a-scheme-kind', T9, 'Security scheme without exactly one kind', T8)
export const A2A_UNDECLARED_SCHEME = /* @__PURE__ */ finding('a2a-undeclared-scheme', T9, 'Undeclared security scheme', T8, T3)
export const A2A_SIGNATURE_FORM = /* @__PURE__ */ finding('a2a-signature-form', T12, 'Malformed signature of an A2A card', T10, T3, { strict: 'error', security: 'error' })
export const A2A_SIGNATURE_HEADER = /* @__PURE__ */ finding('a2a-signature-header', 'CARD-200', 'Signature without alg or kid', T10)
export const A2A_MISSPELLED_MEMBER = /* @__PURE__ */ finding('a2a-misspelled-member', 'CARD-201', 'Misspelled member of A2A 0.3', T11, T3)
export const A2A_SIGNATURE_INVALID = /* @__PURE__ */ finding('a2a-signature-invalid', T12, 'Invalid signature of an A2A card', T14)
export const A2A_SIGNATURE_ABSENT = /* @__PURE__ */ finding('a2a-signature-absent', T13, 'A2A card without a verifiable signature', 'A2A 1.0 section 8.4')
export const A2A_SIGNATURE_COVERAGE = /* @__PURE__ */ finding('a2a-signature-coverage', T13, 'Member that a signature does not cover', 'A2A 1.0 section 8.4.1', T3)
export const A2A_SIGNATURE_JKU = /* @__PURE__ */ finding('a2a-signature-jku', T13, 'Key address that is not trusted', T14, 'info')
export const A2A_SIGNATURE_KEY = /* @__PURE__ */ finding('a2a-signature-key', T13, 'Signature that does not identify its key', T14, T3)

export const ALL: readonly FindingKind[] = [A2A_SCRIPT_URL, A2A_MISSING_MEMBER, A2A_MEMBER_TYPE, A2A_ENUM_VALUE, A2A_EMPTY_VALUE, A2A_LEGACY_MEMBER, A2A_OLDER_MEMBER, A2A_UNKNOWN_MEMBER, A2A_PLAIN_HTTP, A2A_URL, A2A_BINDING, A2A_MODE, A2A_PROTOCOL_VERSION, A2A_OTHER_VERSION, A2A_DEPRECATED_FLOW, A2A_SCHEME_KIND, A2A_UNDECLARED_SCHEME, A2A_SIGNATURE_FORM, A2A_SIGNATURE_HEADER, A2A_MISSPELLED_MEMBER]

export const names = (): readonly string[] => [...namesOf(ALL), ...'a2a-signature-invalid CARD-188 a2a-signature-absent CARD-189 a2a-signature-coverage a2a-signature-jku a2a-signature-key'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...A2A_SCRIPT_URL, why: 'A page that shows the address as a link or a picture would run code of the card\'s author, or read local files.', bad: '{"documentationUrl": "javascript:alert(1)"}', good: '{"documentationUrl": "https://agents.example.com/docs"}' },
  { ...A2A_MISSING_MEMBER, why: 'Clients rely on required members. Without one they fail, or make something up.', bad: '{"skills": [{"id": "translate", "name": "Translate", "description": "Translates text."}]}', good: '{"skills": [{"id": "translate", "name": "Translate", "description": "Translates text.", "tags": ["nlp"]}]}' },
  { ...A2A_MEMBER_TYPE, why: 'Some SDKs convert a value of another type to text, others fail.', bad: '{"capabilities": {"streaming": "yes"}}', good: '{"capabilities": {"streaming": true}}' },
  { ...A2A_ENUM_VALUE, why: 'Clients act only on the values that the specification lists.', bad: '{"securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "body", "name": "X-API-Key"}}}}', good: '{"securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-API-Key"}}}}' },
  { ...A2A_EMPTY_VALUE, why: 'A required value must not be empty. In Protocol Buffers an empty value is an absent one, and SDKs leave it out before they verify a signature.', bad: '{"skills": []}', good: '{"skills": [{"id": "translate", "name": "Translate", "description": "Translates text.", "tags": ["nlp"]}]}' },
  { ...A2A_LEGACY_MEMBER, why: 'A card has one version. Readers of 1.0 refuse this member, or drop it and lose what it says.', bad: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "transport": "JSONRPC", "protocolVersion": "1.0"}]}', good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}' },
  { ...A2A_OLDER_MEMBER, why: 'Clients of 0.3 ignore it. If only authentication.schemes says how to log in, they cannot.', bad: '{"authentication": {"schemes": ["bearer"]}}', good: '{"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}, "security": [{"bearer": []}]}' },
  { ...A2A_UNKNOWN_MEMBER, why: 'Readers of 1.0 refuse such a card or drop the member, and signatures do not cover it. The params of an extension may hold anything.', bad: '{"rating": 5}', good: '{"capabilities": {"extensions": [{"uri": "https://example.com/rating", "params": {"rating": 5}}]}}' },
  { ...A2A_PLAIN_HTTP, why: 'Agents in production are reached over TLS. Anyone on the network can read and change plain HTTP.', bad: '{"supportedInterfaces": [{"url": "http://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}', good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}' },
  { ...A2A_URL, why: 'Clients connect only to this address. It must be an absolute HTTP URL, or host and port for gRPC.', bad: '{"supportedInterfaces": [{"url": "/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}', good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}' },
  { ...A2A_BINDING, why: 'Clients choose an interface by its binding, compared exactly. Bindings that A2A does not define are named by a URI.', bad: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "jsonrpc", "protocolVersion": "1.0"}]}', good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}' },
  { ...A2A_MODE, why: 'Clients compare media types. A client that asks for text/plain does not find the mode text.', bad: '{"defaultInputModes": ["text"]}', good: '{"defaultInputModes": ["text/plain"]}' },
  { ...A2A_PROTOCOL_VERSION, why: 'Clients compare the major and minor version, as in 1.0. Cards of 0.3 have three numbers, as in 0.3.0.', bad: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "v1"}]}', good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}' },
  { ...A2A_OTHER_VERSION, why: 'The rules of one version do not apply to cards of another, in which the same members may mean something else. Blazon knows those of 0.3 and 1.0.', bad: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "2.0"}]}', good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}' },
  { ...A2A_DEPRECATED_FLOW, why: 'The implicit flow leaks tokens, and the password flow gives passwords to clients. OAuth 2.1 has neither.', bad: '{"securitySchemes": {"login": {"oauth2SecurityScheme": {"flows": {"password": {"tokenUrl": "https://a.example/token"}}}}}}', good: '{"securitySchemes": {"login": {"oauth2SecurityScheme": {"flows": {"clientCredentials": {"tokenUrl": "https://a.example/token", "scopes": {"read": "Reads"}}}}}}}' },
  { ...A2A_SCHEME_KIND, why: 'A scheme has exactly one kind, and so do its flows. With two, SDKs choose differently; with none, nobody can log in.', bad: '{"securitySchemes": {"login": {}}}', good: '{"securitySchemes": {"login": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}}}' },
  { ...A2A_UNDECLARED_SCHEME, why: 'The requirement names a scheme that securitySchemes does not have, so no client knows how to log in.', bad: '{"securityRequirements": [{"schemes": {"bearer": {"list": []}}}]}', good: '{"securitySchemes": {"bearer": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}}, "securityRequirements": [{"schemes": {"bearer": {"list": []}}}]}' },
  { ...A2A_SIGNATURE_FORM, why: 'A signature that cannot be read verifies with no key. The card counts as unsigned, or is refused.', bad: '{"signatures": [{"protected": "eyJhbGciOiJub25lIiwia2lkIjoia2V5LTEifQ", "signature": "AAAA"}]}', good: '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}' },
  { ...A2A_SIGNATURE_HEADER, why: 'The protected header must name the algorithm and the key. Without them nobody can verify the signature.', bad: '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiJ9", "signature": "AAAA"}]}', good: '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}' },
  { ...A2A_MISSPELLED_MEMBER, why: 'Readers of 0.3 ignore a member that they do not know, so the card does not say what its author meant.', bad: '{"capabilities": {"streeming": true}}', good: '{"capabilities": {"streaming": true}}' },
  { ...A2A_SIGNATURE_INVALID, why: 'The card was changed after it was signed, or another key signed it.', bad: '{"signatures": [{"protected": "not a header", "signature": "AAAA"}]}', good: '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}' },
  { ...A2A_SIGNATURE_ABSENT, why: 'Only a signature with a supported algorithm and a key that the caller trusts shows whose card it is.', bad: '{"signatures": []}', good: '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}' },
  { ...A2A_SIGNATURE_COVERAGE, why: 'SDKs leave out empty values and unknown members before they sign. Changing these does not break the signature.', bad: '{"securityRequirements": [{"schemes": {"bearer": {"list": []}}}]}', good: '{"securityRequirements": [{"schemes": {"oauth": {"list": ["read"]}}}]}' },
  { ...A2A_SIGNATURE_JKU, why: 'The signer chooses jku, so an attacker would name a server of their own. Blazon neither fetches nor trusts it.', bad: '{"signatures": [{"protected": "{alg: ES256, kid: key-1, jku: https://attacker.example/keys}", "signature": "AAAA"}]}', good: '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}' },
  { ...A2A_SIGNATURE_KEY, why: 'An A2A card names its key but does not contain it. Only those who already have the key can verify the signature.', bad: 'a card that was signed without a kid that its verifiers know', good: 'the same card, verified with its public key: blazon verify card.json --key agent.pub.pem' },
]
