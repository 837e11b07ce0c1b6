// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'WK-190' | 'WK-191' | 'WK-192' | 'WK-193' | 'WK-194' | 'WK-195' | 'WK-196' | 'WK-197' | 'WK-198'

const T0 = 'warning'
const T1 = 'docs/guide/dns.md'
export const CHECK_MISSING = /* @__PURE__ */ finding('check/missing', 'WK-190', 'Record that is missing', 'ADP/1.1 section 4', T0)
export const CHECK_LEFT_OVER = /* @__PURE__ */ finding('check/left-over', 'WK-191', 'Record that is left over', 'ADP/1.1 section 5.1', T0)
export const CHECK_DISAGREES = /* @__PURE__ */ finding('check/disagrees', 'WK-192', 'Record that says something else than the metadata', 'ADP/1.1 section 6.3.3')
export const CHECK_FORM = /* @__PURE__ */ finding('check/form', 'WK-193', 'Record or document that cannot be used', T1)
export const CHECK_KEY = /* @__PURE__ */ finding('check/key', 'WK-194', 'Published with another key', T1)
export const CHECK_STALE = /* @__PURE__ */ finding('check/stale', 'WK-195', 'Signature that has ended', T1)
export const CHECK_UNSIGNED = /* @__PURE__ */ finding('check/unsigned', 'WK-196', 'Domain whose DNS is not shown to be signed', 'ADP/1.1 section 4.3', T0)
export const CHECK_OLD_TLS = /* @__PURE__ */ finding('check/old-tls', 'WK-197', 'TLS below 1.3 is still taken', 'ADP/1.1 section 8.2', T0)
export const CHECK_UNSHOWN = /* @__PURE__ */ finding('check/unshown', 'WK-198', 'Signed zone that cannot show what is absent', 'RFC 9276 section 3', T0)

export const ALL: readonly FindingKind[] = [CHECK_MISSING, CHECK_LEFT_OVER, CHECK_DISAGREES, CHECK_FORM, CHECK_KEY, CHECK_STALE, CHECK_UNSIGNED, CHECK_OLD_TLS, CHECK_UNSHOWN]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...CHECK_MISSING, why: 'The agent is found without it, by a weaker way or with less shown.', bad: '_agent.alice.example.com. TXT alone', good: 'alice.example.com. SVCB beside it' },
  { ...CHECK_LEFT_OVER, why: 'While a key or a certificate changes there are two records. Afterwards the old one vouches for a key that nobody guards any more.', bad: 'two TXT records, and the metadata has been signed with the second key for a year', good: 'the record of the present key alone' },
  { ...CHECK_DISAGREES, why: 'Who goes by the one comes to another place than who goes by the other.', bad: 'alice.example.com. SVCB 1 . port=8443, and "wellKnown": "https://alice.example.com/.well-known/agent.json"', good: 'the port in both, or in none' },
  { ...CHECK_FORM, why: 'Readers pass over what they cannot read, or refuse it: it is as if there was nothing.', bad: '_agent.alice.example.com. TXT "v=aid2;p=mcp"', good: '_agent.alice.example.com. TXT "v=aid2;u=https://alice.example.com/mcp;p=mcp"' },
  { ...CHECK_KEY, why: 'The agent has one key, whoever asks for it: another one here is an old one, or somebody else’s.', bad: 'an A2A card that is signed with the key before the last', good: 'every document made anew when the key changes' },
  { ...CHECK_STALE, why: 'Signatures hold for a time. One that has ended is refused, though all else is right.', bad: 'a directory of keys that was signed last week, for ten minutes', good: 'one that is signed when it is asked for' },
  { ...CHECK_UNSIGNED, why: 'Whoever is on the way can change what the DNS says: no level of trust stands on more, and TLSA records do not count.', bad: 'a zone without keys, or one whose DS the parent does not have', good: 'a signed zone, and its DS at the parent' },
  { ...CHECK_OLD_TLS, why: 'All endpoints MUST be served over TLS 1.3 or later: a server that also takes less can be talked down to it.', bad: 'minimum TLS version 1.2', good: 'minimum TLS version 1.3' },
  { ...CHECK_UNSHOWN, why: 'A signed zone proves that a record is absent with NSEC or NSEC3. NSEC3 with opt-out proves it of signed names only, and with more than 100 iterations resolvers count it as unsigned. Someone on the network could then remove or add records.', bad: 'dnssec-signzone -3 aabbccdd -H 150 -A', good: 'dnssec-signzone -3 - -H 0' },
]
