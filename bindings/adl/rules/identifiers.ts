import { type Report, type Rule, rule } from '../../frame/subject.ts'
import { attempt, type KeyError, readBase64url } from '../../keys/base64.ts'
import { isDid } from '../../keys/did.ts'
import { ALGORITHMS, type Key } from '../../keys/key.ts'
import { readPublicKey } from '../../keys/read.ts'
import { isUrn } from '../../schema/formats.ts'
import { hostOf, revealedBy } from '../../text/host-name.ts'
import {
  elements,
  escapeToken,
  isObject,
  isText,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textIn,
  textMember,
  valueIn,
} from '../../text/members.ts'
import { mayHoldSecret, REVOKE_SECRET, searchSecrets } from '../../text/secret-shapes.ts'
import { oneOf, quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { PERSONAL_CONTACT, PRIVATE_HOST, SECRET, VAL_27, VAL_28 } from '../findings.ts'
import { classifications, once, patterns, SENSITIVITIES, uris } from '../places.ts'
import { DIGESTS } from '../signature/signed.ts'
import type { Agent } from '../subject.ts'

const ALLOWED = ['https', 'http', 'urn']

/** The scheme of a URI in lower case; undefined for a relative reference or a malformed URI. */
export function schemeOf(uri: string): string | undefined {
  return /^([a-z][a-z0-9+.-]{0,40}):/i.exec(uri)?.[1]?.toLowerCase()
}

const PART = '[a-z0-9][a-z0-9-]*'
const VERSION = '\\d+(\\.\\d+){1,2}'
/**
 * `urn:adl:{type}:{namespace}:{name}:{version}` (17.3), the same without a type (6.1), and the profiles of 17.2, which
 * have no namespace and a version of two numbers. Appendix D lacks the production adl-urn that should define it.
 */
const FORMS = [
  new RegExp(`^urn:adl:(agent|profile):${PART}:${PART}:${VERSION}$`),
  new RegExp(`^urn:adl:(?!agent:)(?!profile:)${PART}:${PART}:${VERSION}$`),
  new RegExp(`^urn:adl:profile:${PART}:${VERSION}$`),
]

const isAdlUrn = (text: string) => /^urn:adl:/i.test(text)

/** The result of reading the key: the key, or the error with the reason; null when there is no key. */
type ReadKey = PlacedValue<string> & ({ readonly key: Key } | { readonly fault: KeyError })

const readKey = once(({ identity }): ReadKey | null => {
  const text = textMember(identity, 'public_key', 'value')
  if (text === undefined) return null
  const { pointer, value } = text
  return attempt(
    () => ({ pointer, value, key: readPublicKey(value) }),
    (fault) => ({ pointer, value, fault }),
  )
})

/** The algorithm that the document declares for its key, unless it is a weak one. */
function algorithmOf({ identity }: Agent): PlacedValue<string> | undefined {
  const algorithm = textMember(identity, 'public_key', 'algorithm')
  return algorithm === undefined || isWeak(algorithm.value) ? undefined : algorithm
}

export const weakKey = rule<Agent>(FINDINGS.WEAK_KEY, (agent, report) => {
  const key = objectMember(agent.identity, 'public_key')
  const algorithm = textMember(key, 'algorithm')
  if (key === undefined || algorithm === undefined) return
  if (isWeak(algorithm.value)) {
    report(key.pointer, `Algorithm ${quoted(algorithm.value)} does not meet minimum strength requirements`)
    return
  }
  const found = readKey(agent)
  if (found === null || 'key' in found || found.fault.code !== WEAK) return
  report(
    key.pointer,
    `Algorithm ${quoted(algorithm.value)} with this key does not meet minimum strength requirements: ${found.fault.message}`,
  )
})

const WEAK = 'KEY-104'
export const isWeak = (algorithm: string): boolean =>
  /^(dsa|dss|rs1|rsa-?sha-?1|hmac|none|p-?192|p-?224|secp(160|192|224)[rk]1|es192|es224)/i.test(algorithm)

const FIELDS = ['digest_algorithm', 'digest_value']

function checkName(signature: PlacedObject, member: string, known: readonly string[], report: Report): void {
  const text = textMember(signature, member)
  if (text === undefined || known.includes(text.value)) return
  report(text.pointer, `${quoted(text.value)} is not a known algorithm, expected ${oneOf(known)}`)
}

/** Reports every number that is not an integer. */
export function reportFractions(value: unknown, pointer: string, report: Report): void {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) report(pointer, `The number ${value} is not an integer, and the document is signed`)
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      reportFractions((value as Record<string, unknown>)[name], `${pointer}/${escapeToken(name)}`, report)
    }
  }
}

