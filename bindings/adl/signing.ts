import { inJson, insertValues, type Values, withValues } from '../document/edit.ts'
import type { Diagnostic } from '../document/types.ts'
import { SIGNATURE_UNTRUSTED_KEY } from '../frame/findings.ts'
import { ASK_FOR_THE_KEY, byUntrusted, MOST_FINDINGS, unsafeIntegers } from '../frame/integers.ts'
import {
  type SignOptions as FrameSignOptions,
  type VerifyOptions as FrameVerifyOptions,
  SIGN_AGAIN,
  SIGN_IT,
  type Signing,
  type SignTask,
  unsigned,
  type Verifying,
  type VerifyTask,
} from '../frame/signing.ts'
import { findingAt } from '../frame/subject.ts'
import { describePayload } from '../frame/verify.ts'
import { encodeBase64url, KeyError } from '../keys/base64.ts'
import { fingerprint } from '../keys/export.ts'
import { type Algorithm, checkAlgorithm, isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { signBytes } from '../keys/sign.ts'
import { verifyBytes } from '../keys/verify.ts'
import type { resolveDidWeb } from '../net/did.ts'
import { textIn, valueIn } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { SIGNATURE_ABSENT, SIGNATURE_INTEGER, SIGNATURE_INVALID, SIGNATURE_UNSUPPORTED } from './findings.ts'
import { floatSigned, reportFractions } from './rules/identifiers.ts'
import {
  checkAttestation,
  checkDates,
  checkIdentity,
  checkUnsigned,
  keyFindings,
  placeFindings,
} from './signature/checks.ts'
import { findKeys, keyInside, NO_DEFINITION, ownKey, PUBLIC_KEY, publicKeyMember } from './signature/keys.ts'
import {
  type AdlSteps,
  DIGESTS,
  type DigestAlgorithm,
  payloadOf,
  readSignature,
  SIGNATURE,
  type SignatureObject,
  STEPS,
  type StepName,
} from './signature/signed.ts'
import { ADL_READING, type Agent } from './subject.ts'

export interface SignOptions extends FrameSignOptions {
  /** Defaults to the algorithm of the key; for RSA, to the one that the document declares, or PS256. */
  readonly algorithm?: Algorithm
  /** What the key signs: the canonical form (default), or its digest. */
  readonly mode?: 'canonical' | 'digest'
  /** Default SHA-256. */
  readonly digestAlgorithm?: DigestAlgorithm
  /**
   * Writes the public key into a document without one before signing it, so that a DID document can be made from it.
   */
  readonly embedKey?: boolean
}

/** The signing of agent definitions. */
export const ADL_SIGNING: Signing<Agent> = {
  ...ADL_READING,
  expectOptions({ mode, digestAlgorithm }: SignOptions) {
    if (mode !== undefined && mode !== 'canonical' && mode !== 'digest') {
      throw new RangeError(`mode: expected canonical or digest, got ${String(mode)}`)
    }
    if (digestAlgorithm !== undefined && !DIGESTS.includes(digestAlgorithm)) {
      throw new RangeError(`digestAlgorithm: expected ${DIGESTS.join(', ')}, got ${String(digestAlgorithm)}`)
    }
  },
  async sign(agent, { key, subtle, options }: SignTask<SignOptions>) {
    const { mode = 'canonical', digestAlgorithm = 'SHA-256' } = options
    const { document } = agent
    const algorithm = checkAlgorithm(options.algorithm ?? declaredAlgorithm(agent, key) ?? key.algorithms.at(-1))
    const embedKey = options.embedKey === true && !namesKey(agent)
    const findings = [
      ...placeFindings(agent),
      ...unsafeIntegers(document, SIGNATURE_INTEGER),
      ...keyFindings(agent, key, algorithm, embedKey),
    ]
    if (findings.some(({ severity }) => severity === 'error')) return unsigned(findings)
    const json = inJson(document)
    const named: Values = embedKey ? [[PUBLIC_KEY, await publicKeyMember(key, algorithm)]] : []
    // Adds an empty signature, so that all its parent objects exist; the payload leaves out only the signature itself.
    const payload = payloadOf(insertValues(json, [...named, [SIGNATURE, {}]])!)
    const digest = mode === 'digest' ? new Uint8Array(await subtle.digest(digestAlgorithm, payload)) : undefined
    const value = await signBytes({ algorithm, privateKey: key, message: digest ?? payload, subtle })
    const signature = {
      algorithm,
      value: encodeBase64url(value),
      signed_content: mode,
      ...(digest !== undefined && { digest_algorithm: digestAlgorithm, digest_value: encodeBase64url(digest) }),
    }
    const signed = withValues(json, [...named, [SIGNATURE, signature]])
    return { document: signed, bytes: signed.bytes, diagnostics: [...findings, ...fractionFindings(agent)] }
  },
}

/** The algorithm that the document declares for its key. Only RSA keys have a choice. */
function declaredAlgorithm({ identity }: Agent, key: Key): Algorithm | undefined {
  const name = textIn(identity, 'public_key', 'algorithm')
  return key.algorithms.find((algorithm) => algorithm === name)
}

const namesKey = ({ identity }: Agent) => valueIn(identity, 'public_key') !== undefined

/** Programs that do not follow RFC 8785 write fractions in different ways (ADL section 18.8). */
function fractionFindings({ document, root }: Agent): Diagnostic[] {
  const findings: Diagnostic[] = []
  reportFractions(root.value, '', (pointer, detail) => {
    if (findings.length === MOST_FINDINGS) return
    findings.push(findingAt(document, floatSigned, pointer, detail))
  })
  return findings
}

export interface VerifyOptions extends FrameVerifyOptions {
  /** The time for all dates; defaults to the current time. */
  readonly now?: Date
  /** Options for resolving the document's DID. Without them nothing is fetched. */
  readonly resolve?: resolveDidWeb.Options
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

/** True for a signature of any content: a document with a signature member counts as signed (ADL section 18.1). */
const isSigned = ({ attestation }: Agent) => valueIn(attestation, 'signature') !== undefined

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
    if (words !== undefined)
      return steps.failed('signature', words, {
        rule: SIGNATURE_UNTRUSTED_KEY,
        pointer: PUBLIC_KEY,
        fix: ASK_FOR_THE_KEY,
      })
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const remark = { rule: SIGNATURE_UNSUPPORTED, pointer: `${SIGNATURE}/algorithm` }
    return steps.unknown('signature', error.message, remark)
  }
  const detail =
    keys.length === 0
      ? `you trust no key for ${algorithm}`
      : 'the document was changed after it was signed, or was signed with another key'
  return steps.failed('signature', detail, { rule: SIGNATURE_INVALID, pointer: `${SIGNATURE}/value`, fix: SIGN_AGAIN })
}

/** True when the agent declares the key as its own. */
function isOwn(agent: Agent, key: Key): boolean {
  const own = ownKey(agent)
  return own !== undefined && isSameKey(own, key)
}
