import type { VerifyOptions as AdlOptions } from './adl/signing.ts'
import { VERIFIED } from './all-specifications.ts'
import type { VerifyOptions as CardOptions } from './card/signing.ts'
import type { Proof, Source } from './frame/source.ts'
import { verifyOpened } from './frame/verify.ts'
import type { Kind } from './kinds.ts'
import { open } from './open.ts'

/** The options of verifying; those of other kinds of documents are ignored. */
export interface VerifyOptions extends AdlOptions, CardOptions {
  /** The kind of the document; default: detected by its members. */
  readonly as?: Kind
}

/**
 * Verifies the signature of a document step by step, by the rules of its kind: an agent definition (ADL section 10.3),
 * an Agent Card (section 3.2) or an A2A card (section 8.4). Documents of an unknown kind are verified as definitions.
 * For kinds without signatures of their own the verdict is `unverifiable`; for traces, use `verify` of blazon/discover.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { keys: [publicKey] } })
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} and {RangeError} for invalid arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  const opened = open(source, options)
  const verifying = VERIFIED.find(({ kind }) => kind === (opened.kind ?? 'adl'))
  return verifyOpened(verifying, opened, options)
}