export const floatSigned = rule<Agent>(FINDINGS.FLOAT_SIGNED, ({ attestation, root }, report) => {
  if (objectMember(attestation, 'signature') !== undefined) reportFractions(root.value, '', report)
})

const LEVELS: readonly string[] = SENSITIVITIES

function checkRetention(classification: PlacedObject, report: Report): void {
  const retention = objectMember(classification, 'retention')
  if (retention === undefined) return
  const least = valueIn(retention, 'min_days')
  const most = valueIn(retention, 'max_days')
  if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return
  const related = [{ pointer: `${retention.pointer}/max_days`, message: 'the most days' }]
  report(`${retention.pointer}/min_days`, `'min_days' is ${least}, more than 'max_days', which is ${most}`, { related })
}

/** The largest providers of personal mailboxes. */
const FREE_MAIL = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'yahoo.com',
  'icloud.com',
  'me.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  'mail.ru',
  'yandex.ru',
  'qq.com',
  '163.com',
]

/** Words for a role rather than a person. */
const ROLES =
  /support|info|contact|team|platform|security|ops|admin|help|sales|office|research|privacy|abuse|reply|agent|dev|engineering|service|press|legal|data|ai|bot/

function isPersonal(address: string): boolean {
  if (address.length > 320) return false
  const at = address.lastIndexOf('@')
  if (at < 0) return false
  if (FREE_MAIL.includes(address.slice(at + 1).toLowerCase())) return true
  const local = address.slice(0, at).toLowerCase()
  return /^[a-z]+[._][a-z]+$/.test(local) && !local.split(/[._]/).some((word) => ROLES.test(word))
}

export const personalContact = rule<Agent>(PERSONAL_CONTACT, ({ provider, metadata }, report) => {
  const authors = elements(metadata, 'authors', isObject).map((author) => textMember(author, 'email'))
  for (const address of [textMember(provider, 'contact'), ...authors]) {
    if (address === undefined || !isPersonal(address.value)) continue
    report(address.pointer, `${quoted(address.value)} looks like the address of a person: use one of an office`)
  }
})

function reportPrivate(host: string, pointer: string, report: Report): void {
  const what = host.length > 255 ? undefined : revealedBy(host)
  if (what !== undefined) report(pointer, `Host ${quoted(host)} is ${what}`)
}

export const privateHosts = rule<Agent>(PRIVATE_HOST, (agent, report) => {
  for (const { kind, isAllowing, pointer, value } of patterns(agent)) {
    if (kind === 'host' && isAllowing) reportPrivate(value, pointer, report)
  }
  for (const { pointer, value } of uris(agent)) {
    const host = hostOf(value)
    if (host) reportPrivate(host, pointer, report)
  }
})

/** Random values that are meant to be public: keys for verification, signatures, digests. */
const PUBLIC = /^\/(cryptographic_identity\/public_key|security\/attestation\/signature)\/\w+$/

/** The same values as one text. */
function publicTexts({ identity, attestation }: Agent): string {
  const key = textMember(identity, 'public_key', 'value')
  const signature = objectMember(attestation, 'signature')
  const texts = [key, textMember(signature, 'value'), textMember(signature, 'digest_value')]
  return texts.map((text) => text?.value ?? '').join(' ')
}

