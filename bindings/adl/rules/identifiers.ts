import type { Report, Rule } from '../../frame/subject.ts'
import { KeyError, readBase64url } from '../../keys/base64.ts'
import { isDid } from '../../keys/did.ts'
import { ALGORITHMS, type Key } from '../../keys/key.ts'
import { readPublicKey } from '../../keys/read.ts'
import { isUrn } from '../../schema/formats.ts'
import {
  escapeToken,
  isText,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
} from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { once, uris } from '../places.ts'
import { DIGESTS } from '../signature/signed.ts'
import type { Agent } from '../subject.ts'

const ALLOWED = ['https', 'http', 'urn']

/** The scheme of a URI in lower case; undefined for a relative reference or a malformed URI. */
export function schemeOf(uri: string): string | undefined {
  return /^([a-z][a-z0-9+.-]{0,40}):/i.exec(uri)?.[1]?.toLowerCase()
}

export const uriSchemes: Rule<Agent> = {
  ...FINDINGS.URI_SCHEME,
  check(agent, report, { allowSchemes = [] }) {
    for (const { pointer, value, isIdentity } of uris(agent)) {
      if (value.startsWith('https://')) continue
      const scheme = schemeOf(value)
      if (scheme === undefined || ALLOWED.includes(scheme) || (scheme === 'did' && isIdentity)) continue
      if (allowSchemes.includes(scheme)) continue
      report(pointer, `Scheme ${quoted(scheme)} is not one of https, http and urn`)
    }
  },
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

export const adlUrns: Rule<Agent> = {
  ...FINDINGS.ADL_URN,
  check({ root, lifecycle, profiles }, report) {
    const places: (PlacedValue<string> | undefined)[] = [textMember(root, 'id'), textMember(lifecycle, 'successor')]
    for (const place of [...places, ...profiles]) {
      if (place === undefined || !/^urn:/i.test(place.value) || place.value.length > 1024) continue
      if (!isUrn(place.value)) {
        report(place.pointer, `${quoted(place.value)} is no URN: expected urn:, a namespace and a name (RFC 8141)`)
        continue
      }
      if (!isAdlUrn(place.value)) continue
      if (FORMS.some((form) => form.test(place.value))) continue
      report(place.pointer, `${quoted(place.value)} has not the form urn:adl:{type}:{namespace}:{name}:{version}`)
    }
  },
}

export const urnPrimary: Rule<Agent> = {
  ...FINDINGS.URN_PRIMARY,
  check({ root, identity }, report) {
    const id = textMember(root, 'id')
    const did = member(identity?.value, 'did')
    if (id === undefined || !/^urn:/i.test(id.value) || !isText(did)) return
    report(id.pointer, `${quoted(id.value)} cannot be resolved, and the agent has a DID that can`, {
      related: [{ pointer: '/cryptographic_identity/did', message: 'the DID' }],
      fix: { hint: 'put the DID into id, and the URN into metadata' },
    })
  },
}

export const identityKey: Rule<Agent> = {
  ...FINDINGS.IDENTITY_KEY,
  check({ identity }, report) {
    if (identity === undefined) return
    if (Object.hasOwn(identity.value, 'did') || Object.hasOwn(identity.value, 'public_key')) return
    report(identity.pointer, "cryptographic_identity has neither 'did' nor 'public_key'")
  },
}

export const didSyntax: Rule<Agent> = {
  ...FINDINGS.DID_SYNTAX,
  check({ root, identity }, report) {
    const id = textMember(root, 'id')
    const named = id?.value.startsWith('did:') ? id : undefined
    for (const did of [named, textMember(identity, 'did')]) {
      if (did === undefined || isDid(did.value)) continue
      report(did.pointer, `${quoted(did.value)} is no DID: expected did:method:identifier`)
    }
  },
}

/** The result of reading the key: the key, or the error with the reason; null when there is no key. */
type ReadKey = PlacedValue<string> & ({ readonly key: Key } | { readonly fault: KeyError })

const readKey = once(({ identity }): ReadKey | null => {
  const text = textMember(objectMember(identity, 'public_key'), 'value')
  if (text === undefined) return null
  const { pointer, value } = text
  try {
    return { pointer, value, key: readPublicKey(value) }
  } catch (error) {
    if (error instanceof KeyError) return { pointer, value, fault: error }
    throw error
  }
})

/** The algorithm that the document declares for its key, unless it is a weak one. */
function algorithmOf({ identity }: Agent): PlacedValue<string> | undefined {
  const algorithm = textMember(objectMember(identity, 'public_key'), 'algorithm')
  return algorithm === undefined || isWeak(algorithm.value) ? undefined : algorithm
}

export const weakKey: Rule<Agent> = {
  ...FINDINGS.WEAK_KEY,
  check(agent, report) {
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
  },
}

const WEAK = 'KEY-104'
export const isWeak = (algorithm: string): boolean =>
  /^(dsa|dss|rs1|rsa-?sha-?1|hmac|none|p-?192|p-?224|secp(160|192|224)[rk]1|es192|es224)/i.test(algorithm)

export const keyEncoding: Rule<Agent> = {
  ...FINDINGS.KEY_ENCODING,
  check(agent, report) {
    const found = readKey(agent)
    if (found === null || 'key' in found || found.fault.code === WEAK || algorithmOf(agent) === undefined) return
    report(found.pointer, `The key cannot be read: ${found.fault.message}`)
  },
}

export const keyAlgorithm: Rule<Agent> = {
  ...FINDINGS.KEY_ALGORITHM,
  check(agent, report) {
    const found = readKey(agent)
    const algorithm = algorithmOf(agent)
    if (found === null || !('key' in found) || algorithm === undefined) return
    const { kind, algorithms } = found.key
    if ((algorithms as readonly string[]).includes(algorithm.value)) return
    const detail = `The key is one of ${kind}, for ${algorithms.join(' and ')}, and not for ${quoted(algorithm.value)}`
    // Either of the two may be wrong, so there is no automatic fix.
    report(algorithm.pointer, detail, { fix: { hint: `write ${oneOf(algorithms)}, or the key that is meant` } })
  },
}

const FIELDS = ['digest_algorithm', 'digest_value']

export const digestFields: Rule<Agent> = {
  ...FINDINGS.VAL_24,
  check({ attestation }, report) {
    const signature = objectMember(attestation, 'signature')
    if (signature === undefined || member(signature.value, 'signed_content') !== 'digest') return
    const missing = FIELDS.filter((name) => !Object.hasOwn(signature.value, name))
    if (missing.length > 0) {
      report(signature.pointer, `Signature of a digest has no ${missing.map((name) => `'${name}'`).join(' and ')}`)
    }
  },
}

export const signatureValues: Rule<Agent> = {
  ...FINDINGS.SIGNATURE_VALUES,
  check({ attestation }, report) {
    const signature = objectMember(attestation, 'signature')
    if (signature === undefined) return
    checkName(signature, 'algorithm', Object.keys(ALGORITHMS), report)
    checkName(signature, 'digest_algorithm', DIGESTS, report)
    for (const name of ['value', 'digest_value']) {
      const text = textMember(signature, name)
      if (text === undefined || readBase64url(text.value) !== undefined) continue
      report(text.pointer, `Member '${name}' must be base64url without padding`)
    }
  },
}

function checkName(signature: PlacedObject, member: string, known: readonly string[], report: Report): void {
  const text = textMember(signature, member)
  if (text === undefined || known.includes(text.value)) return
  report(text.pointer, `${quoted(text.value)} is not a known algorithm, expected ${oneOf(known)}`)
}

/** Reports every number that is not an integer. */
export function reportFractions(value: unknown, pointer: string, report: Report): void {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) report(pointer, `The number ${value} is no integer, and the document is signed`)
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      reportFractions((value as Record<string, unknown>)[name], `${pointer}/${escapeToken(name)}`, report)
    }
  }
}

export const floatSigned: Rule<Agent> = {
  ...FINDINGS.FLOAT_SIGNED,
  check({ attestation, root }, report) {
    if (objectMember(attestation, 'signature') !== undefined) reportFractions(root.value, '', report)
  },
}
