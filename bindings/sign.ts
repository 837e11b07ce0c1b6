import type { SignOptions as A2aOptions } from './a2a/signing.ts'
import type { SignOptions as AdlOptions } from './adl/signing.ts'
import { SIGNED } from './all-specifications.ts'
import type { SignOptions as CardOptions } from './card/signing.ts'
import { signOpened } from './frame/sign.ts'
import type { SignResult, Source } from './frame/source.ts'
import type { KeySource } from './keys/read.ts'
import type { Kind } from './kinds.ts'
import { open } from './verbs.ts'

export declare namespace sign {
  /** The options of signing; those of other kinds of documents are ignored. */
  interface Options extends AdlOptions, CardOptions, A2aOptions {
    /** The kind of the document; default: detected by its members. */
    readonly as?: Kind
  }
}

/**
 * Signs a document by the rules of its kind: an agent definition (ADL section 10.3), an Agent Card (section 3.2) or an
 * A2A card (section 8.4). Documents of an unknown kind are signed as definitions; kinds without signatures of their own
 * are refused. A document with an error is not signed; `force: true` signs it, with its errors as warnings.
 *
 * @example
 * const { bytes, diagnostics } = await sign(source, privateKey)
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for invalid arguments.
 */
export async function sign(source: Source, key: KeySource, options: sign.Options = {}): Promise<SignResult> {
  const opened = open(source, options)
  const signed = SIGNED.find(({ signing }) => signing.kind === (opened.kind ?? 'adl'))
  return signOpened(signed, opened, key, options)
}
