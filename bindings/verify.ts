import type { VerifyOptions as AdlOptions } from './adl/verify.ts'
import type { VerifyOptions as CardOptions } from './card/verify.ts'
import type { Proof } from './frame/proof.ts'
import { refuseSignature } from './frame/refuse.ts'
import type { Source } from './frame/source.ts'
import { unjudged } from './frame/steps.ts'
import { verifyParsed } from './frame/verify.ts'
import type { Kind } from './kinds.ts'
import { open } from './open.ts'
import { VERIFIED } from './specifications.ts'

/** The options of verifying; those of another kind of document have no effect. */
export interface VerifyOptions extends AdlOptions, CardOptions {
  /** The kind of the document; told by its members when absent. */
  readonly as?: Kind
}

/**
 * Verifies the signature of a document, step by step, by the rules of its kind: an agent definition (ADL section 10.3), an
 * Agent Card (section 3.2) or one of A2A (section 8.4). A document of no known kind is verified as a definition; for one of
 * a kind that carries no signature of its own, the verdict stays open; `verify` of blazon/discover judges traces.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { keys: [publicKey] } })
 *
 * @throws {KeyError} for an expected key that is malformed, {TypeError} and {RangeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  const opened = open(source, options)
  const verifying = VERIFIED.find(({ kind }) => kind === (opened.kind ?? 'adl'))
  if (verifying !== undefined) return verifyParsed(verifying, opened, options)
  return unjudged(opened.document, refuseSignature(opened))
}
