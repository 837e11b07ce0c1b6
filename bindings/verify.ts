import { type VerifyOptions as AdlOptions, type Expected, verify as verifyDefinition } from './adl/verify.ts'
import { verifyA2aCard } from './card/a2a/verify.ts'
import { type VerifyCardOptions, verifyCard } from './card/verify.ts'
import type { Document } from './document/document.ts'
import type { Proof } from './document/proof.ts'
import type { Kind } from './document/report.ts'
import { open, signedKind } from './signed-kinds.ts'

/** What verifying takes; those of another kind of document have no meaning for it. */
export interface VerifyOptions extends AdlOptions, Omit<VerifyCardOptions, 'expect'> {
  /** What the document is; found out from its members when absent. */
  readonly as?: Kind
  readonly expect?: Expected
}

/**
 * Whether the signature of a document holds, step by step, by the rules of what it is: an agent definition (ADL section
 * 10.3), an Agent Card (section 3.2) or one of A2A (section 8.4). What is of no known kind is verified as a definition.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { keys: [publicKey] } })
 *
 * @throws {KeyError} for an expected key that is none, {TypeError} and {RangeError} for wrong arguments.
 */
export async function verify(source: Uint8Array | string | Document, options: VerifyOptions = {}): Promise<Proof> {
  const opened = open(source, options)
  const kind = signedKind(opened, options.as)
  if (kind === 'card') return verifyCard(opened, options)
  if (kind === 'a2a') return verifyA2aCard(opened, options)
  return verifyDefinition(opened, options)
}
