import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { type Reading, RootSubject, type Rule, rule } from '../../frame/subject.ts'
import { timeOf } from '../../schema/times.ts'
import { isDomain } from '../../text/host-name.ts'
import { isObject, objectMember, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { PROTOCOL, readPrefixed } from '../identity.ts'
import * as FINDINGS from './findings.ts'
import { ROOT_OBJECT } from './findings.ts'
import schema from './schema.json' with { type: 'json' }

/** An invitation as rules and verbs read it: only the members that are present and have the right type. */
export class Invitation extends RootSubject {
  readonly protocol = textMember(this.root, 'protocol')
  readonly invite = objectMember(this.root, 'invite')
  readonly code = textMember(this.invite, 'code')
  readonly agent = textMember(this.invite, 'agent')
  readonly wellKnown = textMember(this.invite, 'wellKnown')
  readonly pubkey = textMember(this.invite, 'pubkey')
  readonly expires = textMember(this.invite, 'expires')
  readonly signature = textMember(this.root, 'signature')
}

/** How invitations are parsed. */
export const INVITE_READING: Reading<Invitation> = {
  kind: 'invite',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Invitation(document),
}

/** Returns the domain in lower case. Undefined for text that is not an agent URI. */
export function domainOf(agent: string): string | undefined {
  const domain = /^agent:(.*)$/i.exec(agent)?.[1]?.toLowerCase()
  return domain !== undefined && isDomain(domain) ? domain : undefined
}

/** A shorter code may occur in any address by chance, and gives no protection anyway. */
const LEAST_CODE = 8

/**
 * Returns an address from which metadata may be fetched. Undefined for others. The address must not contain the code,
 * because addresses are logged and recorded in traces.
 */
export function addressOf(text: string, code = ''): URL | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined
  if (code.length >= LEAST_CODE && text.includes(code)) return undefined
  const address = new URL(text)
  return isDomain(address.hostname) && address.username === '' && address.password === '' ? address : undefined
}

/** Root members that identify other kinds of documents. */
const FOREIGN = ['identity', 'endpoints', 'capabilities', 'adp_version', 'agent_card', 'adl_spec'] as const

const DAY_MS = 86_400_000
/** A year. An invitation that lasts longer is in effect a key that is never revoked. */
const MOST_DAYS = 366
/** 128 bits in base64url. */
const CODE = /^[\w-]{22,512}$/

/** In the order of the document. */
export const RULES: readonly Rule<Invitation>[] = [
  rule(FINDINGS.PROTOCOL_VERSION, ({ protocol }, report) => {
    if (protocol === undefined || protocol.value === '' || protocol.value === PROTOCOL) return
    report(protocol.pointer, `Expected ${PROTOCOL}, found ${quoted(protocol.value)}`)
  }),
  rule(FINDINGS.FOREIGN_MEMBER, ({ root }, report) => {
    for (const name of FOREIGN) {
      if (Object.hasOwn(root.value, name))
        report(`/${name}`, `${quoted(name)} tells another kind of document`, { atName: true })
    }
  }),
  rule(FINDINGS.CODE_STRENGTH, ({ code }, report) => {
    // The code is a secret, so findings never include it.
    if (code === undefined || code.value === '' || CODE.test(code.value)) return
    report(code.pointer, 'Expected 22 characters of base64url at least', {
      fix: { hint: 'blazon invite create makes one' },
    })
  }),
  rule(FINDINGS.AGENT_ID, ({ agent }, report) => {
    if (agent === undefined || agent.value === '' || domainOf(agent.value) !== undefined) return
    report(agent.pointer, `Expected agent: and a domain, found ${quoted(agent.value)}`)
  }),
  rule(FINDINGS.WELL_KNOWN_URL, ({ wellKnown, code }, report) => {
    if (wellKnown === undefined || wellKnown.value === '') return
    if (addressOf(wellKnown.value, code?.value) !== undefined) return
    report(wellKnown.pointer, 'Expected an address with https:, a domain, no credentials and no code')
  }),
  rule(FINDINGS.WELL_KNOWN_ORIGIN, ({ agent, wellKnown }, report) => {
    const [domain, address] = [domainOf(agent?.value ?? ''), addressOf(wellKnown?.value ?? '')]
    if (domain === undefined || address === undefined || address.hostname === domain) return
    report(wellKnown!.pointer, `Expected a host of ${quoted(domain)}, found ${quoted(address.hostname)}`)
  }),
  rule(FINDINGS.FINGERPRINT_FORM, ({ pubkey }, report) => {
    if (pubkey === undefined || pubkey.value === '' || readPrefixed(pubkey.value)?.length === 32) return
    report(pubkey.pointer, 'Expected ed25519: and 32 bytes in base64url without padding')
  }),
  rule(FINDINGS.EXPIRED, ({ expires }, report, { now }) => {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end <= now.getTime()) report(expires!.pointer, `It ended at ${quoted(expires!.value)}`)
  }),
  rule(FINDINGS.FAR_EXPIRY, ({ expires }, report, { now }) => {
    const end = timeOf(expires?.value ?? '')
    if (end !== undefined && end - now.getTime() > MOST_DAYS * DAY_MS)
      report(expires!.pointer, `It ends more than ${MOST_DAYS} days from now`)
  }),
]

// Invitations of ADP/1.1 as a specification of the frame.

export const inviteShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'invitations',
  rules: shapeRules(FINDINGS.ALL),
  // Unknown members are ignored (section 9.4), so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that the draft does not define are ignored' }),
}

export const INVITE: Specification<Invitation> = {
  ...INVITE_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: inviteShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
  // An edit would invalidate the signature.
  isEditable: ({ value }) => !isObject(value) || !Object.hasOwn(value, 'signature'),
}
