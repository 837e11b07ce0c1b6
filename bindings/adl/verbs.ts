import type { read } from '../document/read.ts'
import type { Proof, SignResult, Source, ValidationReport } from '../frame/source.ts'
import { signAs, validateAs, verifyAs } from '../frame/verbs.ts'
import type { KeySource } from '../keys/read.ts'
import { ADL_SIGNING, ADL_VERIFYING, type SignOptions, type VerifyOptions } from './signing.ts'
import { ADL, type CheckOptions } from './specification.ts'

export declare namespace validate {
  interface Options extends CheckOptions, Pick<read.Options, 'file' | 'format'> {}
}

/**
 * Checks an agent definition: its syntax, the schema, and every rule of ADL 0.1.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').diagnostics[0].code // 'ADL-1003'
 *
 * @throws {TypeError} or {RangeError} for invalid arguments; never for the content of a document.
 */
export function validate(source: Source, options: validate.Options = {}): ValidationReport {
  return validateAs(ADL, source, options)
}

export declare namespace sign {
  type Options = SignOptions
}

/**
 * Signs an agent definition (ADL section 10.3): the canonical form of everything except the signature itself.
 * A definition with an error is not signed, unless by `force`.
 *
 * @example
 * const { bytes, diagnostics } = await sign(source, privateKey, { embedKey: true })
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for invalid arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signAs({ signing: ADL_SIGNING, specification: ADL }, source, key, options)
}

export declare namespace verify {
  type Options = VerifyOptions
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
  return verifyAs(ADL_VERIFYING, source, options)
}
