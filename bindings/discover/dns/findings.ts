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
export const DNS_MALFORMED = /* @__PURE__ */ finding('dns/malformed', 'DNS-101', 'DNS answer that cannot be read', 'RFC 1035 section 4.1')
export const DNS_OTHER_QUESTION = /* @__PURE__ */ finding('dns/other-question', 'DNS-102', 'Answer to another question', 'RFC 5452 section 9.1')
export const DNS_REFUSED = /* @__PURE__ */ finding('dns/refused', 'DNS-103', 'The resolver does not answer', 'ADP/1.1 section 5')
export const DNS_NO_ANSWER = /* @__PURE__ */ finding('dns/no-answer', 'DNS-104', 'No DNS answer in time', 'RFC 1035 section 4.2.1')
export const DNS_ALIASES = /* @__PURE__ */ finding('dns/aliases', 'DNS-105', 'Aliases that lead nowhere', 'RFC 9460 section 3.1')
export const DNS_QUESTIONS = /* @__PURE__ */ finding('dns/questions', 'DNS-106', 'Too many questions', 'RFC 9520 section 2.2')
export const DNS_RESOLVER = /* @__PURE__ */ finding('dns/resolver', 'DNS-107', 'The resolver cannot be asked', 'RFC 8484 section 4.2')
export const DNS_NAME = /* @__PURE__ */ finding('dns/name', 'DNS-108', 'No domain name', 'RFC 1035 section 2.3.4')
export const DNSSEC_SIGNATURE = /* @__PURE__ */ finding('dnssec/signature', 'DNS-110', 'DNSSEC signature that does not hold', T2)
export const DNSSEC_MISSING = /* @__PURE__ */ finding('dnssec/missing', 'DNS-111', 'Signed zone, answer without a signature', T1)
export const DNSSEC_NOT_CURRENT = /* @__PURE__ */ finding('dnssec/not-current', 'DNS-112', 'DNSSEC signature of another time', T0)
export const DNSSEC_SIGNER = /* @__PURE__ */ finding('dnssec/signer', 'DNS-113', 'Signed by a zone that the name is not in', T0)
export const DNSSEC_KEY = /* @__PURE__ */ finding('dnssec/key', 'DNS-114', 'No key of the zone is vouched for', T1)
export const DNSSEC_DENIAL = /* @__PURE__ */ finding('dnssec/denial', 'DNS-115', 'Absence that is not shown', 'RFC 4035 section 5.4, RFC 5155 section 8')
export const DNSSEC_EFFORT = /* @__PURE__ */ finding('dnssec/effort', 'DNS-116', 'Too many keys, signatures or hashes to try', T2)
export const DNSSEC_DROPPED = /* @__PURE__ */ finding('dnssec/dropped', 'DNS-117', 'Resolver that drops DNSSEC signatures', 'RFC 4035 section 3.2.1')
export const SVCB_FORM = /* @__PURE__ */ finding('svcb/form', 'DNS-120', 'SVCB record that cannot be read', 'RFC 9460 section 2.2')
export const SVCB_PASSED_OVER = /* @__PURE__ */ finding('svcb/passed-over', 'DNS-121', 'No SVCB record that can be used', 'RFC 9460 section 8')
export const SVCB_WELL_KNOWN = /* @__PURE__ */ finding('svcb/well-known', 'DNS-122', 'Path of metadata that is none', T7)
export const DNS_NOT_HERE = /* @__PURE__ */ finding('dns/not-here', 'DNS-123', 'The domain says that it has no agent', 'RFC 9460 section 2.5.1')
export const TXT_FORM = /* @__PURE__ */ finding('txt/form', 'DNS-130', 'TXT record that cannot be used', T3)
export const TXT_JOINED = /* @__PURE__ */ finding('txt/joined', 'DNS-131', 'TXT record in pieces', T3, T5)
export const DNS_NO_AGENT = /* @__PURE__ */ finding('dns/no-agent', 'DNS-132', 'No agent at this domain', T4)
export const DNS_FALLBACK = /* @__PURE__ */ finding('dns/fallback', 'DNS-133', 'Found by the weaker way', T4, 'info')
export const DNS_NO_ADDRESS = /* @__PURE__ */ finding('dns/no-address', 'DNS-134', 'Host without an address', 'ADP/1.1 section 4.1')
export const TLSA_MISMATCH = /* @__PURE__ */ finding('tlsa/mismatch', 'DNS-140', 'Another certificate than the DNS says', T6)
export const TLSA_NOT_SHOWN = /* @__PURE__ */ finding('tlsa/not-shown', 'DNS-141', 'TLSA record that nobody signed', 'ADP/1.1 section 4.3', T5)
export const TLSA_UNUSABLE = /* @__PURE__ */ finding('tlsa/unusable', 'DNS-142', 'TLSA records that nobody can use', T8, T5)
export const TLSA_HIDDEN = /* @__PURE__ */ finding('tlsa/hidden', 'DNS-143', 'Certificate that this host does not show', T6, T5)
export const TLSA_WEAK_PATH = /* @__PURE__ */ finding('tlsa/weak-path', 'DNS-144', 'Way to the server less well shown than its certificate', 'ADP/1.1 section 8.1', T5)
export const SVCB_CAP_SHA256 = /* @__PURE__ */ finding('svcb/cap-sha256', 'DNS-145', 'Another descriptor than the DNS says', T7)
export const SVCB_CAP = /* @__PURE__ */ finding('svcb/cap', 'DNS-146', 'Descriptor that is not compared', T7, T5)
export const TLSA_MANY = /* @__PURE__ */ finding('tlsa/many', 'DNS-147', 'More TLSA records than are compared', T8, T5)

