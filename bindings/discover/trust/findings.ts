// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'WK-160' | 'WK-161' | 'WK-162' | 'WK-163' | 'WK-164' | 'WK-165' | 'WK-166' | 'WK-167' | 'WK-168' | 'WK-169' | 'WK-184' | 'WK-185' | 'WK-187' | 'WK-188'

const T0 = 'ADP/1.1 section 8.1.2'
const T1 = 'warning'
const T2 = 'ADP/1.1 section 8.1'
const T3 = 'ADP/1.1 section 8.2'
const T4 = 'ADP/1.1 section 8.3.1'
export const TRUST_FINGERPRINT = /* @__PURE__ */ finding('trust/fingerprint', 'WK-160', 'Another key than the DNS says', T0)
export const TRUST_NO_FINGERPRINT = /* @__PURE__ */ finding('trust/no-fingerprint', 'WK-161', 'No fingerprint in the DNS', T0, T1)
export const TRUST_NO_KEY = /* @__PURE__ */ finding('trust/no-key', 'WK-162', 'No key to compare', T2, T1)
export const TRUST_MEDIA_TYPE = /* @__PURE__ */ finding('trust/media-type', 'WK-163', 'Other content type', 'ADP/1.1 section 6.2', T1)
export const TRUST_TLS_VERSION = /* @__PURE__ */ finding('trust/tls-version', 'WK-164', 'TLS that is too old', T3)
export const TRUST_WELL_KNOWN = /* @__PURE__ */ finding('trust/well-known', 'WK-165', 'Metadata of another place', 'ADP/1.1 section 6.3.3')
export const TRUST_LEVEL = /* @__PURE__ */ finding('trust/level', 'WK-166', 'Less than what is required', T2)
export const TRUST_TLS_HIDDEN = /* @__PURE__ */ finding('trust/tls-hidden', 'WK-167', 'TLS that this host does not show', T3, T1)
export const TRUST_SELF_SIGNED = /* @__PURE__ */ finding('trust/self-signed', 'WK-168', 'Certificate signed by itself', T3, T1)
export const TRUST_NO_CHAT = /* @__PURE__ */ finding('trust/no-chat', 'WK-169', 'Nobody to speak with', 'ADP/1.1 section 7.2.2')
export const TRUST_INVITATION = /* @__PURE__ */ finding('trust/invitation', 'WK-184', 'Invitation that invites nobody', T4)
export const TRUST_INVITED_KEY = /* @__PURE__ */ finding('trust/invited-key', 'WK-185', 'Another key than the invitation says', T4)
export const TRUST_SPKI = /* @__PURE__ */ finding('trust/spki', 'WK-187', 'Fingerprint of the SPKI in the DNS', 'ADP/1.1 section 5.1')
export const TRUST_SILENT_HOST = /* @__PURE__ */ finding('trust/silent-host', 'WK-188', 'Host that does not answer', 'ADP/1.1 section 4.1', T1)

export const ALL: readonly FindingKind[] = [TRUST_FINGERPRINT, TRUST_NO_FINGERPRINT, TRUST_NO_KEY, TRUST_MEDIA_TYPE, TRUST_TLS_VERSION, TRUST_WELL_KNOWN, TRUST_LEVEL, TRUST_TLS_HIDDEN, TRUST_SELF_SIGNED, TRUST_NO_CHAT, TRUST_INVITATION, TRUST_INVITED_KEY, TRUST_SPKI, TRUST_SILENT_HOST]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...TRUST_FINGERPRINT, why: 'The DNS of the domain names the key, and the metadata has another one: somebody has exchanged one of them. The connection MUST be ended and the agent MUST NOT be trusted.', bad: 'a new key in the metadata, the old one in the DNS', good: 'both in the DNS while the key changes, then the new one alone' },
  { ...TRUST_NO_FINGERPRINT, why: 'No parameter of SVCB has a fingerprint: it stands in the TXT record at _agent. Without it nothing binds the key to the domain.', bad: 'an SVCB record alone', good: '_agent.alice.example.com. TXT "v=ADP1.1; pk=ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk; wk=https://alice.example.com/.well-known/agent.json"' },
  { ...TRUST_NO_KEY, why: 'The metadata has a fingerprint and no key: there is nothing to compare with the DNS, and nothing to verify messages with.', bad: '{"algorithm": "ed25519", "fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}', good: '{"algorithm": "ed25519", "fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "full": "-----BEGIN PUBLIC KEY-----…"}' },
  { ...TRUST_MEDIA_TYPE, why: 'Servers MUST say application/vnd.adp+json; application/json is allowed until that is registered.', bad: 'content-type: text/html', good: 'content-type: application/vnd.adp+json' },
  { ...TRUST_TLS_VERSION, why: 'All endpoints MUST be served over TLS 1.3 or later.', bad: 'a server that speaks TLS 1.2 at most', good: 'TLS 1.3; for a server of your own that cannot, there is an option' },
  { ...TRUST_WELL_KNOWN, why: 'Metadata says where it lies. That is where it came from, or a place at the agent’s own domain when somebody hosts it; elsewhere it was taken from somebody.', bad: 'fetched from evil.example: {"endpoints": {"wellKnown": "https://bank.example/.well-known/agent.json"}}', good: 'fetched from provider.example: {"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...TRUST_LEVEL, why: 'What was asked for could not be shown, so there is no agent to go on with.', bad: 'dane-verified is required, and the zone is not signed', good: 'a signed zone with a TLSA record, or a lower requirement' },
  { ...TRUST_TLS_HIDDEN, why: 'Browsers and Workers connect by themselves: they check certificates, and tell neither these nor the version of TLS.', bad: 'discover in a browser', good: 'discover in Node, where both are seen' },
  { ...TRUST_SELF_SIGNED, why: 'Nobody but this machine can have answered, and nobody says whose the certificate is: it is for development alone.', bad: 'a server of your own on this machine', good: 'a certificate that an authority signed' },
  { ...TRUST_NO_CHAT, why: 'A conversation needs a key that is bound to the domain, and a chat endpoint.', bad: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}', good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json", "chat": "wss://alice.example.com/agent/chat"}}' },
  { ...TRUST_INVITATION, why: 'An invitation stands in for the DNS of a private agent: one that is over, of another agent, or without address, key and end leads nowhere.', bad: '{"invite": {"agent": "agent:alice.example.com", "expires": "2020-01-01T00:00:00Z"}}', good: 'an invitation that blazon validate finds no error in, before its end' },
  { ...TRUST_INVITED_KEY, why: 'The fingerprint in the invitation stands in place of the DNS. The metadata has another key: it is of another agent, or the key was exchanged since, which the agent would have to say in a new invitation.', bad: 'the fingerprint of Alice in pubkey, the key of Bob in the metadata', good: 'the same key in both' },
  { ...TRUST_SPKI, why: 'The fingerprint is SHA-256 of the 32 bytes of the key. Most tools hash the whole SPKI, which has twelve bytes before them: it is the same key, and nobody who compares it as the draft has it takes the agent for the one that the DNS names.', bad: 'openssl pkey -pubin -in alice.pub -outform DER | sha256sum', good: 'openssl pkey -pubin -in alice.pub -outform DER | tail -c 32 | sha256sum; blazon dns records writes the record' },
  { ...TRUST_SILENT_HOST, why: 'The DNS names several hosts, to be tried in order until one answers (RFC 9460 section 3, RFC 2782). This one did not, and another was asked: what is shown is of that.', bad: 'alice.example.com. SVCB 1 down.example.com., SVCB 2 up.example.com.; down.example.com refuses connections', good: 'a server at each of the hosts, or no record for the one that is gone' },
]