export const secrets = rule<Agent>(SECRET, (agent, report) => {
  const { document, root } = agent
  if (!mayHoldSecret(document.bytes, publicTexts(agent))) return
  searchSecrets(root.value, (pointer, what) => {
    if (!PUBLIC.test(pointer)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
  })
})

export const IDENTITY_RULES: readonly Rule<Agent>[] = [
  rule(FINDINGS.VAL_24, ({ attestation }, report) => {
    const signature = objectMember(attestation, 'signature')
    if (signature === undefined || valueIn(signature, 'signed_content') !== 'digest') return
    const missing = FIELDS.filter((name) => !Object.hasOwn(signature.value, name))
    if (missing.length > 0) {
      report(signature.pointer, `Signature of a digest has no ${missing.map((name) => `'${name}'`).join(' and ')}`)
    }
  }),
  rule(FINDINGS.SIGNATURE_VALUES, ({ attestation }, report) => {
    const signature = objectMember(attestation, 'signature')
    if (signature === undefined) return
    checkName(signature, 'algorithm', Object.keys(ALGORITHMS), report)
    checkName(signature, 'digest_algorithm', DIGESTS, report)
    for (const name of ['value', 'digest_value']) {
      const text = textMember(signature, name)
      if (text === undefined || readBase64url(text.value) !== undefined) continue
      report(text.pointer, `Member '${name}' must be base64url without padding`)
    }
  }),
  rule(VAL_27, (agent, report) => {
    for (const classification of classifications(agent)) checkRetention(classification, report)
  }),
  rule(VAL_28, ({ classification, tools, resources }, report) => {
    const own = textMember(classification, 'sensitivity')
    if (own === undefined || !LEVELS.includes(own.value)) return
    for (const [kind, list] of [
      ['Tool', tools],
      ['Resource', resources],
    ] as const) {
      for (const entry of list) {
        const level = textMember(entry, 'data_classification', 'sensitivity')
        if (level === undefined || LEVELS.indexOf(level.value) <= LEVELS.indexOf(own.value)) continue
        const name = quoted(textIn(entry, 'name') ?? '')
        const detail = `${kind} ${name} has sensitivity '${level.value}' which exceeds top-level '${own.value}'`
        report(level.pointer, detail, { related: [{ pointer: own.pointer, message: 'the level of the agent' }] })
      }
    }
  }),
  weakKey,
  secrets,
  privateHosts,
  rule(FINDINGS.URI_SCHEME, (agent, report, { allowSchemes = [] }) => {
    for (const { pointer, value, isIdentity } of uris(agent)) {
      if (value.startsWith('https://')) continue
      const scheme = schemeOf(value)
      if (scheme === undefined || ALLOWED.includes(scheme) || (scheme === 'did' && isIdentity)) continue
      if (allowSchemes.includes(scheme)) continue
      report(pointer, `Scheme ${quoted(scheme)} is not one of https, http and urn`)
    }
  }),
  floatSigned,
  personalContact,
  rule(FINDINGS.IDENTITY_KEY, ({ identity }, report) => {
    if (identity === undefined) return
    if (Object.hasOwn(identity.value, 'did') || Object.hasOwn(identity.value, 'public_key')) return
    report(identity.pointer, "cryptographic_identity has neither 'did' nor 'public_key'")
  }),
  rule(FINDINGS.ADL_URN, ({ root, lifecycle, profiles }, report) => {
    const places: (PlacedValue<string> | undefined)[] = [textMember(root, 'id'), textMember(lifecycle, 'successor')]
    for (const place of [...places, ...profiles]) {
      if (place === undefined || !/^urn:/i.test(place.value) || place.value.length > 1024) continue
      if (!isUrn(place.value)) {
        report(place.pointer, `${quoted(place.value)} is not a URN: expected urn:, a namespace and a name (RFC 8141)`)
        continue
      }
      if (!isAdlUrn(place.value)) continue
      if (FORMS.some((form) => form.test(place.value))) continue
      report(place.pointer, `${quoted(place.value)} has not the form urn:adl:{type}:{namespace}:{name}:{version}`)
    }
  }),
  rule(FINDINGS.URN_PRIMARY, ({ root, identity }, report) => {
    const id = textMember(root, 'id')
    const did = valueIn(identity, 'did')
    if (id === undefined || !/^urn:/i.test(id.value) || !isText(did)) return
    report(id.pointer, `${quoted(id.value)} cannot be resolved, and the agent has a DID that can`, {
      related: [{ pointer: '/cryptographic_identity/did', message: 'the DID' }],
      fix: { hint: 'put the DID into id, and the URN into metadata' },
    })
  }),
  rule(FINDINGS.DID_SYNTAX, ({ root, identity }, report) => {
    const id = textMember(root, 'id')
    const named = id?.value.startsWith('did:') ? id : undefined
    for (const did of [named, textMember(identity, 'did')]) {
      if (did === undefined || isDid(did.value)) continue
      report(did.pointer, `${quoted(did.value)} is not a DID: expected did:method:identifier`)
    }
  }),
  rule(FINDINGS.KEY_ENCODING, (agent, report) => {
    const found = readKey(agent)
    if (found === null || 'key' in found || found.fault.code === WEAK || algorithmOf(agent) === undefined) return
    report(found.pointer, `The key cannot be read: ${found.fault.message}`)
  }),
  rule(FINDINGS.KEY_ALGORITHM, (agent, report) => {
    const found = readKey(agent)
    const algorithm = algorithmOf(agent)
    if (found === null || !('key' in found) || algorithm === undefined) return
    const { kind, algorithms } = found.key
    if ((algorithms as readonly string[]).includes(algorithm.value)) return
    const detail = `The key is one of ${kind}, for ${algorithms.join(' and ')}, and not for ${quoted(algorithm.value)}`
    // Either of the two may be wrong, so there is no automatic fix.
    report(algorithm.pointer, detail, { fix: { hint: `write ${oneOf(algorithms)}, or the key that is meant` } })
  }),
]
