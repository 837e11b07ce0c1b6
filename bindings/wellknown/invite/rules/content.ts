import type { Rule } from '../../../frame/rule.ts'
import { timeOf } from '../../../schema/times.ts'
import { quoted } from '../../../text/words.ts'
import { readPrefixed } from '../../public-key.ts'
import { addressOf, domainOf } from '../address.ts'
import * as FINDINGS from '../findings.ts'
import type { Invitation } from '../invitation.ts'

const DAY_MS = 86_400_000
/** A year. An invitation that lasts longer is in effect a key that is never revoked. */
const MOST_DAYS = 366
/** 128 bits in base64url. */
const CODE = /^[\w-]{22,512}$/

export const codeStrength: Rule<Invitation> = {
  ...FINDINGS.CODE_STRENGTH,
  check({ code }, report) {
    // The code is a secret, so findings never include it.
    if (code === undefined || code.value === '' || CODE.test(code.value)) return
    report(code.pointer, 'Expected 22 characters of base64url at least', {
      fix: { hint: 'blazon invite create makes one' },
    })
  },
}

export const agentId: Rule<Invitation> = {
  ...FINDINGS.AGENT_ID,
  check({ agent }, report) {
    if (agent === undefined || agent.value === '' || domainOf(agent.value) !== undefined) return
    report(agent.pointer, `Expected agent: and a domain, found ${quoted(agent.value)}`)
  },
}

export const wellKnownUrl: Rule<Invitation> = {
  ...FINDINGS.WELL_KNOWN_URL,
  check({ wellKnown, code }, report) {
    if (wellKnown === undefined || wellKnown.value === '') return
    if (addressOf(wellKnown.value, code?.value) !== undefined) return
    report(wellKnown.pointer, 'Expected an address with https:, a domain, no credentials and no code')
  },
}

export const wellKnownOrigin: Rule<Invitation> = {
  ...FINDINGS.WELL_KNOWN_ORIGIN,
  check({ agent, wellKnown }, report) {
    const [domain, address] = [domainOf(agent?.value ?? ''), addressOf(wellKnown?.value ?? '')]
    if (domain === undefined || address === undefined || address.hostname === domain) return
    report(wellKnown!.pointer, `Expected a host of ${quoted(domain)}, found ${quoted(address.hostname)}`)
  },
}

export const fingerprintForm: Rule<Invitation> = {
  ...FINDINGS.FINGERPRINT_FORM,
  check({ pubkey }, report) {
    if (pubkey === undefined || pubkey.value === '' || readPrefixed(pubkey.value)?.length === 32) return
    report(pubkey.pointer, 'Expected ed25519: and 32 bytes in base64url without padding')
  },
}

export const expired: Rule<Invitation> = {
  ...FINDINGS.EXPIRED,
  check({ expires }, report, { now }) {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end <= now.getTime()) report(expires!.pointer, `It ended at ${quoted(expires!.value)}`)
  },
}

export const farExpiry: Rule<Invitation> = {
  ...FINDINGS.FAR_EXPIRY,
  check({ expires }, report, { now }) {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end - now.getTime() > MOST_DAYS * DAY_MS)
      report(expires!.pointer, `It ends more than ${MOST_DAYS} days from now`)
  },
}
