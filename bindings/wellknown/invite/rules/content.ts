import type { Rule } from '../../../frame/rule.ts'
import { timeOf } from '../../../schema/times.ts'
import { quoted } from '../../../text/words.ts'
import { readPrefixed } from '../../public-key.ts'
import { addressOf, domainOf } from '../address.ts'
import type { Invitation } from '../invitation.ts'

const SECTION = 'ADP/1.1 section 8.3.1'
const DAY_MS = 86_400_000
/** A year. An invitation that lasts longer is in effect a key that is never revoked. */
const MOST_DAYS = 366
/** 128 bits in base64url. */
const CODE = /^[\w-]{22,512}$/

export const codeStrength: Rule<Invitation> = {
  id: 'code-strength',
  code: 'INV-110',
  title: 'Code that can be guessed',
  section: SECTION,
  severity: 'warning',
  rulesets: { spec: 'info', security: 'error' },
  why: 'Whoever has the code is let in. The eight digits of the example in the draft are tried in a day; 128 bits in base64url, which are 22 characters, are never.',
  bad: '{"invite": {"code": "a1b2c3d4"}}',
  good: '{"invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}',
  check({ code }, report) {
    // The code is a secret, so findings never include it.
    if (code === undefined || code.value === '' || CODE.test(code.value)) return
    report(code.pointer, 'Expected 22 characters of base64url at least', {
      fix: { hint: 'blazon invite create makes one' },
    })
  },
}

export const agentId: Rule<Invitation> = {
  id: 'agent-id',
  code: 'INV-111',
  title: 'Identifier that names no agent',
  section: SECTION,
  severity: 'error',
  why: 'The agent is named by its domain, which is asked for its metadata.',
  bad: '{"invite": {"agent": "alice"}}',
  good: '{"invite": {"agent": "agent:alice.example.com"}}',
  check({ agent }, report) {
    if (agent === undefined || agent.value === '' || domainOf(agent.value) !== undefined) return
    report(agent.pointer, `Expected agent: and a domain, found ${quoted(agent.value)}`)
  },
}

export const wellKnownUrl: Rule<Invitation> = {
  id: 'well-known-url',
  code: 'INV-112',
  title: 'Address that is none of metadata',
  section: 'ADP/1.1 section 8.2',
  severity: 'error',
  why: 'The metadata is fetched from there, over TLS and without credentials in the address, nor the code: what stands there is logged by others.',
  bad: '{"invite": {"wellKnown": "http://alice.example.com/agent.json"}}',
  good: '{"invite": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
  check({ wellKnown, code }, report) {
    if (wellKnown === undefined || wellKnown.value === '') return
    if (addressOf(wellKnown.value, code?.value) !== undefined) return
    report(wellKnown.pointer, 'Expected an address with https:, a domain, no credentials and no code')
  },
}

export const wellKnownOrigin: Rule<Invitation> = {
  id: 'well-known-origin',
  code: 'INV-117',
  title: 'Metadata at another domain',
  section: 'ADP/1.1 section 4.1.2',
  severity: 'warning',
  why: 'Hosted agents have it. Whoever redeems the invitation shows the code to that other domain.',
  bad: '{"invite": {"agent": "agent:alice.example.com", "wellKnown": "https://evil.example/.well-known/agent.json"}}',
  good: '{"invite": {"agent": "agent:alice.example.com", "wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
  check({ agent, wellKnown }, report) {
    const [domain, address] = [domainOf(agent?.value ?? ''), addressOf(wellKnown?.value ?? '')]
    if (domain === undefined || address === undefined || address.hostname === domain) return
    report(wellKnown!.pointer, `Expected a host of ${quoted(domain)}, found ${quoted(address.hostname)}`)
  },
}

export const fingerprintForm: Rule<Invitation> = {
  id: 'fingerprint-form',
  code: 'INV-113',
  title: 'Fingerprint that matches no key',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'The key of the agent is compared with it, in place of the DNS: ed25519: and the 32 bytes of a SHA-256 in base64url without padding.',
  bad: '{"invite": {"pubkey": "ed25519:abc="}}',
  good: '{"invite": {"pubkey": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk"}}',
  check({ pubkey }, report) {
    if (pubkey === undefined || pubkey.value === '' || readPrefixed(pubkey.value)?.length === 32) return
    report(pubkey.pointer, 'Expected ed25519: and 32 bytes in base64url without padding')
  },
}

export const expired: Rule<Invitation> = {
  id: 'expired',
  code: 'INV-115',
  title: 'Invitation that is over',
  section: SECTION,
  severity: 'warning',
  why: 'Nobody is let in with it any more.',
  bad: '{"invite": {"expires": "2020-01-01T00:00:00Z"}}',
  good: '{"invite": {"expires": "2026-12-31T00:00:00Z"}}',
  check({ expires }, report, { now }) {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end <= now.getTime()) report(expires!.pointer, `It ended at ${quoted(expires!.value)}`)
  },
}

export const farExpiry: Rule<Invitation> = {
  id: 'far-expiry',
  code: 'INV-116',
  title: 'Invitation for more than a year',
  section: SECTION,
  severity: 'warning',
  rulesets: { spec: 'info', security: 'error' },
  why: 'What nobody takes back lets in whoever finds it: a short time, and another invitation when it is over.',
  bad: '{"invite": {"expires": "2999-01-01T00:00:00Z"}}',
  good: '{"invite": {"expires": "2026-12-31T00:00:00Z"}}',
  check({ expires }, report, { now }) {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end - now.getTime() > MOST_DAYS * DAY_MS)
      report(expires!.pointer, `It ends more than ${MOST_DAYS} days from now`)
  },
}
