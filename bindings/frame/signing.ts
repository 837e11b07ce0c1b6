// How a kind of documents is signed and verified. Kept apart from the specification, so that verifying loads no rules
// and checking loads no curves.

import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Key } from '../keys/key.ts'
import type { PlatformOptions, Subtle } from '../keys/platform.ts'
import type { Kind } from '../kinds.ts'
import type { NeedValues } from './needs.ts'
import type { Expectation, Proof, SignResult, Source } from './source.ts'
import type { Steps, StepTable } from './steps.ts'
import type { Reading } from './subject.ts'

export interface SignOptions extends PlatformOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
  /** Signs an invalid document all the same. Its errors are then warnings of the result. */
  readonly force?: boolean
}

export interface VerifyOptions extends PlatformOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
  readonly expect?: Expectation
}

/** The inputs of a signature. */
export interface SignTask<Options extends SignOptions = SignOptions> {
  readonly key: Key
  readonly subtle: Subtle
  readonly options: Options
}

/** The inputs of a verification. */
export interface VerifyTask<Options extends VerifyOptions = VerifyOptions> {
  readonly expect: Expectation
  /** The only keys that the caller trusts for this document; undefined when it set none. */
  readonly pinned: readonly Key[] | undefined
  readonly subtle: Subtle
  readonly options: Options
}

export interface Signing<Subject = unknown> extends Reading<Subject> {
  /** Refuses invalid options before the document is read. */
  expectOptions?(options: SignOptions): void
  sign(subject: Subject, task: SignTask): Promise<SignResult>
}

/** Makes options of what was given for the needs of the kind. */
interface WithNeeds {
  /** @throws {NeedError} for something that cannot be used. */
  optionsOf?(given: NeedValues): VerifyOptions | Promise<VerifyOptions>
}

export interface Verifying<Subject = unknown, Step extends string = string> extends Reading<Subject>, WithNeeds {
  /** Every step that verifying can take; the first one is reading the document. */
  readonly steps: StepTable<Step | 'document'>
  /** Refuses invalid options before the document is read. */
  expectOptions?(options: VerifyOptions): void
  /** Runs the steps; the frame builds the proof from them. */
  verify(subject: Subject, task: VerifyTask, steps: Steps<Step>): Promise<void>
}

/** A source, or its bytes as they arrive. */
export type ProofSource = Source | AsyncIterable<Uint8Array>

/** Verifying that reads the source and makes the proof itself. */
export interface Proving extends WithNeeds {
  readonly kind: Kind
  prove(source: ProofSource, options: VerifyOptions): Promise<Proof>
}

/** Compares a document that was verified with what was given; each finding is a difference. */
export type Comparing = (document: Document, proof: Proof, given: NeedValues) => Promise<readonly Diagnostic[]>

/** Hints for documents that are unsigned, or were changed after they were signed. */
export const SIGN_IT = { hint: 'its author signs it: blazon sign FILE --key KEY --out FILE' }
export const SIGN_AGAIN = {
  hint: 'get the original from its signer; after an intended change, sign it again: blazon sign FILE --key KEY --out FILE',
}

/** The result when a document could not be signed. */
export function unsigned(diagnostics: SignResult['diagnostics']): SignResult {
  return { document: undefined, bytes: undefined, diagnostics }
}