export const ALL: readonly FindingKind[] = [DNS_MALFORMED, DNS_OTHER_QUESTION, DNS_REFUSED, DNS_NO_ANSWER, DNS_ALIASES, DNS_QUESTIONS, DNS_RESOLVER, DNS_NAME, DNSSEC_SIGNATURE, DNSSEC_MISSING, DNSSEC_NOT_CURRENT, DNSSEC_SIGNER, DNSSEC_KEY, DNSSEC_DENIAL, DNSSEC_EFFORT, DNSSEC_DROPPED, SVCB_FORM, SVCB_PASSED_OVER, SVCB_WELL_KNOWN, DNS_NOT_HERE, TXT_FORM, TXT_JOINED, DNS_NO_AGENT, DNS_FALLBACK, DNS_NO_ADDRESS, TLSA_MISMATCH, TLSA_NOT_SHOWN, TLSA_UNUSABLE, TLSA_HIDDEN, TLSA_WEAK_PATH, SVCB_CAP_SHA256, SVCB_CAP, TLSA_MANY]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...DNS_MALFORMED, why: 'Lengths, counts and pointers of an answer are a stranger’s words. One that does not add up is not guessed at.', bad: 'a name that points to itself', good: 'a message that ends where its records end' },
  { ...DNS_OTHER_QUESTION, why: 'An answer counts only for the question that was asked; everything else may be somebody’s guess, sent in between.', bad: 'asked for alice.example.com SVCB, answered for bob.example.com SVCB', good: 'the question repeated in the answer, letter for letter' },
  { ...DNS_REFUSED, why: 'SERVFAIL, REFUSED and the like are no statement about the name. To go on by a weaker way would let whoever makes a resolver fail choose it.', bad: 'SERVFAIL', good: 'NOERROR or NXDOMAIN; ask another resolver, or mend the zone' },
  { ...DNS_NO_ANSWER, why: 'Questions are asked again so many times, and then given up: silence says nothing about the name.', bad: 'a resolver that is down, or behind a firewall', good: 'a resolver that answers in time; address and patience are options' },
  { ...DNS_ALIASES, why: 'An alias leads to another name. A circle, two at once, or more than eight in a row lead nowhere.', bad: 'a CNAME b, b CNAME a', good: 'a CNAME alice.example.com' },
  { ...DNS_QUESTIONS, why: 'Each zone on the way costs two questions. A name that costs more than the bound is made to have us work.', bad: 'a name of a hundred labels, each a zone', good: 'a name with a few zones above it' },
  { ...DNS_RESOLVER, why: 'The resolver could not be reached, or what it sent is no DNS message.', bad: 'HTTP 404, or text/html', good: 'HTTP 200 with application/dns-message' },
  { ...DNS_NAME, why: 'A name has labels of 1 to 63 bytes and 255 in all; letters beyond ASCII are written as xn--.', bad: 'alice..example.com', good: 'alice.example.com' },
  { ...DNSSEC_SIGNATURE, why: 'The records are not those that the zone signed, or the key is not the one that signed them.', bad: 'a record that was changed on the way', good: 'records as the zone has them' },
  { ...DNSSEC_MISSING, why: 'The zone is signed, and a parent says so: an answer without a signature has lost it, or never came from there.', bad: 'an A record of a signed zone, without its RRSIG', good: 'the record with its RRSIG' },
  { ...DNSSEC_NOT_CURRENT, why: 'Signatures hold for a time, so that an old answer cannot be shown for ever. The clock that asks may be wrong, too.', bad: 'an RRSIG that ended last week', good: 'a zone that is signed anew before its signatures end' },
  { ...DNSSEC_SIGNER, why: 'A zone may sign its own names only.', bad: 'alice.example.com signed by example.net', good: 'alice.example.com signed by example.com' },
  { ...DNSSEC_KEY, why: 'The parent vouches for a key that the zone does not sign with: a key that was exchanged before its DS, or somebody else’s zone.', bad: 'a DS of a key that is gone', good: 'the DS of the key that signs the zone’s keys' },
  { ...DNSSEC_DENIAL, why: 'A signed zone signs absence as well. Otherwise an attacker between you and the server could remove a record.', bad: 'NXDOMAIN without NSEC or NSEC3, or with those of another name', good: 'NXDOMAIN with the signed NSEC or NSEC3 records around the name' },
  { ...DNSSEC_EFFORT, why: 'The owner of a zone decides how many keys, signatures and hashes a proof takes. The work for one lookup is bounded.', bad: 'a hundred keys with one tag, or a name of a hundred labels in a zone that hashes each a hundred times', good: 'a few keys, and NSEC3 without more iterations' },
  { ...DNSSEC_DROPPED, why: 'The root zone is signed, and its records came without signatures: the resolver, or someone between you and it, removed them. Many routers and hotspots do. Nothing is known about the domain.', bad: '. DNSKEY without an RRSIG', good: 'a resolver that passes signatures on, as in blazon discover alice.example.com --resolver https://dns.example/dns-query' },
  { ...SVCB_FORM, why: 'A record whose parameters are out of order or do not add up is no record, and with it goes its whole set.', bad: 'alice.example.com. SVCB 1 . mandatory=port', good: 'alice.example.com. SVCB 1 . mandatory=port port=443' },
  { ...SVCB_PASSED_OVER, why: 'A record may demand that its reader carries out a parameter. One that is not known here is passed over, and with no record left the matter ends: to go on by TXT would be what the demand forbids.', bad: 'alice.example.com. SVCB 1 . mandatory=key65404 key65404="inside"', good: 'alice.example.com. SVCB 1 . key65402="a2a"' },
  { ...SVCB_WELL_KNOWN, why: 'The path comes from the DNS. It is one below /.well-known/, of plain segments, so that no record leads out of there.', bad: 'key65409="../admin"', good: 'key65409="agent.json"' },
  { ...DNS_NOT_HERE, why: 'A record that points to the root says that the service is decidedly not there.', bad: 'alice.example.com. SVCB 0 .', good: 'alice.example.com. SVCB 1 .' },
  { ...TXT_FORM, why: 'A record of ADP has v, pk and wk, each once: ADP1, ADP1.0 or ADP1.1, a fingerprint of 32 bytes, and an https URL. One that has them in another way is not guessed at.', bad: 'v=ADP1.1; pk=ed25519:abc; wk=http://alice.example.com/agent.json', good: 'v=ADP1.1; pk=ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk; wk=https://alice.example.com/.well-known/agent.json' },
  { ...TXT_JOINED, why: 'Records of a name come in any order, so pieces may be joined into something else. One record may have many strings.', bad: '_agent.alice TXT "v=ADP1.1; pk=…" and _agent.alice TXT "; wk=…"', good: '_agent.alice TXT "v=ADP1.1; pk=…" "; wk=…"' },
  { ...DNS_NO_AGENT, why: 'There is neither an SVCB record at the domain nor a TXT record of ADP at _agent below it.', bad: 'alice.example.com without either', good: 'alice.example.com. SVCB 1 . key65402="a2a" key65409="agent.json"' },
  { ...DNS_FALLBACK, why: 'The draft calls TXT and SRV the weaker way, and wants it told when it was taken.', bad: '_agent.alice.example.com. TXT alone', good: 'an SVCB record at alice.example.com beside it' },
  { ...DNS_NO_ADDRESS, why: 'The host that the agent is at has no A and no AAAA record.', bad: 'alice.example.com. SVCB 1 nowhere.example.com.', good: 'alice.example.com. SVCB 1 host.example.com., and host.example.com. A 192.0.2.7' },
  { ...TLSA_MISMATCH, why: 'The signed DNS names the certificates that the server may have, and this is none of them: the connection MUST be ended.', bad: 'a certificate that was renewed with another key', good: 'a TLSA record of the new key, published before it is used' },
  { ...TLSA_NOT_SHOWN, why: 'Without DNSSEC anybody on the way could have written the record. It is not used, neither for nor against the server.', bad: 'a TLSA record in a zone that is not signed', good: 'the same in a signed zone, whose DS the parent has' },
  { ...TLSA_UNUSABLE, why: 'Records of another usage, selector or matching type than are known count as if there were none.', bad: '_443._tcp.alice.example.com. TLSA 9 1 1 …', good: '_443._tcp.alice.example.com. TLSA 3 1 1 …' },
  { ...TLSA_HIDDEN, why: 'Browsers and Workers connect by themselves and show no certificate: what the DNS says of it cannot be compared there.', bad: 'a TLSA record, looked at in a browser', good: 'the same, in Node: blazon discover alice.example.com' },
  { ...TLSA_WEAK_PATH, why: 'The certificate is the one that its host’s DNS names. That this is the host of the agent, nobody signed: whoever changed that record chose host and certificate.', bad: 'alice.example.com, not signed, points to a signed provider.example', good: 'both signed' },
  { ...SVCB_CAP_SHA256, why: 'The DNS has the digest of the descriptor of what the agent can do, and this is not it: the document was changed, or the record was forgotten.', bad: 'a new skill in the descriptor, and cap-sha256 of the old one', good: 'cap-sha256 of the bytes as they are served, written when they change' },
  { ...SVCB_CAP, why: 'The descriptor cannot be had, or the record has no digest of it: nothing shows that it is the one that was meant.', bad: 'key65400="https://alice.example.com/capabilities/a2a.json" alone', good: 'key65401 with the SHA-256 digest of its bytes in base64url beside it' },
  { ...TLSA_MANY, why: 'Each record costs the reader a comparison, so 32 are compared, in the order of their data. A certificate that a later one names is refused.', bad: '40 TLSA records at _443._tcp.alice.example.com', good: 'a record for the present key, and one for the next' },
]
