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

/** What verifying takes; those of another kind of document have no meaning for it. */
export interface VerifyOptions extends AdlOptions, CardOptions {
  /** What the document is; found out from its members when absent. */
  readonly as?: Kind
}

/**
 * Whether the signature of a document holds, step by step, by the rules of what it is: an agent definition (ADL section
 * 10.3), an Agent Card (section 3.2) or one of A2A (section 8.4). What is of no known kind is verified as a definition; of
 * what carries no signature of its own nothing is shown.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { keys: [publicKey] } })
 *
 * @throws {KeyError} for an expected key that is none, {TypeError} and {RangeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  const opened = open(source, options)
  const verifying = VERIFIED.find(({ kind }) => kind === (opened.kind ?? 'adl'))
  if (verifying !== undefined) return verifyParsed(verifying, opened, options)
  return unjudged(opened.document, refuseSignature(opened))
}
