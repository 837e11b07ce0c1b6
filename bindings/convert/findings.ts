// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'BADL-190' | 'BADL-191' | 'BADL-192' | 'BADL-193' | 'BADL-194' | 'BADL-195' | 'BADL-196' | 'BADL-197'

const T0 = 'ADL 15'
const T1 = 'warning'
export const CONVERT_NEEDED = /* @__PURE__ */ finding('convert/needed', 'BADL-190', 'The other format needs more', T0)
export const CONVERT_AUTHENTICATION = /* @__PURE__ */ finding('convert/authentication', 'BADL-191', 'Authentication that cannot be said', 'ADL 15.1', T1)
export const CONVERT_SOURCE = /* @__PURE__ */ finding('convert/source', 'BADL-192', 'Nothing that can be converted', T0)
export const CONVERT_TOO_LARGE = /* @__PURE__ */ finding('convert/too-large', 'BADL-193', 'A document that would be too large', 'Agent Card 7.6, ADL 18.5')
export const CONVERT_SUPPLIED = /* @__PURE__ */ finding('convert/supplied', 'BADL-194', 'Made up, for the other format demands it', 'Agent Card A', T1)
export const CONVERT_CLASSIFICATION = /* @__PURE__ */ finding('convert/classification', 'BADL-195', 'A classification that cannot be said', 'ADL 10.4', T1)
export const CONVERT_SCHEMA = /* @__PURE__ */ finding('convert/schema', 'BADL-196', 'A schema that nothing can be held against', 'ADL 8.1', T1)
export const CONVERT_INVALID = /* @__PURE__ */ finding('convert/invalid', 'BADL-197', 'A definition that ADL does not allow', 'ADL 5', T1)

export const ALL: readonly FindingKind[] = [CONVERT_NEEDED, CONVERT_AUTHENTICATION, CONVERT_SOURCE, CONVERT_TOO_LARGE, CONVERT_SUPPLIED, CONVERT_CLASSIFICATION, CONVERT_SCHEMA, CONVERT_INVALID]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...CONVERT_NEEDED, why: 'Without it the document that is made would not be one of its kind, and nothing is made up silently.', bad: '{"name": "Scout", "version": "1.0.0"}', good: '{"name": "Scout", "description": "Finds papers.", "version": "1.0.0"}' },
  { ...CONVERT_AUTHENTICATION, why: 'A client that learns of no authentication calls without, and is refused; or takes the agent for an open one.', bad: '{"security": {"authentication": {"type": "oidc"}}}', good: '{"security": {"authentication": {"type": "oidc", "issuer": "https://login.example.com"}}}' },
  { ...CONVERT_SOURCE, why: 'A document is converted by what its kind means; of one that is taken for another kind nothing would be true.', bad: '{"name": "Scout"}', good: '{"adl_spec": "0.1.0", "name": "Scout"}' },
  { ...CONVERT_TOO_LARGE, why: 'Cards go in messages of at most 65535 octets, and no definition is read beyond 1 MiB or 32 levels: nobody could use it.', bad: 'a definition whose tools have schemas of 70000 octets', good: 'the same without what a card has no member for: carry nothing' },
  { ...CONVERT_SUPPLIED, why: 'Whoever reads the document that is made takes it for what the agent says of itself.', bad: '{"id": "agent://scout", "name": "Scout"}', good: '{"id": "agent://scout", "name": "Scout", "extensions": {"blazon.oasf": {"authors": ["Ada <ada@example.com>"]}}}' },
  { ...CONVERT_CLASSIFICATION, why: 'No other format has a classification: its readers take a tool that handles restricted data for one like any other.', bad: '{"data_classification": {"sensitivity": "restricted"}}', good: '{"data_classification": {"sensitivity": "internal"}}' },
  { ...CONVERT_SCHEMA, why: 'It stays in the tool, for without it every value would pass; with it no call of the tool does.', bad: '{"name": "add", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}}', good: '{"name": "add", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}' },
  { ...CONVERT_INVALID, why: 'What is carried comes back as it is by then: whoever edited it may have taken out what a definition has to have.', bad: '{"_meta": {"blazon/adl": {"lifecycle": {"effective_date": "2026-01-15T00:00:00Z"}}}}', good: '{"_meta": {"blazon/adl": {"lifecycle": {"status": "active"}}}}' },
]
