// Explanations of what a check of a domain finds. Only the catalogue loads this.
import { type Explanations, explained, type FindingInfo } from '../../document/finding.ts'
import { CHECK_FINDINGS } from './findings.ts'

const EXPLANATIONS: Explanations = {
  'WK-190': {
    why: 'The agent is found without it, by a weaker way or with less shown.',
    bad: '_agent.alice.example.com. TXT alone',
    good: 'alice.example.com. SVCB beside it',
  },
  'WK-191': {
    why: 'While a key or a certificate changes there are two records. Afterwards the old one vouches for a key that nobody guards any more.',
    bad: 'two TXT records, and the metadata has been signed with the second key for a year',
    good: 'the record of the present key alone',
  },
  'WK-192': {
    why: 'Who goes by the one comes to another place than who goes by the other.',
    bad: 'alice.example.com. SVCB 1 . port=8443, and "wellKnown": "https://alice.example.com/.well-known/agent.json"',
    good: 'the port in both, or in none',
  },
  'WK-193': {
    why: 'Readers pass over what they cannot read, or refuse it: it is as if there was nothing.',
    bad: '_agent.alice.example.com. TXT "v=aid2;p=mcp"',
    good: '_agent.alice.example.com. TXT "v=aid2;u=https://alice.example.com/mcp;p=mcp"',
  },
  'WK-194': {
    why: 'The agent has one key, whoever asks for it: another one here is an old one, or somebody else’s.',
    bad: 'an A2A card that is signed with the key before the last',
    good: 'every document made anew when the key changes',
  },
  'WK-195': {
    why: 'Signatures hold for a time. One that has ended is refused, though all else is right.',
    bad: 'a directory of keys that was signed last week, for ten minutes',
    good: 'one that is signed when it is asked for',
  },
  'WK-196': {
    why: 'Whoever is on the way can change what the DNS says: no level of trust stands on more, and TLSA records do not count.',
    bad: 'a zone without keys, or one whose DS the parent does not have',
    good: 'a signed zone, and its DS at the parent',
  },
  'WK-197': {
    why: 'All endpoints MUST be served over TLS 1.3 or later: a server that also takes less can be talked down to it.',
    bad: 'minimum TLS version 1.2',
    good: 'minimum TLS version 1.3',
  },
  'WK-198': {
    why: 'A signed zone proves that a record is absent with NSEC or NSEC3. NSEC3 with opt-out proves it of signed names only, and with more than 100 iterations resolvers count it as unsigned. Someone on the network could then remove or add records.',
    bad: 'dnssec-signzone -3 aabbccdd -H 150 -A',
    good: 'dnssec-signzone -3 - -H 0',
  },
}

export const checkFindings = (): readonly FindingInfo[] => explained(CHECK_FINDINGS, EXPLANATIONS)
