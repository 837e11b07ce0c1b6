// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'WK-160' | 'WK-161' | 'WK-162' | 'WK-163' | 'WK-164' | 'WK-165' | 'WK-166' | 'WK-167' | 'WK-168' | 'WK-169' | 'WK-184' | 'WK-185' | 'WK-187' | 'WK-188'

const T0 = 'ADP/1.1 section 8.1.2'
const T1 = 'warning'
const T2 = 'ADP/1.1 section 8.1'
const T3 = 'ADP/1.1 section 8.2'
const T4 = 'ADP/1.1 section 8.3.1'
export const TRUST_FINGERPRINT = /* @__PURE__ */ finding('trust/fingerprint', 'WK-160', 'Key that does not match the DNS', T0)
export const TRUST_NO_FINGERPRINT = /* @__PURE__ */ finding('trust/no-fingerprint', 'WK-161', 'No fingerprint in the DNS', T0, T1)
export const TRUST_NO_KEY = /* @__PURE__ */ finding('trust/no-key', 'WK-162', 'No key to compare', T2, T1)
export const TRUST_MEDIA_TYPE = /* @__PURE__ */ finding('trust/media-type', 'WK-163', 'Unexpected content type', 'ADP/1.1 section 6.2', T1)
export const TRUST_TLS_VERSION = /* @__PURE__ */ finding('trust/tls-version', 'WK-164', 'TLS version that is too old', T3)
export const TRUST_WELL_KNOWN = /* @__PURE__ */ finding('trust/well-known', 'WK-165', 'Metadata from another place', 'ADP/1.1 section 6.3.3')
export const TRUST_LEVEL = /* @__PURE__ */ finding('trust/level', 'WK-166', 'Trust level below the required one', T2)
export const TRUST_TLS_HIDDEN = /* @__PURE__ */ finding('trust/tls-hidden', 'WK-167', 'TLS that this host does not show', T3, T1)
export const TRUST_SELF_SIGNED = /* @__PURE__ */ finding('trust/self-signed', 'WK-168', 'Self-signed certificate', T3, T1)
export const TRUST_NO_CHAT = /* @__PURE__ */ finding('trust/no-chat', 'WK-169', 'No agent to chat with', 'ADP/1.1 section 7.2.2')
export const TRUST_INVITATION = /* @__PURE__ */ finding('trust/invitation', 'WK-184', 'Unusable invitation', T4)
export const TRUST_INVITED_KEY = /* @__PURE__ */ finding('trust/invited-key', 'WK-185', 'Key that does not match the invitation', T4)
export const TRUST_SPKI = /* @__PURE__ */ finding('trust/spki', 'WK-187', 'Fingerprint of the SPKI in the DNS', 'ADP/1.1 section 5.1')
export const TRUST_SILENT_HOST = /* @__PURE__ */ finding('trust/silent-host', 'WK-188', 'Host that does not answer', 'ADP/1.1 section 4.1', T1)

export const ALL: readonly FindingKind[] = [TRUST_FINGERPRINT, TRUST_NO_FINGERPRINT, TRUST_NO_KEY, TRUST_MEDIA_TYPE, TRUST_TLS_VERSION, TRUST_WELL_KNOWN, TRUST_LEVEL, TRUST_TLS_HIDDEN, TRUST_SELF_SIGNED, TRUST_NO_CHAT, TRUST_INVITATION, TRUST_INVITED_KEY, TRUST_SPKI, TRUST_SILENT_HOST]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...TRUST_FINGERPRINT, why: 'The domain\'s DNS names one key, and the metadata has another. Someone changed one of them. The connection MUST be closed, and the agent MUST NOT be trusted.', bad: 'a new key in the metadata, the old one in the DNS', good: 'both in the DNS while the key changes, then only the new one' },
  { ...TRUST_NO_FINGERPRINT, why: 'SVCB has no parameter for a fingerprint, so the TXT record at _agent holds it. Without it, nothing binds the key to the domain.', bad: 'only an SVCB record', good: '_agent.alice.example.com. TXT "v=ADP1.1; pk=ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk; wk=https://alice.example.com/.well-known/agent.json"' },
  { ...TRUST_NO_KEY, why: 'The metadata has a fingerprint but no key, so nothing can be compared with the DNS or verify messages.', bad: '{"algorithm": "ed25519", "fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}', good: '{"algorithm": "ed25519", "fingerprint": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "full": "-----BEGIN PUBLIC KEY-----…"}' },
  { ...TRUST_MEDIA_TYPE, why: 'Servers MUST send application/vnd.adp+json. Until that is registered, application/json is allowed.', bad: 'content-type: text/html', good: 'content-type: application/vnd.adp+json' },
  { ...TRUST_TLS_VERSION, why: 'All endpoints MUST be served over TLS 1.3 or later.', bad: 'a server that supports at most TLS 1.2', good: 'TLS 1.3; for your own server that cannot, there is an option' },
  { ...TRUST_WELL_KNOWN, why: 'Metadata states its own address. That is where it was fetched, or a place at the agent\'s domain if a provider hosts it. Any other place means that it was copied.', bad: 'fetched from evil.example: {"endpoints": {"wellKnown": "https://bank.example/.well-known/agent.json"}}', good: 'fetched from provider.example: {"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}' },
  { ...TRUST_LEVEL, why: 'The required level could not be shown, so no agent is returned.', bad: 'dane-verified is required, and the zone is not signed', good: 'a signed zone with a TLSA record, or a lower requirement' },
  { ...TRUST_TLS_HIDDEN, why: 'Browsers and Workers open connections themselves. They check certificates, but show neither them nor the TLS version.', bad: 'discover in a browser', good: 'discover in Node, which shows both' },
  { ...TRUST_SELF_SIGNED, why: 'Only this machine can have answered, and nobody confirms whose certificate it is. Use it for development only.', bad: 'your own server on this machine', good: 'a certificate that an authority signed' },
  { ...TRUST_NO_CHAT, why: 'A conversation needs a key that is bound to the domain, and a chat endpoint.', bad: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}', good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json", "chat": "wss://alice.example.com/agent/chat"}}' },
  { ...TRUST_INVITATION, why: 'An invitation replaces the DNS of a private agent. It leads nowhere if it has expired, names another agent, or lacks address, key or end.', bad: '{"invite": {"agent": "agent:alice.example.com", "expires": "2020-01-01T00:00:00Z"}}', good: 'an invitation without errors in blazon validate, before it expires' },
  { ...TRUST_INVITED_KEY, why: 'The invitation\'s fingerprint replaces the DNS, and the metadata has another key. It belongs to another agent, or the key has changed and a new invitation is needed.', bad: 'Alice\'s fingerprint in pubkey, Bob\'s key in the metadata', good: 'the same key in both' },
  { ...TRUST_SPKI, why: 'The fingerprint is SHA-256 of the 32 bytes of the key. Most tools hash the whole SPKI, which adds twelve bytes. The key is the same, but clients that follow the draft do not recognize it.', bad: 'openssl pkey -pubin -in alice.pub -outform DER | sha256sum', good: 'openssl pkey -pubin -in alice.pub -outform DER | tail -c 32 | sha256sum; blazon dns records writes the record' },
  { ...TRUST_SILENT_HOST, why: 'The DNS names several hosts, to be tried in order until one answers (RFC 9460 section 3, RFC 2782). This one did not answer, so the result is from another host.', bad: 'alice.example.com. SVCB 1 down.example.com., SVCB 2 up.example.com.; down.example.com refuses connections', good: 'a server at each of the hosts, or no record for a host that is gone' },
]
