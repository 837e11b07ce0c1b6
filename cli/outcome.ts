import type { Lines } from '../bindings/document/lines.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import type { Kind } from '../bindings/kinds.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Limits } from './judge.ts'
import type { Change } from './validate/watching.ts'

/** The result of one document, as `--format json` writes it. Commands add members of their own. */
export interface Result {
  /** null for a result that belongs to no file. */
  readonly file: string | null
  readonly kind: string | null
  readonly valid: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly [data: string]: unknown
}

/** The outcome of a command, whose data `print` has written. */
export interface Outcome {
  readonly results: readonly Result[]
  /** Those data as text, for reports that show them. */
  readonly printed?: string
  /** Lines for stderr at the end, unless quiet. */
  readonly notes?: readonly string[]
  /** Set by a command that has hidden confidential parts itself, having the documents at hand. */
  readonly isMasked?: true
  /** The findings from which on to exit with 1, unless the command line sets them. */
  readonly limits?: Partial<Limits>
  /** Waits until the command would find something else; only where it is told to watch. */
  readonly change?: Change
  /** An exit code in addition to the one for the diagnostics. */
  readonly exit?: ExitCode
  /** The reason for it, where no finding says it; the last of the notes when absent. */
  readonly reason?: string
}

/** The reason that a command gives for the exit code that it gives. */
export function ownReason({ exit = EXIT.clean, reason, notes = [] }: Outcome): string | undefined {
  return exit === EXIT.clean ? undefined : (reason ?? notes.at(-1))
}

/** The lines of each file that a diagnostic may point into. */
export type Sources = ReadonlyMap<string, Lines>

/** The result for a file that cannot be read or understood. */
export function unreadable({ file, kind, diagnostics }: NotRead): Result {
  return { file, kind: kind ?? null, valid: false, diagnostics }
}

interface NotRead extends Pick<Result, 'file' | 'diagnostics'> {
  readonly kind?: Kind | undefined
}

/** A result that belongs to no file. */
export function answer(data: object): Result {
  return { file: null, kind: null, valid: true, diagnostics: [], ...data }
}

/** Thrown when a command cannot go on without a file; execute.ts turns it into an outcome. */
export class Unreadable extends Error {
  readonly result: Result

  constructor(read: NotRead) {
    super(`${read.file} cannot be read`)
    this.result = unreadable(read)
  }
}
