import type { Diagnostic, Lines } from '../bindings/document/index.ts'
import type { Arguments } from './arguments.ts'
import type { ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import type { Limits } from './judge.ts'
import type { Reader } from './reader.ts'

/** What one document came to, as `--format json` writes it. Commands add members of their own. */
export interface Result {
  /** undefined for what came from no file. */
  readonly file: string | null
  readonly kind: string | null
  readonly valid: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly [data: string]: unknown
}

/** What a command is given. */
export interface Context extends Arguments {
  readonly host: Host
  readonly reader: Reader
}

/** What a command comes to. It writes nothing itself: reports differ in what they show of this. */
export interface Outcome {
  readonly results: readonly Result[]
  /** What goes to stdout when no report was asked for. */
  readonly output: readonly (string | Uint8Array)[]
  /** What is said on stderr at the end, unless quiet. */
  readonly notes?: readonly string[]
  /** What is confidential is hidden already: by a command that has the documents at hand, and need not read them again. */
  readonly isMasked?: true
  /** From which findings on to exit with 1, where the command line does not say. */
  readonly limits?: Partial<Limits>
  /** What the exit code is besides what diagnostics make of it. */
  readonly exit?: ExitCode
}

export type Run = (context: Context) => Outcome | Promise<Outcome>

/** The lines of each file that a diagnostic may point into. */
export type Sources = ReadonlyMap<string, Lines>
