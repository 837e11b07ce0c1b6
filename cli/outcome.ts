import type { Lines } from '../bindings/document/diagnose.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import type { Kind } from '../bindings/kinds.ts'
import type { Limits } from './execute.ts'
import { EXIT, type ExitCode } from './usage.ts'
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

/** The outcome of a command. Its data were already written by `print`. */
export interface Outcome {
  readonly results: readonly Result[]
  /** The printed data as text, for reports that show them. */
  readonly printed?: string
  /** Lines for stderr at the end, unless quiet. */
  readonly notes?: readonly string[]
  /** Set by a command that has already masked confidential parts. */
  readonly isMasked?: true
  /** Limits from the configuration; the command line overrides them. */
  readonly limits?: Partial<Limits>
  /** Waits for a change that could alter the outcome; only with --watch. */
  readonly change?: Change
  /** An exit code in addition to the one for the diagnostics. */
  readonly exit?: ExitCode
  /** The reason for this exit code if no finding gives it; defaults to the last note. */
  readonly reason?: string
}

/** Returns the command's own reason for its exit code, if it set one. */
export function ownReason({ exit = EXIT.clean, reason, notes = [] }: Outcome): string | undefined {
  return exit === EXIT.clean ? undefined : (reason ?? notes.at(-1))
}

/** The lines of each file that diagnostics refer to. */
export type Sources = ReadonlyMap<string, Lines>

/** The result for a file that cannot be read or parsed. */
export function unreadable({ file, kind, diagnostics }: UnreadableFile): Result {
  return { file, kind: kind ?? null, valid: false, diagnostics }
}

interface UnreadableFile extends Pick<Result, 'file' | 'diagnostics'> {
  readonly kind?: Kind | undefined
}

/** A result that belongs to no file. */
export function answer(data: object): Result {
  return { file: null, kind: null, valid: true, diagnostics: [], ...data }
}

/** Waits for work on one of several files; one that cannot be read does not stop the others. */
export const orUnreadable = <Made>(work: Promise<Made>): Promise<Made | Unreadable> =>
  work.catch((error: unknown) => {
    if (error instanceof Unreadable) return error
    throw error
  })

/** Thrown when a command cannot continue without a file; execute.ts turns it into an outcome. */
export class Unreadable extends Error {
  readonly result: Result
  readonly exit: ExitCode

  /** @param exit the exit code, unless the findings imply it. */
  constructor(read: UnreadableFile, exit: ExitCode = EXIT.clean) {
    super(`${read.file} cannot be read`)
    this.result = unreadable(read)
    this.exit = exit
  }
}
