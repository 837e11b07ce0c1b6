import type { SignOptions } from '../../frame/signing.ts'
import type { Proof, SignResult, Source, ValidationReport } from '../../frame/source.ts'
import { signAs, type ValidateOptions, validateAs, verifyAs } from '../../frame/verbs.ts'
import type { KeySource } from '../../keys/read.ts'
import { INVITE_SIGNING, INVITE_VERIFYING, type VerifyOptions } from './signing.ts'
import { INVITE } from './specification.ts'

/**
 * Validates an invitation: its syntax, its members, and every rule of section 8.3.1.
 *
 * @example
 * validate('{"protocol": "ADP/1.1", "invite": {}}').valid // false
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a document.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(INVITE, source, options)
}

/**
 * Signs an invitation with the key of the inviting agent.
 *
 * @example
 * const { bytes, diagnostics } = await sign(invitation, privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is not for Ed25519, {TypeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signAs({ signing: INVITE_SIGNING, specification: INVITE }, source, key, options)
}

/**
 * Verifies an invitation step by step: its agent, its expiry, and its signature by a key that the caller knows.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { id: 'agent:alice.example.com', keys: [alice] } })
 *
 * @throws {KeyError} for an invalid expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyAs(INVITE_VERIFYING, source, options)
}
