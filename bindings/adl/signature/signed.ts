// Reads the signature object of ADL section 10.3, and the bytes that it covers.
import { canonicalizeWithout } from '../../core/json.ts'
import { SIGN_AGAIN } from '../../frame/signing.ts'
import type { Steps } from '../../frame/steps.ts'
import { attempt, readBase64url } from '../../keys/base64.ts'
import { type Algorithm, checkAlgorithm } from '../../keys/key.ts'
import type { Subtle } from '../../keys/platform.ts'
import { sameBytes } from '../../text/bytes.ts'
import { type JsonObject, member, objectMember, valueIn } from '../../text/members.ts'
import { oneOf, shown } from '../../text/words.ts'
import { SIGNATURE_INVALID, SIGNATURE_STRAY_DIGEST, SIGNATURE_UNSUPPORTED } from '../findings.ts'
import type { Agent } from '../subject.ts'

/** Every step of verification: its title and the section that requires it. */
export const STEPS = {
  document: ['The document can be read', 'ADL 4.1'],
  'canonical-form': ['Canonical form without the signature', 'ADL 10.3, RFC 8785'],
  algorithm: ['Algorithm', 'ADL 10.3'],
  digest: ['Digest', 'ADL 10.3'],
  key: ['Where the key comes from', 'ADL 10.3'],
  strength: ['Strength of the key', 'ADL 6.3'],
  signature: ['Signature', 'ADL 18.1'],
  issued: ['Date of issue', 'ADL 10.3'],
  expiry: ['Date of expiry', 'ADL 10.3'],
  attestation: ['Kind of attestation', 'ADL 10.3'],
  id: ['Identifier', 'ADL 17.3'],
  provider: ['Provider', 'ADL 18.11'],
  identity: ['What the key shows', 'ADL 18.11'],
} as const

export type StepName = keyof typeof STEPS

export type AdlSteps = Steps<StepName>

export const SIGNATURE = '/security/attestation/signature'

/** The hash functions of digest mode. */
export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512'
export const DIGESTS: readonly string[] = ['SHA-256', 'SHA-384', 'SHA-512']

/**
 * Everything of the document except the signature, in canonical form. Made from the bytes, never from parsed values.
 */
export function payloadOf(json: Uint8Array): Uint8Array<ArrayBuffer> {
  // The document was read with its own depth limit.
  return canonicalizeWithout(json, [SIGNATURE], { maxDepth: 0xffffffff }).payload
}

export interface SignatureObject {
  readonly algorithm: Algorithm
  readonly value: Uint8Array<ArrayBuffer>
  /** The bytes that the key signed. */
  readonly message: Uint8Array<ArrayBuffer>
}

/** Takes the steps `algorithm` and `digest`; returns undefined when verification cannot continue. */
export async function readSignature(
  agent: Agent,
  payload: Uint8Array<ArrayBuffer>,
  subtle: Subtle,
  steps: AdlSteps,
): Promise<SignatureObject | undefined> {
  const object = objectMember(agent.attestation, 'signature')?.value
  if (object === undefined) {
    const found = shown(valueIn(agent.attestation, 'signature'))
    return steps.failed('algorithm', `expected an object, found ${found}`, {
      rule: SIGNATURE_INVALID,
      pointer: SIGNATURE,
      fix: SIGN_AGAIN,
    })
  }
  const algorithm = readAlgorithm(object, steps)
  if (algorithm === undefined) return undefined
  const value = readBytes(object, 'value')
  if (value === undefined) {
    const remark = { rule: SIGNATURE_INVALID, pointer: `${SIGNATURE}/value`, fix: SIGN_AGAIN }
    return steps.failed(
      'signature',
      `expected base64url without padding, found ${shown(member(object, 'value'))}`,
      remark,
    )
  }
  const message = await readMessage(object, payload, subtle, steps)
  return message && { algorithm, value, message }
}

function readAlgorithm(object: JsonObject, steps: AdlSteps): Algorithm | undefined {
  const name = member(object, 'algorithm')
  if (typeof name !== 'string') {
    const detail = `expected the name of an algorithm, found ${shown(name)}`
    return steps.failed('algorithm', detail, { rule: SIGNATURE_INVALID, pointer: SIGNATURE, fix: SIGN_AGAIN })
  }
  const remark = { rule: SIGNATURE_UNSUPPORTED, pointer: `${SIGNATURE}/algorithm` }
  const algorithm = attempt(
    () => checkAlgorithm(name),
    ({ message }) => steps.unknown('algorithm', message, remark),
  )
  if (algorithm !== undefined) steps.passed('algorithm', algorithm, { algorithm })
  return algorithm
}

async function readMessage(
  object: JsonObject,
  payload: Uint8Array<ArrayBuffer>,
  subtle: Subtle,
  steps: AdlSteps,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const content = member(object, 'signed_content')
  if (content === 'canonical') {
    await checkStray(object, payload, subtle, steps)
    return payload
  }
  if (content !== 'digest') {
    const remark = { rule: SIGNATURE_INVALID, pointer: `${SIGNATURE}/signed_content`, fix: SIGN_AGAIN }
    return steps.failed('digest', `expected signed_content canonical or digest, found ${shown(content)}`, remark)
  }
  const name = member(object, 'digest_algorithm')
  if (typeof name !== 'string' || !DIGESTS.includes(name)) {
    const remark = { rule: SIGNATURE_UNSUPPORTED, pointer: `${SIGNATURE}/digest_algorithm` }
    return steps.unknown('digest', `expected ${oneOf(DIGESTS)}, found ${shown(name)}`, remark)
  }
  const digest = new Uint8Array(await subtle.digest(name, payload))
  if (!isStated(object, digest)) {
    const remark = { rule: SIGNATURE_INVALID, pointer: `${SIGNATURE}/digest_value`, fix: SIGN_AGAIN }
    return steps.failed('digest', `the ${name} of the canonical form is not what digest_value says`, remark)
  }
  steps.passed('digest', `the ${name} of the canonical form is what digest_value says`, { algorithm: name })
  return digest
}

/**
 * Checks a digest next to a signature of the canonical form. The signature doesn't cover it and nothing depends on it,
 * so a wrong digest is only a warning.
 */
async function checkStray(
  object: JsonObject,
  payload: Uint8Array<ArrayBuffer>,
  subtle: Subtle,
  steps: AdlSteps,
): Promise<void> {
  const signed = 'the canonical form itself is signed'
  const name = member(object, 'digest_algorithm')
  if (member(object, 'digest_value') === undefined && name === undefined) {
    steps.skipped('digest', signed)
    return
  }
  const remark = { rule: SIGNATURE_STRAY_DIGEST, pointer: `${SIGNATURE}/digest_value` }
  if (typeof name !== 'string' || !DIGESTS.includes(name)) {
    const detail = `${signed}, and it has a digest of an unknown algorithm: expected ${oneOf(DIGESTS)}, found ${shown(name)}`
    steps.warning('digest', detail, remark)
  } else if (isStated(object, new Uint8Array(await subtle.digest(name, payload)))) {
    steps.passed('digest', `${signed}, and its ${name} is what digest_value says`, { algorithm: name })
  } else steps.warning('digest', `${signed}, but its ${name} is not what digest_value says`, remark)
}

function isStated(object: JsonObject, digest: Uint8Array): boolean {
  const stated = readBytes(object, 'digest_value')
  return stated !== undefined && sameBytes(stated, digest)
}

function readBytes(object: JsonObject, name: string): Uint8Array<ArrayBuffer> | undefined {
  return readBase64url(member(object, name))
}
