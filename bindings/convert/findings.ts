// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'BADL-190' | 'BADL-191' | 'BADL-192' | 'BADL-193' | 'BADL-194' | 'BADL-195' | 'BADL-196' | 'BADL-197' | 'BADL-198'

const T0 = 'ADL 15'
const T1 = 'warning'
export const CONVERT_NEEDED = /* @__PURE__ */ finding('convert/needed', 'BADL-190', 'The other format needs more', T0)
export const CONVERT_AUTHENTICATION = /* @__PURE__ */ finding('convert/authentication', 'BADL-191', 'Authentication that cannot be expressed', 'ADL 15.1', T1)
export const CONVERT_SOURCE = /* @__PURE__ */ finding('convert/source', 'BADL-192', 'Nothing to convert', T0)
export const CONVERT_TOO_LARGE = /* @__PURE__ */ finding('convert/too-large', 'BADL-193', 'Result that is too large', 'Agent Card 7.6, ADL 18.5')
export const CONVERT_SUPPLIED = /* @__PURE__ */ finding('convert/supplied', 'BADL-194', 'Value that was made up because the other format requires it', 'Agent Card A', T1)
export const CONVERT_CLASSIFICATION = /* @__PURE__ */ finding('convert/classification', 'BADL-195', 'Classification that cannot be expressed', 'ADL 10.4', T1)
export const CONVERT_SCHEMA = /* @__PURE__ */ finding('convert/schema', 'BADL-196', 'Schema that cannot be used for checks', 'ADL 8.1', T1)
export const CONVERT_INVALID = /* @__PURE__ */ finding('convert/invalid', 'BADL-197', 'Definition that ADL does not allow', 'ADL 5', T1)
export const CONVERT_VERSION = /* @__PURE__ */ finding('convert/version', 'BADL-198', 'Version that the converter does not read', T0, T1)

export const ALL: readonly FindingKind[] = [CONVERT_NEEDED, CONVERT_AUTHENTICATION, CONVERT_SOURCE, CONVERT_TOO_LARGE, CONVERT_SUPPLIED, CONVERT_CLASSIFICATION, CONVERT_SCHEMA, CONVERT_INVALID, CONVERT_VERSION]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...CONVERT_NEEDED, why: 'Without it, the result would not be a valid document of its kind, and Blazon does not silently make up values.', bad: '{"name": "Scout", "version": "1.0.0"}', good: '{"name": "Scout", "description": "Finds papers.", "version": "1.0.0"}' },
  { ...CONVERT_AUTHENTICATION, why: 'A client that finds no authentication is refused, or takes the agent for an open one.', bad: '{"security": {"authentication": {"type": "oidc"}}}', good: '{"security": {"authentication": {"type": "oidc", "issuer": "https://login.example.com"}}}' },
  { ...CONVERT_SOURCE, why: 'A conversion depends on the kind of the document. For the wrong kind, nothing in the result would be right.', bad: '{"name": "Scout"}', good: '{"adl_spec": "0.1.0", "name": "Scout"}' },
  { ...CONVERT_TOO_LARGE, why: 'Cards are sent in messages of at most 65535 octets, and definitions are read up to 1 MiB and 32 levels. Nobody could use the result.', bad: 'a definition whose tools have schemas of 70000 octets', good: 'the same without what a card has no member for: carry nothing' },
  { ...CONVERT_SUPPLIED, why: 'Readers of the result take it for a statement of the agent.', bad: '{"id": "agent://scout", "name": "Scout"}', good: '{"id": "agent://scout", "name": "Scout", "extensions": {"blazon.oasf": {"authors": ["Ada <ada@example.com>"]}}}' },
  { ...CONVERT_CLASSIFICATION, why: 'No other format has a classification, so its readers treat a tool with restricted data like any other.', bad: '{"data_classification": {"sensitivity": "restricted"}}', good: '{"data_classification": {"sensitivity": "internal"}}' },
  { ...CONVERT_SCHEMA, why: 'The schema stays in the tool, because without it every value would pass. With it, no call of the tool passes.', bad: '{"name": "add", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}}', good: '{"name": "add", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}' },
  { ...CONVERT_INVALID, why: 'Carried members are restored as they are now. Someone may have edited them and removed a required member.', bad: '{"_meta": {"blazon/adl": {"lifecycle": {"effective_date": "2026-01-15T00:00:00Z"}}}}', good: '{"_meta": {"blazon/adl": {"lifecycle": {"status": "active"}}}}' },
  { ...CONVERT_VERSION, why: 'The rules of one version do not apply to documents of another, in which the same members may mean something else. Compare the result with the document.', bad: '{"schema_version": "2.0.0", "name": "scout", "skills": []}', good: '{"schema_version": "1.0.0", "name": "scout", "skills": []}' },
]
