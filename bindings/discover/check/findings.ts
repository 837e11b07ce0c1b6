// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'WK-190' | 'WK-191' | 'WK-192' | 'WK-193' | 'WK-194' | 'WK-195' | 'WK-196' | 'WK-197' | 'WK-198'

const T0 = 'warning'
const T1 = 'docs/guide/dns.md'
export const CHECK_MISSING = /* @__PURE__ */ finding('check/missing', 'WK-190', 'Missing record', 'ADP/1.1 section 4', T0)
export const CHECK_LEFT_OVER = /* @__PURE__ */ finding('check/left-over', 'WK-191', 'Leftover record', 'ADP/1.1 section 5.1', T0)
export const CHECK_DISAGREES = /* @__PURE__ */ finding('check/disagrees', 'WK-192', 'Record that contradicts the metadata', 'ADP/1.1 section 6.3.3')
export const CHECK_FORM = /* @__PURE__ */ finding('check/form', 'WK-193', 'Unusable record or document', T1)
export const CHECK_KEY = /* @__PURE__ */ finding('check/key', 'WK-194', 'Published with another key', T1)
export const CHECK_STALE = /* @__PURE__ */ finding('check/stale', 'WK-195', 'Expired signature', T1)
export const CHECK_UNSIGNED = /* @__PURE__ */ finding('check/unsigned', 'WK-196', 'DNS without proof that it is signed', 'ADP/1.1 section 4.3', T0)
export const CHECK_OLD_TLS = /* @__PURE__ */ finding('check/old-tls', 'WK-197', 'Server that accepts TLS below 1.3', 'ADP/1.1 section 8.2', T0)
export const CHECK_UNSHOWN = /* @__PURE__ */ finding('check/unshown', 'WK-198', 'Signed zone that cannot prove absence', 'RFC 9276 section 3', T0)

export const ALL: readonly FindingKind[] = [CHECK_MISSING, CHECK_LEFT_OVER, CHECK_DISAGREES, CHECK_FORM, CHECK_KEY, CHECK_STALE, CHECK_UNSIGNED, CHECK_OLD_TLS, CHECK_UNSHOWN]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...CHECK_MISSING, why: 'The agent is found without the record, but by a weaker way or with less proof.', bad: 'only _agent.alice.example.com. TXT', good: 'alice.example.com. SVCB in addition' },
  { ...CHECK_LEFT_OVER, why: 'While a key or a certificate changes, there are two records. Later the old record vouches for a key that nobody protects any more.', bad: 'two TXT records, and the metadata has been signed with the second key for a year', good: 'only the record of the present key' },
  { ...CHECK_DISAGREES, why: 'Clients that use the record and clients that use the metadata arrive at different places.', bad: 'alice.example.com. SVCB 1 . port=8443, and "wellKnown": "https://alice.example.com/.well-known/agent.json"', good: 'the port in both, or in neither' },
  { ...CHECK_FORM, why: 'Readers skip or refuse what they cannot read, as if it did not exist.', bad: '_agent.alice.example.com. TXT "v=aid2;p=mcp"', good: '_agent.alice.example.com. TXT "v=aid2;u=https://alice.example.com/mcp;p=mcp"' },
  { ...CHECK_KEY, why: 'The agent has one key for everyone. Another key is an old one, or someone else\'s.', bad: 'an A2A card that is signed with an old key', good: 'all documents signed again when the key changes' },
  { ...CHECK_STALE, why: 'Signatures are valid for a limited time. An expired one is refused even if everything else is right.', bad: 'a directory of keys that was signed last week, for ten minutes', good: 'a directory of keys that is signed on request' },
  { ...CHECK_UNSIGNED, why: 'Anyone on the network can change such DNS records. They support no level of trust, and TLSA records are ignored.', bad: 'a zone without keys, or one whose DS the parent does not have', good: 'a signed zone, and its DS at the parent' },
  { ...CHECK_OLD_TLS, why: 'All endpoints MUST be served over TLS 1.3 or later. A server that accepts less can be downgraded.', bad: 'minimum TLS version 1.2', good: 'minimum TLS version 1.3' },
  { ...CHECK_UNSHOWN, why: 'A signed zone proves that a record is absent with NSEC or NSEC3. NSEC3 with opt-out proves it of signed names only, and with more than 100 iterations resolvers count it as unsigned. Someone on the network could then remove or add records.', bad: 'dnssec-signzone -3 aabbccdd -H 150 -A', good: 'dnssec-signzone -3 - -H 0' },
]
