// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'DNS-101' | 'DNS-102' | 'DNS-103' | 'DNS-104' | 'DNS-105' | 'DNS-106' | 'DNS-107' | 'DNS-108' | 'DNS-110' | 'DNS-111' | 'DNS-112' | 'DNS-113' | 'DNS-114' | 'DNS-115' | 'DNS-116' | 'DNS-117' | 'DNS-120' | 'DNS-121' | 'DNS-122' | 'DNS-123' | 'DNS-130' | 'DNS-131' | 'DNS-132' | 'DNS-133' | 'DNS-134' | 'DNS-140' | 'DNS-141' | 'DNS-142' | 'DNS-143' | 'DNS-144' | 'DNS-145' | 'DNS-146' | 'DNS-147'

const T0 = 'RFC 4035 section 5.3.1'
const T1 = 'RFC 4035 section 5.2'
const T2 = 'RFC 4035 section 5.3.3'
const T3 = 'ADP/1.1 section 5.1'
const T4 = 'ADP/1.1 section 5.3'
const T5 = 'warning'
const T6 = 'ADP/1.1 section 4.2'
const T7 = 'ADP/1.1 section 4.1.1'
const T8 = 'RFC 6698 section 4.1'
export const DNS_MALFORMED = /* @__PURE__ */ finding('dns/malformed', 'DNS-101', 'Unreadable DNS answer', 'RFC 1035 section 4.1')
export const DNS_OTHER_QUESTION = /* @__PURE__ */ finding('dns/other-question', 'DNS-102', 'Answer to another question', 'RFC 5452 section 9.1')
export const DNS_REFUSED = /* @__PURE__ */ finding('dns/refused', 'DNS-103', 'Resolver that does not answer', 'ADP/1.1 section 5')
export const DNS_NO_ANSWER = /* @__PURE__ */ finding('dns/no-answer', 'DNS-104', 'No DNS answer in time', 'RFC 1035 section 4.2.1')
export const DNS_ALIASES = /* @__PURE__ */ finding('dns/aliases', 'DNS-105', 'Aliases that lead nowhere', 'RFC 9460 section 3.1')
export const DNS_QUESTIONS = /* @__PURE__ */ finding('dns/questions', 'DNS-106', 'Too many DNS questions', 'RFC 9520 section 2.2')
export const DNS_RESOLVER = /* @__PURE__ */ finding('dns/resolver', 'DNS-107', 'Unusable resolver', 'RFC 8484 section 4.2')
export const DNS_NAME = /* @__PURE__ */ finding('dns/name', 'DNS-108', 'Not a domain name', 'RFC 1035 section 2.3.4')
export const DNSSEC_SIGNATURE = /* @__PURE__ */ finding('dnssec/signature', 'DNS-110', 'Invalid DNSSEC signature', T2)
export const DNSSEC_MISSING = /* @__PURE__ */ finding('dnssec/missing', 'DNS-111', 'Answer of a signed zone without a signature', T1)
export const DNSSEC_NOT_CURRENT = /* @__PURE__ */ finding('dnssec/not-current', 'DNS-112', 'DNSSEC signature outside its validity', T0)
export const DNSSEC_SIGNER = /* @__PURE__ */ finding('dnssec/signer', 'DNS-113', 'Signed by an unrelated zone', T0)
export const DNSSEC_KEY = /* @__PURE__ */ finding('dnssec/key', 'DNS-114', 'Zone key that the parent does not confirm', T1)
export const DNSSEC_DENIAL = /* @__PURE__ */ finding('dnssec/denial', 'DNS-115', 'Absence without proof', 'RFC 4035 section 5.4, RFC 5155 section 8')
export const DNSSEC_EFFORT = /* @__PURE__ */ finding('dnssec/effort', 'DNS-116', 'Too many keys, signatures or hashes to try', T2)
export const DNSSEC_DROPPED = /* @__PURE__ */ finding('dnssec/dropped', 'DNS-117', 'Resolver that drops DNSSEC signatures', 'RFC 4035 section 3.2.1')
export const SVCB_FORM = /* @__PURE__ */ finding('svcb/form', 'DNS-120', 'Unreadable SVCB record', 'RFC 9460 section 2.2')
export const SVCB_PASSED_OVER = /* @__PURE__ */ finding('svcb/passed-over', 'DNS-121', 'No usable SVCB record', 'RFC 9460 section 8')
export const SVCB_WELL_KNOWN = /* @__PURE__ */ finding('svcb/well-known', 'DNS-122', 'Invalid path of metadata', T7)
export const DNS_NOT_HERE = /* @__PURE__ */ finding('dns/not-here', 'DNS-123', 'Domain that declares it has no agent', 'RFC 9460 section 2.5.1')
export const TXT_FORM = /* @__PURE__ */ finding('txt/form', 'DNS-130', 'Unusable TXT record', T3)
export const TXT_JOINED = /* @__PURE__ */ finding('txt/joined', 'DNS-131', 'TXT record in pieces', T3, T5)
export const DNS_NO_AGENT = /* @__PURE__ */ finding('dns/no-agent', 'DNS-132', 'No agent at this domain', T4)
export const DNS_FALLBACK = /* @__PURE__ */ finding('dns/fallback', 'DNS-133', 'Found by the fallback', T4, 'info')
export const DNS_NO_ADDRESS = /* @__PURE__ */ finding('dns/no-address', 'DNS-134', 'Host without an address', 'ADP/1.1 section 4.1')
export const TLSA_MISMATCH = /* @__PURE__ */ finding('tlsa/mismatch', 'DNS-140', 'Certificate that does not match the DNS', T6)
export const TLSA_NOT_SHOWN = /* @__PURE__ */ finding('tlsa/not-shown', 'DNS-141', 'Unsigned TLSA record', 'ADP/1.1 section 4.3', T5)
export const TLSA_UNUSABLE = /* @__PURE__ */ finding('tlsa/unusable', 'DNS-142', 'Unusable TLSA records', T8, T5)
export const TLSA_HIDDEN = /* @__PURE__ */ finding('tlsa/hidden', 'DNS-143', 'Certificate that this host does not show', T6, T5)
export const TLSA_WEAK_PATH = /* @__PURE__ */ finding('tlsa/weak-path', 'DNS-144', 'Unsigned path to a signed host', 'ADP/1.1 section 8.1', T5)
export const SVCB_CAP_SHA256 = /* @__PURE__ */ finding('svcb/cap-sha256', 'DNS-145', 'Descriptor that does not match the DNS', T7)
export const SVCB_CAP = /* @__PURE__ */ finding('svcb/cap', 'DNS-146', 'Descriptor that is not compared', T7, T5)
export const TLSA_MANY = /* @__PURE__ */ finding('tlsa/many', 'DNS-147', 'More TLSA records than are compared', T8, T5)

