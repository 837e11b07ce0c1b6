import { bytesToHex } from '@noble/hashes/utils.js'
import type { ResolveOptions } from '../discover/did.ts'
import { member, objectMember, textMember } from '../document/members.ts'
import type { Proof } from '../document/proof.ts'
import { Steps, unreadable } from '../document/steps.ts'
import { shown } from '../document/words.ts'
import { KeyError } from '../keys/error.ts'
import { fingerprint } from '../keys/fingerprint.ts'
import { importKey } from '../keys/import.ts'
import { isSameKey, type Key } from '../keys/key.ts'
import { type PlatformOptions, type Subtle, subtleOf } from '../keys/platform.ts'
import { type KeySource, readPublicKey } from '../keys/read.ts'
import { verifyBytes } from '../keys/verify.ts'
import type { Agent } from './agent.ts'
import { openAgent, type Source } from './definition.ts'
import { checkAttestation, checkDates, checkUnsigned } from './signature/dates.ts'
import { invalidSignature, noSignature, unsupportedSignature } from './signature/findings.ts'
import { checkIdentity, type ExpectedIdentity } from './signature/identity.ts'
import { findKeys } from './signature/keys.ts'
import { payloadOf, readSignature, SIGNATURE, type SignatureObject } from './signature/signed.ts'
import { type AdlSteps, STEPS } from './signature/steps.ts'

/** What the caller knows beforehand. With `keys`, a signature with any other key fails. */
export interface Expected extends ExpectedIdentity {
  readonly keys?: readonly KeySource[]
}

export interface VerifyOptions extends PlatformOptions {
  /** What diagnostics call the document. */
  readonly file?: string
  /** The time that dates are judged by; the platform's when absent. */
  readonly now?: Date
  readonly expect?: Expected
  /** Whether, and how, the document's DID is resolved. Without it nothing is fetched. */
  readonly resolve?: ResolveOptions
}

/**
 * Whether the signature of an agent definition holds, step by step (ADL sections 10.3, 18.1, 18.8, 18.11).
 *
 * `failed` means that something speaks against it, `unverifiable` that it cannot be shown: no signature, no key, an
 * algorithm that is not known. A key that comes with the document shows only that nothing was changed since.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { provider: 'acme.example.com' }, resolve: {} })
 *
 * @throws {KeyError} for an expected key that is none, {TypeError} and {RangeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  const { now = new Date(), expect = {} } = options
  checkArguments(now, expect)
  const subtle = subtleOf(options)
  const pinned = expect.keys && (await Promise.all(expect.keys.map((key) => importKey(key, { subtle }))))
  const { agent, diagnostics } = openAgent(source, options.file)
  if (agent === undefined) return unreadable(diagnostics, STEPS.document)
  const steps = new Steps(agent.document, STEPS)
  const payload = payloadOf(agent)
  const sha256 = bytesToHex(new Uint8Array(await subtle.digest('SHA-256', payload)))
  steps.passed('canonical-form', `${payload.length} bytes, SHA-256 ${sha256}`, { bytes: payload.length, sha256 })
  if (!isSigned(agent)) {
    steps.unknown('signature', 'the document carries no signature', { rule: noSignature, pointer: SIGNATURE })
    checkUnsigned(agent, now, steps)
    checkIdentity(agent, expect, undefined, steps)
    return steps.proof()
  }
  const signature = await readSignature(agent, payload, subtle, steps)
  const keys = signature && (await findKeys(agent, signature.algorithm, { pinned, resolve: options.resolve }, steps))
  const key = keys && (await checkSignature(signature!, keys.keys, subtle, steps))
  checkDates(agent, now, steps)
  checkAttestation(agent, key !== undefined && isOwn(agent, key), steps)
  checkIdentity(agent, expect, key && keys, steps)
  return steps.proof()
}

function checkArguments(now: Date, { provider, id, keys }: Expected): void {
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now: expected a Date')
  if (id !== undefined && typeof id !== 'string') throw new TypeError(`expect.id: expected a string, got ${typeof id}`)
  if (keys !== undefined && !Array.isArray(keys)) throw new TypeError('expect.keys: expected an array of keys')
  if (provider === undefined) return
  if (typeof provider !== 'string') throw new TypeError(`expect.provider: expected a string, got ${typeof provider}`)
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(provider)) {
    throw new RangeError(`expect.provider: expected a domain such as acme.example.com, got ${shown(provider)}`)
  }
}

/** Whatever stands there: a document that says it is signed is one (ADL section 18.1). */
const isSigned = ({ attestation }: Agent) => member(attestation?.value, 'signature') !== undefined

/** The key that made the signature; undefined when none of them did. */
async function checkSignature(
  { algorithm, value, message }: SignatureObject,
  keys: readonly Key[],
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
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const remark = { rule: unsupportedSignature, pointer: `${SIGNATURE}/algorithm` }
    steps.unknown('signature', error.message, remark)
    return undefined
  }
  const detail = 'the document was changed after it was signed, or was signed with another key'
  steps.failed('signature', detail, { rule: invalidSignature, pointer: `${SIGNATURE}/value` })
  return undefined
}

/** Whether the agent calls the key its own. */
function isOwn({ identity }: Agent, key: Key): boolean {
  const value = textMember(objectMember(identity, 'public_key'), 'value')
  try {
    return value !== undefined && isSameKey(readPublicKey(value.value), key)
  } catch (error) {
    if (error instanceof KeyError) return false
    throw error
  }
}
