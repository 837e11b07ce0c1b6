import { type SignOptions as AdlOptions, sign as signDefinition } from './adl/sign.ts'
import { type SignA2aOptions, signA2aCard } from './card/a2a/sign.ts'
import { type SignCardOptions, signCard } from './card/sign.ts'
import type { Document } from './document/document.ts'
import type { Kind } from './document/report.ts'
import type { Signed } from './document/signed.ts'
import type { KeySource } from './keys/read.ts'
import { open, signedKind } from './signed-kinds.ts'

/** What signing takes; those of another kind of document have no meaning for it. */
export interface SignOptions extends AdlOptions, SignCardOptions, SignA2aOptions {
  /** What the document is; found out from its members when absent. */
  readonly as?: Kind
}

/**
 * Signs a document by the rules of what it is: an agent definition (ADL section 10.3), an Agent Card (section 3.2) or
 * one of A2A (section 8.4).
 * What is of no known kind is signed as a definition.
 *
 * @example
 * const { bytes, diagnostics } = await sign(source, privateKey)
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for wrong arguments.
 */
export async function sign(
  source: Uint8Array | string | Document,
  key: KeySource,
  options: SignOptions = {},
): Promise<Signed> {
  const opened = open(source, options)
  const kind = signedKind(opened, options.as)
  if (kind === 'card') return signCard(opened, key, options)
  if (kind === 'a2a') return signA2aCard(opened, key, options)
  return signDefinition(opened, key, options)
}
