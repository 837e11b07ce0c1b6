// Explanations of the reasons not to use an answer of the DNS. Only the catalogue loads this.
import { type Explanations, explained, type FindingInfo } from '../../document/finding.ts'
import { DNS_FINDINGS } from './catalogue.ts'

const EXPLANATIONS: Explanations = {
  'DNS-101': {
    why: 'Lengths, counts and pointers of an answer are a stranger’s words. One that does not add up is not guessed at.',
    bad: 'a name that points to itself',
    good: 'a message that ends where its records end',
  },
  'DNS-102': {
    why: 'An answer counts only for the question that was asked; everything else may be somebody’s guess, sent in between.',
    bad: 'asked for alice.example.com SVCB, answered for bob.example.com SVCB',
    good: 'the question repeated in the answer, letter for letter',
  },
  'DNS-103': {
    why: 'SERVFAIL, REFUSED and the like are no statement about the name. To go on by a weaker way would let whoever makes a resolver fail choose it.',
    bad: 'SERVFAIL',
    good: 'NOERROR or NXDOMAIN; ask another resolver, or mend the zone',
  },
  'DNS-104': {
    why: 'Questions are asked again so many times, and then given up: silence says nothing about the name.',
    bad: 'a resolver that is down, or behind a firewall',
    good: 'a resolver that answers in time; address and patience are options',
  },
  'DNS-105': {
    why: 'An alias leads to another name. A circle, two at once, or more than eight in a row lead nowhere.',
    bad: 'a CNAME b, b CNAME a',
    good: 'a CNAME alice.example.com',
  },
  'DNS-106': {
    why: 'Each zone on the way costs two questions. A name that costs more than the bound is made to have us work.',
    bad: 'a name of a hundred labels, each a zone',
    good: 'a name with a few zones above it',
  },
  'DNS-107': {
    why: 'The resolver could not be reached, or what it sent is no DNS message.',
    bad: 'HTTP 404, or text/html',
    good: 'HTTP 200 with application/dns-message',
  },
  'DNS-108': {
    why: 'A name has labels of 1 to 63 bytes and 255 in all; letters beyond ASCII are written as xn--.',
    bad: 'alice..example.com',
    good: 'alice.example.com',
  },
  'DNS-110': {
    why: 'The records are not those that the zone signed, or the key is not the one that signed them.',
    bad: 'a record that was changed on the way',
    good: 'records as the zone has them',
  },
  'DNS-111': {
    why: 'The zone is signed, and a parent says so: an answer without a signature has lost it, or never came from there.',
    bad: 'an A record of a signed zone, without its RRSIG',
    good: 'the record with its RRSIG',
  },
  'DNS-112': {
    why: 'Signatures hold for a time, so that an old answer cannot be shown for ever. The clock that asks may be wrong, too.',
    bad: 'an RRSIG that ended last week',
    good: 'a zone that is signed anew before its signatures end',
  },
  'DNS-113': {
    why: 'A zone may sign its own names only.',
    bad: 'alice.example.com signed by example.net',
    good: 'alice.example.com signed by example.com',
  },
  'DNS-114': {
    why: 'The parent vouches for a key that the zone does not sign with: a key that was exchanged before its DS, or somebody else’s zone.',
    bad: 'a DS of a key that is gone',
    good: 'the DS of the key that signs the zone’s keys',
  },
  'DNS-115': {
    why: 'A signed zone signs absence as well. Otherwise an attacker between you and the server could remove a record.',
    bad: 'NXDOMAIN without NSEC or NSEC3, or with those of another name',
    good: 'NXDOMAIN with the signed NSEC or NSEC3 records around the name',
  },
  'DNS-116': {
    why: 'The owner of a zone decides how many keys, signatures and hashes a proof takes. The work for one lookup is bounded.',
    bad: 'a hundred keys with one tag, or a name of a hundred labels in a zone that hashes each a hundred times',
    good: 'a few keys, and NSEC3 without more iterations',
  },
  'DNS-117': {
    why: 'The root zone is signed, and its records came without signatures: the resolver, or someone between you and it, removed them. Many routers and hotspots do. Nothing is known about the domain.',
    bad: '. DNSKEY without an RRSIG',
    good: 'a resolver that passes signatures on, as in blazon discover alice.example.com --resolver https://dns.example/dns-query',
  },
  'DNS-120': {
    why: 'A record whose parameters are out of order or do not add up is no record, and with it goes its whole set.',
    bad: 'alice.example.com. SVCB 1 . mandatory=port',
    good: 'alice.example.com. SVCB 1 . mandatory=port port=443',
  },
  'DNS-121': {
    why: 'A record may demand that its reader carries out a parameter. One that is not known here is passed over, and with no record left the matter ends: to go on by TXT would be what the demand forbids.',
    bad: 'alice.example.com. SVCB 1 . mandatory=key65404 key65404="inside"',
    good: 'alice.example.com. SVCB 1 . key65402="a2a"',
  },
  'DNS-122': {
    why: 'The path comes from the DNS. It is one below /.well-known/, of plain segments, so that no record leads out of there.',
    bad: 'key65409="../admin"',
    good: 'key65409="agent.json"',
  },
  'DNS-123': {
    why: 'A record that points to the root says that the service is decidedly not there.',
    bad: 'alice.example.com. SVCB 0 .',
    good: 'alice.example.com. SVCB 1 .',
  },
  'DNS-130': {
    why: 'A record of ADP has v, pk and wk, each once: ADP1, ADP1.0 or ADP1.1, a fingerprint of 32 bytes, and an https URL. One that has them in another way is not guessed at.',
    bad: 'v=ADP1.1; pk=ed25519:abc; wk=http://alice.example.com/agent.json',
    good: 'v=ADP1.1; pk=ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk; wk=https://alice.example.com/.well-known/agent.json',
  },
  'DNS-131': {
    why: 'Records of a name come in any order, so pieces may be joined into something else. One record may have many strings.',
    bad: '_agent.alice TXT "v=ADP1.1; pk=…" and _agent.alice TXT "; wk=…"',
    good: '_agent.alice TXT "v=ADP1.1; pk=…" "; wk=…"',
  },
  'DNS-132': {
    why: 'There is neither an SVCB record at the domain nor a TXT record of ADP at _agent below it.',
    bad: 'alice.example.com without either',
    good: 'alice.example.com. SVCB 1 . key65402="a2a" key65409="agent.json"',
  },
  'DNS-133': {
    why: 'The draft calls TXT and SRV the weaker way, and wants it told when it was taken.',
    bad: '_agent.alice.example.com. TXT alone',
    good: 'an SVCB record at alice.example.com beside it',
  },
  'DNS-134': {
    why: 'The host that the agent is at has no A and no AAAA record.',
    bad: 'alice.example.com. SVCB 1 nowhere.example.com.',
    good: 'alice.example.com. SVCB 1 host.example.com., and host.example.com. A 192.0.2.7',
  },
  'DNS-140': {
    why: 'The signed DNS names the certificates that the server may have, and this is none of them: the connection MUST be ended.',
    bad: 'a certificate that was renewed with another key',
    good: 'a TLSA record of the new key, published before it is used',
  },
  'DNS-141': {
    why: 'Without DNSSEC anybody on the way could have written the record. It is not used, neither for nor against the server.',
    bad: 'a TLSA record in a zone that is not signed',
    good: 'the same in a signed zone, whose DS the parent has',
  },
  'DNS-142': {
    why: 'Records of another usage, selector or matching type than are known count as if there were none.',
    bad: '_443._tcp.alice.example.com. TLSA 9 1 1 …',
    good: '_443._tcp.alice.example.com. TLSA 3 1 1 …',
  },
  'DNS-143': {
    why: 'Browsers and Workers connect by themselves and show no certificate: what the DNS says of it cannot be compared there.',
    bad: 'a TLSA record, looked at in a browser',
    good: 'the same, in Node: blazon discover alice.example.com',
  },
  'DNS-144': {
    why: 'The certificate is the one that its host’s DNS names. That this is the host of the agent, nobody signed: whoever changed that record chose host and certificate.',
    bad: 'alice.example.com, not signed, points to a signed provider.example',
    good: 'both signed',
  },
  'DNS-145': {
    why: 'The DNS has the digest of the descriptor of what the agent can do, and this is not it: the document was changed, or the record was forgotten.',
    bad: 'a new skill in the descriptor, and cap-sha256 of the old one',
    good: 'cap-sha256 of the bytes as they are served, written when they change',
  },
  'DNS-146': {
    why: 'The descriptor cannot be had, or the record has no digest of it: nothing shows that it is the one that was meant.',
    bad: 'key65400="https://alice.example.com/capabilities/a2a.json" alone',
    good: 'key65401 with the SHA-256 digest of its bytes in base64url beside it',
  },
  'DNS-147': {
    why: 'Each record costs the reader a comparison, so 32 are compared, in the order of their data. A certificate that a later one names is refused.',
    bad: '40 TLSA records at _443._tcp.alice.example.com',
    good: 'a record for the present key, and one for the next',
  },
}

export const dnsFindings = (): readonly FindingInfo[] => explained(DNS_FINDINGS, EXPLANATIONS)
