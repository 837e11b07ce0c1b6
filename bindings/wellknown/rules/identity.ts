import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import { isDomain } from '../../text/host-name.ts'
import { quoted } from '../../text/words.ts'
import { agentUri } from '../agent-uri.ts'
import type { Metadata } from '../metadata.ts'
import { faultOfFull, fingerprintOf, readFull, readPrefixed } from '../public-key.ts'

const FINGERPRINT = 'ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk'
const FULL =
  '-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\\n-----END PUBLIC KEY-----'
/** The value in the draft's own example: "this is a test public key", which is 25 bytes. */
const OF_THE_DRAFT = 'ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ'
const SHA256_BYTES = 32

export const domainForm: Rule<Metadata> = {
  id: 'domain-form',
  code: 'WK-110',
  title: 'Malformed domain',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'The domain is who the agent is, and where it is looked for: a whole name in ASCII, without a port or a dot at its end.',
  bad: '{"identity": {"domain": "https://alice.example.com/"}}',
  good: '{"identity": {"domain": "alice.example.com"}}',
  check({ domain }, report) {
    if (domain !== undefined && domain.value !== '' && !isDomain(domain.value)) {
      report(domain.pointer, `${quoted(domain.value)} is no domain name`)
    }
  },
}

export const agentId: Rule<Metadata> = {
  id: 'agent-id',
  code: 'WK-111',
  title: 'Identifier of another domain',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'Nothing but the domain was asked: an identifier of another one would claim what nobody showed.',
  bad: '{"identity": {"id": "agent:bank.example", "domain": "alice.example.com"}}',
  good: '{"identity": {"id": "agent:alice.example.com", "domain": "alice.example.com"}}',
  check({ document, id, domain }, report) {
    if (id === undefined || domain === undefined || !isDomain(domain.value)) return
    const meant = agentUri(domain.value)
    if (id.value.toLowerCase() === meant.toLowerCase()) return
    report(id.pointer, `Expected ${quoted(meant)}, found ${quoted(id.value)}`, {
      fix: () => replaceText(document, id.pointer, meant),
    })
  },
}

export const fingerprintForm: Rule<Metadata> = {
  id: 'fingerprint-form',
  code: 'WK-112',
  title: 'Malformed fingerprint',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'A fingerprint is ed25519: and the 32 bytes of a SHA-256 in base64url without padding; another text matches no key.',
  bad: '{"identity": {"publicKey": {"fingerprint": "ed25519:abc="}}}',
  good: `{"identity": {"publicKey": {"fingerprint": "${FINGERPRINT}"}}}`,
  check({ fingerprint }, report) {
    if (fingerprint === undefined || fingerprint.value === '' || fingerprint.value === OF_THE_DRAFT) return
    const length = readPrefixed(fingerprint.value)?.length
    if (length === SHA256_BYTES) return
    const found = length === undefined ? quoted(fingerprint.value) : `${length} bytes`
    report(fingerprint.pointer, `Expected ed25519: and 32 bytes in base64url without padding, found ${found}`)
  },
}

export const draftFingerprint: Rule<Metadata> = {
  id: 'draft-fingerprint',
  code: 'WK-113',
  title: 'Fingerprint of the draft’s example',
  section: 'ADP/1.1 section 6.3.6',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'The draft’s example has 25 bytes of text there: it is the fingerprint of no key.',
  bad: `{"identity": {"publicKey": {"fingerprint": "${OF_THE_DRAFT}"}}}`,
  good: `{"identity": {"publicKey": {"fingerprint": "${FINGERPRINT}"}}}`,
  check({ fingerprint }, report) {
    if (fingerprint?.value === OF_THE_DRAFT)
      report(fingerprint.pointer, 'It is that of the draft’s example, and of no key')
  },
}

export const fullKey: Rule<Metadata> = {
  id: 'full-key',
  code: 'WK-114',
  title: 'Malformed key',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'error',
  why: 'The key is what messages and this document are verified with. It is written as PEM of a PUBLIC KEY of Ed25519.',
  bad: '{"identity": {"publicKey": {"full": "ssh-ed25519 AAAA"}}}',
  good: `{"identity": {"publicKey": {"full": "${FULL}"}}}`,
  check({ full }, report) {
    const fault = full && faultOfFull(full.value)
    if (fault !== undefined) report(full!.pointer, `The key cannot be read: ${fault}`)
  },
}

export const fingerprintMatch: Rule<Metadata> = {
  id: 'fingerprint-match',
  code: 'WK-115',
  title: 'Fingerprint of another key',
  section: 'ADP/1.1 section 8.1.2',
  severity: 'error',
  why: 'Clients hash the key and compare: where it is another one the agent MUST NOT be trusted. The 32 bytes are hashed, not their SPKI.',
  bad: `{"identity": {"publicKey": {"fingerprint": "ed25519:BuP9j9opu2CrWVV95h7bCuzbIxE0vjDnW0Vfjht5L6k", "full": "${FULL}"}}}`,
  good: `{"identity": {"publicKey": {"fingerprint": "${FINGERPRINT}", "full": "${FULL}"}}}`,
  check({ document, fingerprint, full }, report) {
    if (fingerprint === undefined || full === undefined || faultOfFull(full.value) !== undefined) return
    if (readPrefixed(fingerprint.value)?.length !== SHA256_BYTES) return
    const meant = fingerprintOf(readFull(full.value))
    if (fingerprint.value === meant) return
    const fix = () => replaceText(document, fingerprint.pointer, meant)
    report(fingerprint.pointer, `The key in full has the fingerprint ${meant}`, {
      fix,
      related: [{ pointer: full.pointer, message: 'the key' }],
    })
  },
}

export const noFullKey: Rule<Metadata> = {
  id: 'no-full-key',
  code: 'WK-116',
  title: 'No key in full',
  section: 'ADP/1.1 section 6.3.2',
  severity: 'warning',
  rulesets: { spec: 'off' },
  why: 'A fingerprint verifies nothing by itself: without the key the agent is never more than verified by DNS, and no message of it is.',
  bad: `{"identity": {"publicKey": {"algorithm": "ed25519", "fingerprint": "${FINGERPRINT}"}}}`,
  good: `{"identity": {"publicKey": {"algorithm": "ed25519", "fingerprint": "${FINGERPRINT}", "full": "${FULL}"}}}`,
  check({ publicKey, full }, report) {
    if (publicKey !== undefined && full === undefined) report(publicKey.pointer, 'Expected the key in the member full')
  },
}
