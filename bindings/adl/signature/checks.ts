// Checks of dates and identity when a signature is verified, and those before signing: no signature is made that could
// never be verified.
import type { Diagnostic, Severity } from '../../document/types.ts'
import type { Expectation } from '../../frame/source.ts'
import { findingAt, ruleDiagnostic } from '../../frame/subject.ts'
import { attempt, KeyError } from '../../keys/base64.ts'
import { didWebUrl } from '../../keys/did.ts'
import { type Algorithm, isSameKey, type Key } from '../../keys/key.ts'
import { readPublicKey } from '../../keys/read.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, objectMember, textIn, textMember, valueIn } from '../../text/members.ts'
import { isMonthAhead } from '../../text/moment.ts'
import { quoted, shown } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import type { Agent } from '../subject.ts'
import { type KeySet, WAYS_TO_A_KEY, WAYS_TO_ONE_KEY } from './keys.ts'
import type { AdlSteps } from './signed.ts'

/** Checks the dates. They only cause warnings: ADL section 18.1 accepts an expired attestation with a warning. */
export function checkDates(agent: Agent, now: Date, steps: AdlSteps): void {
  const issued = dateOf(agent, 'issued_at')
  const expires = dateOf(agent, 'expires_at')
  if (issued === undefined) steps.skipped('issued', 'there is no issued_at')
  else {
    const { text, time, pointer } = issued
    const remark = { rule: FINDINGS.ATTESTATION_DATES, pointer }
    if (time === undefined) steps.warning('issued', `issued_at is not a timestamp: ${text}`, remark)
    else if (time > (expires?.time ?? time)) steps.warning('issued', `issued after it expires: ${text}`, remark)
    else if (time > now.getTime()) steps.warning('issued', `issued in the future: ${text}`, remark)
    else steps.passed('issued', text)
  }
  if (expires === undefined) steps.skipped('expiry', 'there is no expires_at: it does not expire')
  else {
    const { text, time, pointer } = expires
    const remark = { rule: FINDINGS.ATTESTATION_EXPIRY, pointer }
    if (time === undefined) {
      steps.warning('expiry', `expires_at is not a timestamp: ${text}`, { rule: FINDINGS.ATTESTATION_DATES, pointer })
    } else if (time <= now.getTime()) steps.warning('expiry', `expired: ${text}`, remark)
    else if (!isMonthAhead(time, now)) steps.warning('expiry', `expires within 30 days: ${text}`, remark)
    else steps.passed('expiry', text)
  }
}

interface PlacedDate {
  readonly pointer: string
  readonly text: string
  readonly time: number | undefined
}

function dateOf({ attestation }: Agent, name: string): PlacedDate | undefined {
  const value = valueIn(attestation, name)
  if (value === undefined) return undefined
  const time = typeof value === 'string' ? timeOf(value) : undefined
  return { pointer: `${attestation!.pointer}/${name}`, text: shown(value), time }
}

/** @param ownKey whether the key that verified the signature is the agent's own. */
export function checkAttestation(agent: Agent, ownKey: boolean, steps: AdlSteps): void {
  const type = textMember(agent.attestation, 'type')
  if (checkCredential(agent, steps)) return
  if (type?.value === 'third_party' && ownKey) {
    const detail = 'third_party, but signed with the key of the agent itself'
    steps.warning('attestation', detail, { rule: FINDINGS.ATTESTATION_OWN_KEY, pointer: type.pointer })
  } else steps.passed('attestation', type === undefined ? 'no type is named' : quoted(type.value))
}

/** Checks an attestation without a signature: it may be a credential that is stored elsewhere. */
export function checkUnsigned(agent: Agent, now: Date, steps: AdlSteps): void {
  if (agent.attestation === undefined) return
  checkDates(agent, now, steps)
  checkCredential(agent, steps)
}

/** Reports that a credential itself is not checked; returns whether there is one. */
function checkCredential({ attestation }: Agent, steps: AdlSteps): boolean {
  if (textIn(attestation, 'type') !== 'verifiable_credential') return false
  steps.skipped('attestation', 'verifiable_credential: the credential itself is not checked')
  return true
}

const isUrn = (id: string) => /^urn:/i.test(id)

/** The host that an identifier claims: that of an HTTPS URI or a did:web. A URN claims none (ADL section 17.3). */
export function claimedHost(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  try {
    const url = new URL(id.startsWith('did:') ? didWebUrl(id) : id)
    return url.protocol === 'https:' ? url.host : undefined
  } catch (error) {
    if (error instanceof TypeError || error instanceof KeyError) return undefined
    throw error
  }
}

/** Checks that the agent and its provider are the expected ones, and then what the key proves at all. */
export function checkIdentity(agent: Agent, expected: Expectation, keys: KeySet | undefined, steps: AdlSteps): void {
  const id = textIn(agent.root, 'id')
  if (expected.id === undefined) steps.skipped('id', 'no identifier is expected')
  else checkId(id, expected.id, steps)
  if (expected.provider === undefined) steps.skipped('provider', 'no provider is expected')
  else checkProvider(claimedHost(id), expected.provider.toLowerCase(), keys, steps)
  if (keys !== undefined) sayWhatTheKeyShows(claimedHost(id), keys, steps)
}

