// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'CAT-101' | 'CAT-102' | 'CAT-103' | 'CAT-104' | 'CAT-105' | 'CAT-106' | 'CAT-110' | 'CAT-111' | 'CAT-112' | 'CAT-113' | 'CAT-114' | 'CAT-115' | 'CAT-116' | 'CAT-117' | 'CAT-149'

const T0 = 'AI Catalog 1.0'
const T1 = 'CAT-102'
const T2 = 'ARD 0.91'
const T3 = 'warning'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'CAT-101', 'Catalog is not a JSON object', T0)
export const ENTRY_TYPE = /* @__PURE__ */ finding('entry-type', T1, 'Catalog entry without a type', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', T1, 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'CAT-103', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'CAT-104', 'Empty value', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'CAT-105', 'Unknown value', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'CAT-106', 'Malformed value', T0)
export const OLDER_TYPE = /* @__PURE__ */ finding('older-type', 'CAT-110', 'Older name for type', T2, T3, { strict: 'error' })
export const ENTRY_CONTENT = /* @__PURE__ */ finding('entry-content', 'CAT-111', 'Entry without exactly one document', T0)
export const IDENTIFIER_FORM = /* @__PURE__ */ finding('identifier-form', 'CAT-112', 'Identifier that ARD does not accept', T2, T3, { spec: 'info' })
export const REPEATED_IDENTIFIER = /* @__PURE__ */ finding('repeated-identifier', 'CAT-113', 'Duplicate identifier', T0)
export const NO_QUERIES = /* @__PURE__ */ finding('no-queries', 'CAT-114', 'Entry without example questions', T2, 'info', { spec: 'off' })
export const QUERY_COUNT = /* @__PURE__ */ finding('query-count', 'CAT-115', 'Too few or too many questions', T2, T3)
export const PLAIN_URL = /* @__PURE__ */ finding('plain-url', 'CAT-116', 'Address without TLS', T0, T3, { strict: 'error', security: 'error' })
export const SCRIPT_URL = /* @__PURE__ */ finding('script-url', 'CAT-117', 'Address that runs or reads something when it is opened', T0)
export const PLACEHOLDER = /* @__PURE__ */ finding('placeholder', 'CAT-149', 'Placeholder of the template', T0, T3, { spec: 'off', strict: 'error' })

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, ENTRY_TYPE, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, ENUM_VALUE, VALUE_PATTERN, OLDER_TYPE, ENTRY_CONTENT, IDENTIFIER_FORM, REPEATED_IDENTIFIER, NO_QUERIES, QUERY_COUNT, PLAIN_URL, SCRIPT_URL, PLACEHOLDER]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A catalog is one JSON object. Anything else has no entries to read.', bad: '[]', good: '{"specVersion": "1.0", "entries": []}' },
  { ...ENTRY_TYPE, why: 'Readers identify an entry by its identifier, show its name, and decide by its type what to do with it.', bad: '{"entries": [{"identifier": "urn:air:example.com:agents:scout"}]}', good: '{"entries": [{"identifier": "urn:air:example.com:agents:scout", "type": "application/a2a-agent-card+json"}]}' },
  { ...MISSING_MEMBER, why: 'Readers identify an entry by its identifier, show its name, and decide by its type what to do with it.', bad: '{"specVersion": "1.0"}', good: '{"specVersion": "1.0", "entries": []}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"entries": [{"tags": "finance"}]}', good: '{"entries": [{"tags": ["finance"]}]}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"host": {"displayName": ""}}', good: '{"host": {"displayName": "Acme"}}' },
  { ...ENUM_VALUE, why: 'Readers support version 1.0 only, and act on the values that the format lists.', bad: '{"specVersion": "2.0"}', good: '{"specVersion": "1.0"}' },
  { ...VALUE_PATTERN, why: 'Addresses must be absolute, because a catalog is read far from its origin. Times follow RFC 3339.', bad: '{"entries": [{"updatedAt": "2026-11-23"}]}', good: '{"entries": [{"updatedAt": "2026-11-23T10:00:00Z"}]}' },
  { ...OLDER_TYPE, why: 'The member was called mediaType until July 2026, and is called type since then. ARD readers skip an entry without type.', bad: '{"entries": [{"mediaType": "application/a2a-agent-card+json"}]}', good: '{"entries": [{"type": "application/a2a-agent-card+json"}]}' },
  { ...ENTRY_CONTENT, why: 'An entry links to its document by url, or holds it in data. With both, readers choose differently.', bad: '{"entries": [{"url": "https://example.com/card.json", "data": {}}]}', good: '{"entries": [{"url": "https://example.com/card.json"}]}' },
  { ...IDENTIFIER_FORM, why: 'AI Catalog accepts any identifier. ARD registries require urn:air:, the publisher\'s domain, a namespace and a name.', bad: '{"entries": [{"identifier": "urn:example:scout"}]}', good: '{"entries": [{"identifier": "urn:air:example.com:agents:scout"}]}' },
  { ...REPEATED_IDENTIFIER, why: 'Entries are identified by their identifiers. With two equal ones, readers keep different entries.', bad: '{"entries": [{"identifier": "urn:air:example.com:a"}, {"identifier": "urn:air:example.com:a"}]}', good: '{"entries": [{"identifier": "urn:air:example.com:a"}, {"identifier": "urn:air:example.com:b"}]}' },
  { ...NO_QUERIES, why: 'ARD registries find an entry by the questions that people ask, and rank it low without examples.', bad: '{"entries": [{"identifier": "urn:air:example.com:agents:scout"}]}', good: '{"entries": [{"representativeQueries": ["who can translate a contract", "translate from Chinese"]}]}' },
  { ...QUERY_COUNT, why: 'ARD registries accept two to five questions. One says little, and many are there only to match everything.', bad: '{"entries": [{"representativeQueries": ["translate"]}]}', good: '{"entries": [{"representativeQueries": ["who can translate a contract", "translate from Chinese"]}]}' },
  { ...PLAIN_URL, why: 'The document says where an agent is and how far it can be trusted. Anyone on the network can change it over plain HTTP.', bad: '{"entries": [{"url": "http://example.com/card.json"}]}', good: '{"entries": [{"url": "https://example.com/card.json"}]}' },
  { ...SCRIPT_URL, why: 'A page that shows the address as a link or a picture would run code of the catalog\'s author, or read local files.', bad: '{"host": {"documentationUrl": "javascript:alert(1)"}}', good: '{"host": {"documentationUrl": "https://example.com/docs"}}' },
  { ...PLACEHOLDER, why: 'Registries would list an agent that does not exist, at an invalid address.', bad: '{"host": {"displayName": "Your company"}}', good: '{"host": {"displayName": "Acme"}}' },
]
