import { parseAs } from '../frame/as.ts'
import { SIGNATURE_UNTRUSTED_KEY } from '../frame/findings.ts'
import type { Proof } from '../frame/proof.ts'
import {
  type VerifyOptions as FrameOptions,
  SIGN_AGAIN,
  SIGN_IT,
  type Verifying,
  type VerifyTask,
} from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { ASK_FOR_THE_KEY, byUntrusted } from '../frame/untrusted.ts'
import { describePayload, verifyParsed } from '../frame/verify.ts'
import { KeyError } from '../keys/error.ts'
import { fingerprint } from '../keys/fingerprint.ts'
import { isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { verifyBytes } from '../keys/verify.ts'
import type { ResolveOptions } from '../net/did.ts'
import { member } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { SIGNATURE_ABSENT, SIGNATURE_INVALID, SIGNATURE_UNSUPPORTED } from './findings.ts'
import { checkAttestation, checkDates, checkIdentity, checkUnsigned } from './signature/checks.ts'
import { findKeys, keyInside, NO_DEFINITION, ownKey, PUBLIC_KEY } from './signature/keys.ts'
import {
  type AdlSteps,
  payloadOf,
  readSignature,
  SIGNATURE,
  type SignatureObject,
  STEPS,
  type StepName,
} from './signature/signed.ts'
import { ADL_READING, type Agent } from './subject.ts'

export interface VerifyOptions extends FrameOptions {
  /** The time for all dates; defaults to the current time. */
  readonly now?: Date
  /** Options for resolving the document's DID. Without them nothing is fetched. */
  readonly resolve?: ResolveOptions
}

/** The verification of agent definitions. */
export const ADL_VERIFYING: Verifying<Agent, StepName> = {
  ...ADL_READING,
  steps: STEPS,
  expectOptions({ now }: VerifyOptions) {
    checkedNow(now)
  },
  async verify(agent, task: VerifyTask<VerifyOptions>, steps) {
    const { expect, pinned, subtle, options } = task
    const { now = new Date(), resolve } = options
    const payload = payloadOf(agent.document.bytes)
    await describePayload(payload, subtle, steps)
    if (!isSigned(agent)) {
      // Documents of an unknown kind are treated as definitions, and the remark tells what is missing.
      const remark = Object.hasOwn(agent.root.value, 'adl_spec')
        ? { pointer: SIGNATURE, fix: SIGN_IT }
        : { pointer: '', fix: { hint: NO_DEFINITION } }
      steps.unknown('signature', 'the document carries no signature', { rule: SIGNATURE_ABSENT, ...remark })
      checkUnsigned(agent, now, steps)
      checkIdentity(agent, expect, undefined, steps)
      if (pinned !== undefined) steps.open('identity', 'no key that the caller trusts signed it')
      return
    }
    const signature = await readSignature(agent, payload, subtle, steps)
    const keys = signature && (await findKeys(agent, signature.algorithm, { pinned, resolve }, steps))
    const key = keys && (await checkSignature(agent, signature!, { keys: keys.keys, pinned }, subtle, steps))
    checkDates(agent, now, steps)
    checkAttestation(agent, key !== undefined && isOwn(agent, key), steps)
    checkIdentity(agent, expect, key && keys, steps)
  },
}

/**
 * Verifies the signature of an agent definition, step by step (ADL sections 10.3, 18.1, 18.8, 18.11).
 *
 * `failed` means that something contradicts the signature. `unverifiable` means that it cannot be proven: there is no
 * signature or no key, or the algorithm is unknown. A key that comes with the document only proves that nothing was
 * changed since.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { provider: 'acme.example.com' }, resolve: {} })
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} and {RangeError} for invalid arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyParsed(ADL_VERIFYING, parseAs(ADL_READING, source, options), options)
}

/** True for a signature of any content: a document with a signature member counts as signed (ADL section 18.1). */
const isSigned = ({ attestation }: Agent) => member(attestation?.value, 'signature') !== undefined

/** The key that made the signature; undefined if no key of the set did. */
async function checkSignature(
  agent: Agent,
  { algorithm, value, message }: SignatureObject,
  { keys, pinned }: { readonly keys: readonly Key[]; readonly pinned: readonly Key[] | undefined },
  subtle: Subtle,
  steps: AdlSteps,
): Promise<Key | undefined> {
  try {
    for (const publicKey of keys) {
      const [valid, print] = await Promise.all([
        verifyBytes({ algorithm, publicKey, message, signature: value, subtle }),
        fingerprint(publicKey, { subtle }),
      ])
      if (!valid) continue
      steps.passed('signature', `valid, by the key with the thumbprint ${print}`, { fingerprint: print })
      return publicKey
    }
    const own = pinned && keyInside(agent)
    const words = own && (await byUntrusted(own, pinned, { algorithm, message, signature: value, subtle }))
    if (words !== undefined) {
      steps.failed('signature', words, { rule: SIGNATURE_UNTRUSTED_KEY, pointer: PUBLIC_KEY, fix: ASK_FOR_THE_KEY })
      return undefined
    }
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const remark = { rule: SIGNATURE_UNSUPPORTED, pointer: `${SIGNATURE}/algorithm` }
    steps.unknown('signature', error.message, remark)
    return undefined
  }
  const detail =
    keys.length === 0
      ? `you trust no key for ${algorithm}`
      : 'the document was changed after it was signed, or was signed with another key'
  steps.failed('signature', detail, { rule: SIGNATURE_INVALID, pointer: `${SIGNATURE}/value`, fix: SIGN_AGAIN })
  return undefined
}

/** True when the agent declares the key as its own. */
function isOwn(agent: Agent, key: Key): boolean {
  const own = ownKey(agent)
  return own !== undefined && isSameKey(own, key)
}