export const ALL: readonly FindingKind[] = [DNS_MALFORMED, DNS_OTHER_QUESTION, DNS_REFUSED, DNS_NO_ANSWER, DNS_ALIASES, DNS_QUESTIONS, DNS_RESOLVER, DNS_NAME, DNSSEC_SIGNATURE, DNSSEC_MISSING, DNSSEC_NOT_CURRENT, DNSSEC_SIGNER, DNSSEC_KEY, DNSSEC_DENIAL, DNSSEC_EFFORT, DNSSEC_DROPPED, SVCB_FORM, SVCB_PASSED_OVER, SVCB_WELL_KNOWN, DNS_NOT_HERE, TXT_FORM, TXT_JOINED, DNS_NO_AGENT, DNS_FALLBACK, DNS_NO_ADDRESS, TLSA_MISMATCH, TLSA_NOT_SHOWN, TLSA_UNUSABLE, TLSA_HIDDEN, TLSA_WEAK_PATH, SVCB_CAP_SHA256, SVCB_CAP, TLSA_MANY]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...DNS_MALFORMED, why: 'Lengths, counts and pointers of an answer come from a stranger. An inconsistent answer is refused, not guessed at.', bad: 'a name that points to itself', good: 'a message that ends where its records end' },
  { ...DNS_OTHER_QUESTION, why: 'An answer counts only for the question that was asked. Anything else may be an attacker\'s guess.', bad: 'asked for alice.example.com SVCB, answered for bob.example.com SVCB', good: 'the question repeated in the answer, letter for letter' },
  { ...DNS_REFUSED, why: 'SERVFAIL and REFUSED say nothing about the name. If discovery continued in a weaker way, anyone who makes the resolver fail could choose that way.', bad: 'SERVFAIL', good: 'NOERROR or NXDOMAIN; ask another resolver, or fix the zone' },
  { ...DNS_NO_ANSWER, why: 'A question is repeated a limited number of times. Silence says nothing about the name.', bad: 'a resolver that is down, or blocked by a firewall', good: 'a resolver that answers in time; address and timeout are options' },
  { ...DNS_ALIASES, why: 'An alias points to another name. Circles, two aliases at once, and more than eight in a row are refused.', bad: 'a CNAME b, b CNAME a', good: 'a CNAME alice.example.com' },
  { ...DNS_QUESTIONS, why: 'Each zone above the name costs two questions. A name that needs more than the limit is made to cause work.', bad: 'a name of a hundred labels, each a zone', good: 'a name with a few zones above it' },
  { ...DNS_RESOLVER, why: 'The resolver could not be reached, or did not send a DNS message.', bad: 'HTTP 404, or text/html', good: 'HTTP 200 with application/dns-message' },
  { ...DNS_NAME, why: 'A name has labels of 1 to 63 bytes, and 255 bytes in total. Letters beyond ASCII are written as xn--.', bad: 'alice..example.com', good: 'alice.example.com' },
  { ...DNSSEC_SIGNATURE, why: 'The zone did not sign these records, or another key signed them.', bad: 'a record that was changed in transit', good: 'records as the zone has them' },
  { ...DNSSEC_MISSING, why: 'The parent says that the zone is signed. Someone removed the signature, or the answer never came from the zone.', bad: 'an A record of a signed zone, without its RRSIG', good: 'the record with its RRSIG' },
  { ...DNSSEC_NOT_CURRENT, why: 'Signatures have a limited validity, so that an old answer cannot be shown forever. The local clock may also be wrong.', bad: 'an RRSIG that ended last week', good: 'a zone that is signed again before its signatures expire' },
  { ...DNSSEC_SIGNER, why: 'A zone may sign only names below it.', bad: 'alice.example.com signed by example.net', good: 'alice.example.com signed by example.com' },
  { ...DNSSEC_KEY, why: 'The parent confirms another key than the zone signs with. The key was changed before its DS record, or the zone is someone else\'s.', bad: 'the DS record of a key that no longer exists', good: 'the DS record of the key that signs the zone\'s keys' },
  { ...DNSSEC_DENIAL, why: 'A signed zone also signs absence. Otherwise an attacker between you and the server could remove a record.', bad: 'NXDOMAIN without NSEC or NSEC3, or with those of another name', good: 'NXDOMAIN with the signed NSEC or NSEC3 records around the name' },
  { ...DNSSEC_EFFORT, why: 'The owner of a zone decides how many keys, signatures and hashes a proof takes. The work for one lookup is bounded.', bad: 'a hundred keys with one tag, or a name of a hundred labels in a zone that hashes each a hundred times', good: 'a few keys, and NSEC3 without extra iterations' },
  { ...DNSSEC_DROPPED, why: 'The root zone is signed, but its records came without signatures. The resolver, or someone between you and it, removed them. Many routers and hotspots do. Nothing is known about the domain.', bad: '. DNSKEY without an RRSIG', good: 'a resolver that passes signatures on, as in blazon discover alice.example.com --resolver https://dns.example/dns-query' },
  { ...SVCB_FORM, why: 'A record with unordered or inconsistent parameters is invalid, and so is its whole set.', bad: 'alice.example.com. SVCB 1 . mandatory=port', good: 'alice.example.com. SVCB 1 . mandatory=port port=443' },
  { ...SVCB_PASSED_OVER, why: 'A record can require that its reader supports a parameter. Records with unknown ones are skipped. If none is left, discovery stops, because a fallback to TXT would ignore the requirement.', bad: 'alice.example.com. SVCB 1 . mandatory=key65404 key65404="inside"', good: 'alice.example.com. SVCB 1 . key65402="a2a"' },
  { ...SVCB_WELL_KNOWN, why: 'The path comes from the DNS. It must be below /.well-known/, with plain segments, so that no record leads elsewhere.', bad: 'key65409="../admin"', good: 'key65409="agent.json"' },
  { ...DNS_NOT_HERE, why: 'A record that points to the root says that the service is not available.', bad: 'alice.example.com. SVCB 0 .', good: 'alice.example.com. SVCB 1 .' },
  { ...TXT_FORM, why: 'An ADP record has v, pk and wk, each once. These are ADP1, ADP1.0 or ADP1.1, a fingerprint of 32 bytes, and an https URL. Other forms are not guessed at.', bad: 'v=ADP1.1; pk=ed25519:abc; wk=http://alice.example.com/agent.json', good: 'v=ADP1.1; pk=ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk; wk=https://alice.example.com/.well-known/agent.json' },
  { ...TXT_JOINED, why: 'Records of a name come in any order, so parts may be joined wrongly. One record may have several strings.', bad: '_agent.alice TXT "v=ADP1.1; pk=…" and _agent.alice TXT "; wk=…"', good: '_agent.alice TXT "v=ADP1.1; pk=…" "; wk=…"' },
  { ...DNS_NO_AGENT, why: 'The domain has no SVCB record, and _agent below it has no ADP TXT record.', bad: 'alice.example.com without either', good: 'alice.example.com. SVCB 1 . key65402="a2a" key65409="agent.json"' },
  { ...DNS_FALLBACK, why: 'The draft calls TXT and SRV the weaker way, and requires that their use is reported.', bad: 'only _agent.alice.example.com. TXT', good: 'an SVCB record at alice.example.com in addition' },
  { ...DNS_NO_ADDRESS, why: 'The agent\'s host has neither an A nor an AAAA record.', bad: 'alice.example.com. SVCB 1 nowhere.example.com.', good: 'alice.example.com. SVCB 1 host.example.com., and host.example.com. A 192.0.2.7' },
  { ...TLSA_MISMATCH, why: 'The signed DNS names the certificates that the server may use, and this is not one of them. The connection MUST be closed.', bad: 'a certificate that was renewed with another key', good: 'a TLSA record of the new key, published before it is used' },
  { ...TLSA_NOT_SHOWN, why: 'Without DNSSEC, anyone on the network could have written the record. It counts neither for nor against the server.', bad: 'a TLSA record in a zone that is not signed', good: 'the same record in a signed zone, whose DS the parent has' },
  { ...TLSA_UNUSABLE, why: 'Records with an unknown usage, selector or matching type are ignored.', bad: '_443._tcp.alice.example.com. TLSA 9 1 1 …', good: '_443._tcp.alice.example.com. TLSA 3 1 1 …' },
  { ...TLSA_HIDDEN, why: 'Browsers and Workers open connections themselves and do not show the certificate, so it cannot be compared with the DNS.', bad: 'a TLSA record, checked in a browser', good: 'the same, in Node: blazon discover alice.example.com' },
  { ...TLSA_WEAK_PATH, why: 'The host\'s DNS confirms the certificate, but nobody signed that this host belongs to the agent. Anyone who changed that record chose the host and its certificate.', bad: 'alice.example.com, not signed, points to a signed provider.example', good: 'both signed' },
  { ...SVCB_CAP_SHA256, why: 'The DNS has the digest of the agent\'s descriptor, and this document has another. The document was changed, or the record was not updated.', bad: 'a new skill in the descriptor, and cap-sha256 of the old one', good: 'cap-sha256 of the bytes as they are served, updated when they change' },
  { ...SVCB_CAP, why: 'The descriptor cannot be fetched, or the record has no digest of it, so nothing shows that it is the right one.', bad: 'only key65400="https://alice.example.com/capabilities/a2a.json"', good: 'key65401 with the SHA-256 digest of its bytes in base64url in addition' },
  { ...TLSA_MANY, why: 'Each record costs the reader a comparison, so 32 are compared, in the order of their data. A certificate that only a later record names is refused.', bad: '40 TLSA records at _443._tcp.alice.example.com', good: 'a record for the present key, and one for the next' },
]
