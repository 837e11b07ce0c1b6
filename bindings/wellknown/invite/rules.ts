import type { Rule } from '../../frame/subject.ts'
import { timeOf } from '../../schema/times.ts'
import { quoted } from '../../text/words.ts'
import { PROTOCOL, readPrefixed } from '../identity.ts'
import * as FINDINGS from './findings.ts'
import { addressOf, domainOf, type Invitation } from './subject.ts'

const protocolVersion: Rule<Invitation> = {
  ...FINDINGS.PROTOCOL_VERSION,
  check({ protocol }, report) {
    if (protocol === undefined || protocol.value === '' || protocol.value === PROTOCOL) return
    report(protocol.pointer, `Expected ${PROTOCOL}, found ${quoted(protocol.value)}`)
  },
}

/** Root members that identify other kinds of documents. */
const FOREIGN = ['identity', 'endpoints', 'capabilities', 'adp_version', 'agent_card', 'adl_spec'] as const

const foreignMember: Rule<Invitation> = {
  ...FINDINGS.FOREIGN_MEMBER,
  check({ root }, report) {
    for (const name of FOREIGN) {
      if (Object.hasOwn(root.value, name))
        report(`/${name}`, `${quoted(name)} tells another kind of document`, { atName: true })
    }
  },
}

const DAY_MS = 86_400_000
/** A year. An invitation that lasts longer is in effect a key that is never revoked. */
const MOST_DAYS = 366
/** 128 bits in base64url. */
const CODE = /^[\w-]{22,512}$/

const codeStrength: Rule<Invitation> = {
  ...FINDINGS.CODE_STRENGTH,
  check({ code }, report) {
    // The code is a secret, so findings never include it.
    if (code === undefined || code.value === '' || CODE.test(code.value)) return
    report(code.pointer, 'Expected 22 characters of base64url at least', {
      fix: { hint: 'blazon invite create makes one' },
    })
  },
}

const agentId: Rule<Invitation> = {
  ...FINDINGS.AGENT_ID,
  check({ agent }, report) {
    if (agent === undefined || agent.value === '' || domainOf(agent.value) !== undefined) return
    report(agent.pointer, `Expected agent: and a domain, found ${quoted(agent.value)}`)
  },
}

const wellKnownUrl: Rule<Invitation> = {
  ...FINDINGS.WELL_KNOWN_URL,
  check({ wellKnown, code }, report) {
    if (wellKnown === undefined || wellKnown.value === '') return
    if (addressOf(wellKnown.value, code?.value) !== undefined) return
    report(wellKnown.pointer, 'Expected an address with https:, a domain, no credentials and no code')
  },
}

const wellKnownOrigin: Rule<Invitation> = {
  ...FINDINGS.WELL_KNOWN_ORIGIN,
  check({ agent, wellKnown }, report) {
    const [domain, address] = [domainOf(agent?.value ?? ''), addressOf(wellKnown?.value ?? '')]
    if (domain === undefined || address === undefined || address.hostname === domain) return
    report(wellKnown!.pointer, `Expected a host of ${quoted(domain)}, found ${quoted(address.hostname)}`)
  },
}

const fingerprintForm: Rule<Invitation> = {
  ...FINDINGS.FINGERPRINT_FORM,
  check({ pubkey }, report) {
    if (pubkey === undefined || pubkey.value === '' || readPrefixed(pubkey.value)?.length === 32) return
    report(pubkey.pointer, 'Expected ed25519: and 32 bytes in base64url without padding')
  },
}

const expired: Rule<Invitation> = {
  ...FINDINGS.EXPIRED,
  check({ expires }, report, { now }) {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end <= now.getTime()) report(expires!.pointer, `It ended at ${quoted(expires!.value)}`)
  },
}

const farExpiry: Rule<Invitation> = {
  ...FINDINGS.FAR_EXPIRY,
  check({ expires }, report, { now }) {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end - now.getTime() > MOST_DAYS * DAY_MS)
      report(expires!.pointer, `It ends more than ${MOST_DAYS} days from now`)
  },
}

/** In the order of the document. */
export const RULES: readonly Rule<Invitation>[] = [
  protocolVersion,
  foreignMember,
  codeStrength,
  agentId,
  wellKnownUrl,
  wellKnownOrigin,
  fingerprintForm,
  expired,
  farExpiry,
]
