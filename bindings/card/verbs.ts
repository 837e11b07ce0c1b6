import type { Proof, SignResult, Source, ValidationReport } from '../frame/source.ts'
import { signAs, type ValidateOptions, validateAs, verifyAs } from '../frame/verbs.ts'
import type { KeySource } from '../keys/read.ts'
import { CARD_SIGNING, CARD_VERIFYING, type SignOptions, type VerifyOptions } from './signing.ts'
import { AGENT_CARD } from './specification.ts'

export declare namespace validate {
  type Options = ValidateOptions
}

/**
 * Validates an Agent Card: its syntax, its members, and every rule of draft-song-anp-adp-00.
 *
 * @example
 * validate('{"id": "agent://scout", "name": "Scout"}').valid // true
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a card.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(AGENT_CARD, source, options)
}

export declare namespace sign {
  type Options = SignOptions
}

/**
 * Signs an Agent Card with an Ed25519 key (section 3.2). The signature covers the canonical form of everything except
 * itself.
 *
 * Each seq stands for one content. A card whose signature covers other content is refused: `update` raises its seq. A
 * card with an error is not signed, unless by `force`.
 *
 * @example
 * const { bytes, diagnostics } = await sign('{"id": "agent://scout", "name": "Scout", "seq": 1}', privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is not for Ed25519, {TypeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signAs({ signing: CARD_SIGNING, specification: AGENT_CARD }, source, key, options)
}

export declare namespace verify {
  type Options = VerifyOptions
}

/**
 * Verifies the signature of an Agent Card, step by step (section 3.2).
 *
 * `failed` means that there is evidence against the card: discard it. `unverifiable` means that its owner cannot be
 * proved: the card has no signature or is only a part, there is no key, or the key comes from the card itself.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { resolver: (id) => pinned.get(id) })
 *
 * @throws {KeyError} for an expected key that is malformed, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyAs(CARD_VERIFYING, source, options)
}
