// Why an agent that was found is not trusted, explained. Only the catalogue loads this.
import { type Explanations, explained, type FindingInfo } from '../../document/finding.ts'
import { DETOUR_FINDINGS } from './detour-findings.ts'
import { TRUST_FINDINGS } from './findings.ts'

const FINGERPRINT = 'ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk'

const EXPLANATIONS: Explanations = {
  'WK-160': {
    why: 'The DNS of the domain names the key, and the metadata has another one: somebody has exchanged one of them. The connection MUST be ended and the agent MUST NOT be trusted.',
    bad: 'a new key in the metadata, the old one in the DNS',
    good: 'both in the DNS while the key changes, then the new one alone',
  },
  'WK-188': {
    why: 'The DNS names several hosts, to be tried in order until one answers (RFC 9460 section 3, RFC 2782). This one did not, and another was asked: what is shown is of that.',
    bad: 'alice.example.com. SVCB 1 down.example.com., SVCB 2 up.example.com.; down.example.com refuses connections',
    good: 'a server at each of the hosts, or no record for the one that is gone',
  },
  'WK-187': {
    why: 'The fingerprint is SHA-256 of the 32 bytes of the key. Most tools hash the whole SPKI, which has twelve bytes before them: it is the same key, and nobody who compares it as the draft has it takes the agent for the one that the DNS names.',
    bad: 'openssl pkey -pubin -in alice.pub -outform DER | sha256sum',
    good: 'openssl pkey -pubin -in alice.pub -outform DER | tail -c 32 | sha256sum; blazon dns records writes the record',
  },
  'WK-161': {
    why: 'No parameter of SVCB has a fingerprint: it stands in the TXT record at _agent. Without it nothing binds the key to the domain.',
    bad: 'an SVCB record alone',
    good: `_agent.alice.example.com. TXT "v=ADP1.1; pk=${FINGERPRINT}; wk=https://alice.example.com/.well-known/agent.json"`,
  },
  'WK-162': {
    why: 'The metadata has a fingerprint and no key: there is nothing to compare with the DNS, and nothing to verify messages with.',
    bad: `{"algorithm": "ed25519", "fingerprint": "${FINGERPRINT}"}`,
    good: `{"algorithm": "ed25519", "fingerprint": "${FINGERPRINT}", "full": "-----BEGIN PUBLIC KEY-----…"}`,
  },
  'WK-163': {
    why: 'Servers MUST say application/vnd.adp+json; application/json is allowed until that is registered.',
    bad: 'content-type: text/html',
    good: 'content-type: application/vnd.adp+json',
  },
  'WK-164': {
    why: 'All endpoints MUST be served over TLS 1.3 or later.',
    bad: 'a server that speaks TLS 1.2 at most',
    good: 'TLS 1.3; for a server of your own that cannot, there is an option',
  },
  'WK-165': {
    why: 'Metadata says where it lies. That is where it came from, or a place at the agent’s own domain when somebody hosts it; elsewhere it was taken from somebody.',
    bad: 'fetched from evil.example: {"endpoints": {"wellKnown": "https://bank.example/.well-known/agent.json"}}',
    good: 'fetched from provider.example: {"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
  },
  'WK-166': {
    why: 'What was asked for could not be shown, so there is no agent to go on with.',
    bad: 'dane-verified is required, and the zone is not signed',
    good: 'a signed zone with a TLSA record, or a lower requirement',
  },
  'WK-167': {
    why: 'Browsers and Workers connect by themselves: they check certificates, and tell neither these nor the version of TLS.',
    bad: 'discover in a browser',
    good: 'discover in Node, where both are seen',
  },
  'WK-168': {
    why: 'Nobody but this machine can have answered, and nobody says whose the certificate is: it is for development alone.',
    bad: 'a server of your own on this machine',
    good: 'a certificate that an authority signed',
  },
  'WK-169': {
    why: 'A conversation needs a key that is bound to the domain, and a chat endpoint.',
    bad: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
    good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json", "chat": "wss://alice.example.com/agent/chat"}}',
  },
  'WK-184': {
    why: 'An invitation stands in for the DNS of a private agent: one that is over, of another agent, or without address, key and end leads nowhere.',
    bad: '{"invite": {"agent": "agent:alice.example.com", "expires": "2020-01-01T00:00:00Z"}}',
    good: 'an invitation that blazon validate finds no error in, before its end',
  },
  'WK-185': {
    why: 'The fingerprint in the invitation stands in place of the DNS. The metadata has another key: it is of another agent, or the key was exchanged since, which the agent would have to say in a new invitation.',
    bad: 'the fingerprint of Alice in pubkey, the key of Bob in the metadata',
    good: 'the same key in both',
  },
}

export const trustFindings = (): readonly FindingInfo[] =>
  explained([...TRUST_FINDINGS, ...DETOUR_FINDINGS], EXPLANATIONS)