function checkId(id: string | undefined, expected: string, steps: AdlSteps): void {
  if (id !== expected) {
    const detail = `expected ${quoted(expected)}, found ${id === undefined ? 'no id' : quoted(id)}`
    steps.failed('id', detail, { rule: FINDINGS.IDENTITY_EXPECTED, pointer: '/id' })
  } else if (isUrn(id)) steps.warning('id', `${quoted(id)} is expected, but a URN is a name that anybody can take`)
  else steps.passed('id', `${quoted(id)} is expected`)
}

function checkProvider(claimed: string | undefined, expected: string, keys: KeySet | undefined, steps: AdlSteps): void {
  const wrong = [claimed, keys?.host].find((host) => host !== undefined && host !== expected)
  if (wrong !== undefined) {
    const pointer = wrong === claimed ? '/id' : '/cryptographic_identity/did'
    steps.failed('provider', `expected ${quoted(expected)}, found ${quoted(wrong)}`, {
      rule: FINDINGS.IDENTITY_EXPECTED,
      pointer,
    })
  } else if (keys?.origin === 'did:web') steps.passed('provider', `${expected} publishes the key`)
  else if (keys?.origin === 'pinned' && claimed !== undefined) {
    steps.passed('provider', `${expected}, by a key that the caller trusts`)
  } else {
    const remark = { rule: FINDINGS.IDENTITY_UNPROVEN, pointer: '/id' }
    steps.unknown('provider', `nothing shows that this is of ${quoted(expected)}`, remark)
  }
}

const INTEGRITY_ONLY =
  'integrity only: the key comes with the document, so this shows that nothing was changed since, not who signed it'

function sayWhatTheKeyShows(
  claimed: string | undefined,
  { origin, host, addressChecked }: KeySet,
  steps: AdlSteps,
): void {
  const data = { trust: origin === 'pinned' || origin === 'did:web' ? origin : 'none' }
  const unchecked = addressChecked === true ? '' : '; its address was not checked by this host'
  if (origin === 'pinned') steps.passed('identity', 'signed with a key that the caller trusts', data)
  else if (origin !== 'did:web') steps.warning('identity', INTEGRITY_ONLY, undefined, data)
  else if (claimed !== undefined && claimed !== host) {
    const detail = `${host} publishes the key, but the id is one of ${claimed}${unchecked}`
    steps.warning('identity', detail, undefined, data)
  } else steps.passed('identity', `${host} publishes the key${unchecked}`, data)
}

/** The parents of the members that signing writes must be objects, if present. */
export function placeFindings({ document, root, security }: Agent): Diagnostic[] {
  const places = [
    ['/security', valueIn(root, 'security')],
    ['/security/attestation', valueIn(security, 'attestation')],
    ['/cryptographic_identity', valueIn(root, 'cryptographic_identity')],
  ] as const
  return places.flatMap(([pointer, value]) => {
    if (value === undefined || isObject(value)) return []
    return [findingAt(document, FINDINGS.SIGNATURE_PLACE, pointer, `expected an object, found ${shown(value)}`)]
  })
}

/** Warns when verifiers would not find the signing key. */
export function keyFindings(agent: Agent, key: Key, algorithm: Algorithm, embedKey: boolean): Diagnostic[] {
  const { document, identity, attestation } = agent
  const own = valueIn(identity, 'public_key')
  if (own === undefined) {
    if (embedKey || textMember(identity, 'did') !== undefined) return []
    const detail = 'cryptographic_identity names neither a key nor a DID'
    return [
      findingAt(document, FINDINGS.SIGNATURE_UNNAMED_KEY, '/cryptographic_identity', detail, {
        fix: { hint: WAYS_TO_A_KEY },
      }),
    ]
  }
  const why = mismatch(agent, key, algorithm)
  if (why === undefined) return []
  // A third party signs with its own key, and those who trust it have that key.
  const severity: Severity = textIn(attestation, 'type') === 'third_party' ? 'warning' : 'error'
  const remarks = severity === 'error' ? { fix: { hint: WAYS_TO_ONE_KEY } } : {}
  return [
    ruleDiagnostic(
      document,
      FINDINGS.SIGNATURE_OTHER_KEY,
      severity,
      '/cryptographic_identity/public_key',
      why,
      remarks,
    ),
  ]
}

function mismatch({ identity }: Agent, key: Key, algorithm: Algorithm): string | undefined {
  const object = objectMember(identity, 'public_key')
  const name = textIn(object, 'algorithm')
  const value = textIn(object, 'value')
  if (value === undefined) return 'expected a public key with the texts algorithm and value, found none'
  if (name !== algorithm) return `expected algorithm ${algorithm}, found ${name === undefined ? 'none' : quoted(name)}`
  const other = 'expected the public half of the key that signs, found another key'
  return attempt(
    () => (isSameKey(readPublicKey(value), key) ? undefined : other),
    ({ message }) => `the key of the document cannot be read: ${message}`,
  )
}
