// The signing and verifying of a kind of documents. These stand beside the specification and not in it, so that verifying
// loads no rules, and checking loads no curves.
import type { Key } from '../keys/key.ts'
import type { PlatformOptions, Subtle } from '../keys/platform.ts'
import type { Expected } from './expected.ts'
import type { Signed } from './signed.ts'
import type { Steps, StepTable } from './steps.ts'
import type { Reading } from './subject.ts'

export interface SignOptions extends PlatformOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
}

export interface VerifyOptions extends PlatformOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
  readonly expect?: Expected
}

/** The inputs of a signature. */
export interface SignTask<Options extends SignOptions = SignOptions> {
  readonly key: Key
  readonly subtle: Subtle
  readonly options: Options
}

/** The inputs of a verification. */
export interface VerifyTask<Options extends VerifyOptions = VerifyOptions> {
  readonly expect: Expected
  /** Keys that the caller trusts for this document: no other counts then. */
  readonly pinned: readonly Key[] | undefined
  readonly subtle: Subtle
  readonly options: Options
}

export interface Signing<Subject = unknown> extends Reading<Subject> {
  /** Refuses options before anything is read. */
  expectOptions?(options: SignOptions): void
  sign(subject: Subject, task: SignTask): Promise<Signed>
}

export interface Verifying<Subject = unknown, Step extends string = string> extends Reading<Subject> {
  /** Every step that verifying can take; the first is that the document can be read. */
  readonly steps: StepTable<Step | 'document'>
  /** Refuses options before anything is read. */
  expectOptions?(options: VerifyOptions): void
  /** Takes its steps; the frame makes the proof of them. */
  verify(subject: Subject, task: VerifyTask, steps: Steps<Step>): Promise<void>
}

/** The ways out for who verifies what nobody signed, or what is not as it was signed. */
export const SIGN_IT = { hint: 'whoever wrote it signs it: blazon sign FILE --key KEY --out FILE' }
export const SIGN_AGAIN = {
  hint: 'take it from whoever signed it, as it was then; who changed it on purpose signs it again: blazon sign FILE --key KEY --out FILE',
}

/** The result when a document is not signed. */
export function unsigned(diagnostics: Signed['diagnostics']): Signed {
  return { document: undefined, bytes: undefined, diagnostics }
}
