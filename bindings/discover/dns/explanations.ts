// Explanations of the reasons not to use an answer of the DNS. Only the catalogue loads this.
import { type Explanations, explained, type FindingInfo } from '../../document/finding.ts'
import * as FINDINGS from './findings.ts'

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
    why: 'In a signed zone also absence is signed. Otherwise anybody on the way could make a record vanish.',
    bad: 'NXDOMAIN without an NSEC',
    good: 'NXDOMAIN with the NSEC around the name, signed',
  },
  'DNS-116': {
    why: 'Whoever makes a zone decides how many keys and signatures there are to try; so many are tried, and no more.',
    bad: 'a hundred keys with one tag',
    good: 'a few keys',
  },
  'DNS-120': {
    why: 'A record whose parameters are out of order or do not add up is no record, and with it goes its whole set.',
    bad: 'alice.example.com. SVCB 1 . mandatory=port',
    good: 'alice.example.com. SVCB 1 . mandatory=port port=443',
  },
}

export const dnsFindings = (): readonly FindingInfo[] => explained(Object.values(FINDINGS), EXPLANATIONS)
