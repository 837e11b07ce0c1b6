import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/subject.ts'
import { isDomain } from '../../text/host-name.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { agentUri, faultOfFull, fingerprintOf, readFull, readPrefixed } from '../identity.ts'
import type { Metadata } from '../subject.ts'

/** The value in the draft's own example: "this is a test public key", which is 25 bytes. */
const OF_THE_DRAFT = 'ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ'
const SHA256_BYTES = 32

export const domainForm: Rule<Metadata> = {
  ...FINDINGS.DOMAIN_FORM,
  check({ domain }, report) {
    if (domain !== undefined && domain.value !== '' && !isDomain(domain.value)) {
      report(domain.pointer, `${quoted(domain.value)} is no domain name`)
    }
  },
}

export const agentId: Rule<Metadata> = {
  ...FINDINGS.AGENT_ID,
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
  ...FINDINGS.FINGERPRINT_FORM,
  check({ fingerprint }, report) {
    if (fingerprint === undefined || fingerprint.value === '' || fingerprint.value === OF_THE_DRAFT) return
    const length = readPrefixed(fingerprint.value)?.length
    if (length === SHA256_BYTES) return
    const found = length === undefined ? quoted(fingerprint.value) : `${length} bytes`
    report(fingerprint.pointer, `Expected ed25519: and 32 bytes in base64url without padding, found ${found}`)
  },
}

export const draftFingerprint: Rule<Metadata> = {
  ...FINDINGS.DRAFT_FINGERPRINT,
  check({ fingerprint }, report) {
    if (fingerprint?.value === OF_THE_DRAFT)
      report(fingerprint.pointer, 'It is that of the draft’s example, and of no key')
  },
}

export const fullKey: Rule<Metadata> = {
  ...FINDINGS.FULL_KEY,
  check({ full }, report) {
    const fault = full && faultOfFull(full.value)
    if (fault !== undefined) report(full!.pointer, `The key cannot be read: ${fault}`)
  },
}

export const fingerprintMatch: Rule<Metadata> = {
  ...FINDINGS.FINGERPRINT_MATCH,
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
  ...FINDINGS.NO_FULL_KEY,
  check({ publicKey, full }, report) {
    if (publicKey !== undefined && full === undefined) report(publicKey.pointer, 'Expected the key in the member full')
  },
}
