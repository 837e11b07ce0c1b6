import type { VerifyOptions as AdlOptions } from './adl/signing.ts'
import { PROVED } from './all-provings.ts'
import { VERIFIED } from './all-specifications.ts'
import type { VerifyOptions as CardOptions } from './card/signing.ts'
import { kindOfName, kindProvedBy } from './frame/detect.ts'
import { type NeedValues, withGiven } from './frame/needs.ts'
import type { Proof, Source } from './frame/source.ts'
import { verifyOpened } from './frame/verify.ts'
import { formOf, type Kind } from './kinds.ts'
import { open } from './verbs.ts'

export declare namespace verify {
  /** The options of verifying; those of other kinds of documents are ignored. */
  interface Options extends AdlOptions, CardOptions {
    /** Files and values that the kind needs for its proof: `needsOf` lists them. */
    readonly given?: NeedValues
    /** The kind of the document; default: detected by its members. */
    readonly as?: Kind
  }
}

/**
 * Verifies the signature of a document step by step, by the rules of its kind: an agent definition (ADL section 10.3),
 * an Agent Card (section 3.2), an A2A card (section 8.4), a run or its stream, a container, a trace and so on. Documents
 * of an unknown kind are verified as definitions. For kinds that nothing proves the verdict is `unverifiable`.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { keys: [publicKey] } })
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} and {RangeError} for invalid arguments.
 */
export async function verify(source: Source, options: verify.Options = {}): Promise<Proof> {
  const { as, file } = options
  const isBytes = typeof source === 'string' || source instanceof Uint8Array
  const named = isBytes ? (as ?? kindProvedBy(file) ?? kindOfName(file)) : undefined
  // A proof reads lines itself: a document of all of them is not needed.
  if (named !== undefined && Object.hasOwn(PROVED, named) && formOf(named) === 'lines') {
    const proving = await PROVED[named]!()
    return proving.prove(source, await withGiven(proving, options))
  }
  const opened = open(source, options)
  const kind = opened.kind ?? kindProvedBy(file, opened.document?.value) ?? 'adl'
  const by = VERIFIED.find((one) => one.kind === kind) ?? (await PROVED[kind]?.())
  return verifyOpened(by, opened, await withGiven(by, options))
}
