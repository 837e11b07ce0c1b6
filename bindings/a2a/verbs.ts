import type { Proof, SignResult, Source, ValidationReport } from '../frame/source.ts'
import { signAs, type ValidateOptions, validateAs, verifyAs } from '../frame/verbs.ts'
import type { KeySource } from '../keys/read.ts'
import { A2A_SIGNING, A2A_VERIFYING, type SignOptions, type VerifyOptions } from './signing.ts'
import { A2A } from './specification.ts'

export declare namespace validate {
  type Options = ValidateOptions
}

/**
 * Validates an Agent Card of A2A 1.0 or 0.3: its schema and the other rules of the specification. A card with
 * `supportedInterfaces` counts as 1.0.
 *
 * @example
 * validate('{"supportedInterfaces": []}').diagnostics[0].code // 'CARD-180'
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a card.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(A2A, source, options)
}

export declare namespace sign {
  type Options = SignOptions
}

/**
 * Signs an A2A Agent Card (section 8.4). Adds JWS signatures (RFC 7515) with detached payload over its canonical form
 * to `signatures`. Existing signatures stay, except those with the same `kid`. A card with an error is not signed, unless by `force`.
 *
 * @example
 * const { bytes, diagnostics } = await sign(card, privateKey, { kid: 'key-1' })
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signAs({ signing: A2A_SIGNING, specification: A2A }, source, key, options)
}

export declare namespace verify {
  type Options = VerifyOptions
}

/**
 * Verifies the signatures of an A2A card, step by step (section 8.4.3). One valid signature is enough. Keys come only
 * from the caller: the URL of keys in the header (`jku`) is neither fetched nor trusted.
 *
 * Signers remove different members before they sign. The proof names the rules under which the signature is valid, and
 * the members that it does not cover under them.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { keys: [publicKey] } })
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyAs(A2A_VERIFYING, source, options)
}
