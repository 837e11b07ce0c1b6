import type { SignOptions, VerifyOptions } from '../frame/signing.ts'
import type { Proof, SignResult, Source, ValidationReport } from '../frame/source.ts'
import { signAs, type ValidateOptions, validateAs, verifyAs } from '../frame/verbs.ts'
import type { KeySource } from '../keys/read.ts'
import { METADATA_SIGNING, METADATA_VERIFYING } from './signing.ts'
import { METADATA } from './specification.ts'

export declare namespace validate {
  type Options = ValidateOptions
}

/**
 * Validates the metadata of an agent: its syntax, its members, and every rule of draft-pro-adp-agent-discovery-02.
 *
 * @example
 * validate('{"protocol": "ADP/1.1"}').valid // false
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a document.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(METADATA, source, options)
}

export declare namespace sign {
  type Options = SignOptions
}

/**
 * Signs the metadata of an agent with its Ed25519 key: the canonical form of everything except the proof (section
 * 6.3.2).
 *
 * @example
 * const { bytes, diagnostics } = await sign(metadata, privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is not for Ed25519, {TypeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signAs({ signing: METADATA_SIGNING, specification: METADATA }, source, key, options)
}

export declare namespace verify {
  type Options = VerifyOptions
}

/**
 * Verifies the metadata of an agent step by step: its key, the fingerprint and the proof. The key comes with the
 * document, so without a key that the caller knows, the verdict is at best `unverifiable`.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { id: 'agent:alice.example.com', keys: [alice] } })
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyAs(METADATA_VERIFYING, source, options)
}
