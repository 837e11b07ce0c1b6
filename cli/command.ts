import type { Lines } from '../bindings/document/diagnose.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import type { Kind } from '../bindings/kinds.ts'
import { suggest } from '../bindings/text/words.ts'
import type { Limits } from './execute.ts'
import type { Host } from './host.ts'
import type { Reader } from './reader.ts'
import type { Arguments } from './run.ts'
import type { Change } from './validate/watching.ts'

export interface Tools {
  readonly host: Host
  readonly reader: Reader
  /** Writes data to stdout at once; writes nothing when a report goes there. */
  print(...chunks: readonly (string | Uint8Array)[]): void
  /** Announces the next action on stderr, unless quiet. */
  say(line: string): void
  /** Writes a line about a finished step to stderr with --verbose. */
  note(line: string): void
}

export interface Context<Own extends Options = NoOptions> extends Arguments<Own>, Tools {}

/** A command: its options and its action. commands.ts has its name and its place, help.json its help. */
export interface Command<Own extends Options = NoOptions> {
  readonly options: Own
  /** The valid operands of commands with only a few, for completion; empty if the command takes no operands. */
  readonly operands?: readonly string[]
  run(context: Context<Own>): Outcome | Promise<Outcome>
}

/** Returns the command unchanged: `run` gets its options with the types of their declarations. */
export function defineCommand<const Own extends Options>(command: Command<Own>): Command<Own> {
  return command
}

// The options that commands declare, and the types of their values.

export interface Option {
  readonly short?: string
  /** Another name of the option. */
  readonly aliases?: readonly string[]
  /** The name of the value in help; a switch has none. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** Other names that people use for a choice, and what to do instead. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** `:FILE` may follow a choice. */
  readonly withFile?: true
  /** The value is a number from 0 to 2^32 - 1. */
  readonly number?: true
  /** May be repeated. */
  readonly many?: true
  /** An example for users who leave out this required option. */
  readonly needed?: string
  /** The variable of the environment that has the default; for a key, the key itself. */
  readonly variable?: string
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>

/** No options but the common ones. */
export type NoOptions = Readonly<Record<never, Option>>

interface ChoiceAndFile<Choice> {
  readonly choice: Choice
  readonly file: string | undefined
}

type One<Declared> = Declared extends { readonly choices: readonly (infer Choice)[] }
  ? Declared extends { readonly withFile: true }
    ? ChoiceAndFile<Choice>
    : Choice
  : Declared extends { readonly number: true }
    ? number
    : string

type Value<Declared> = Declared extends { readonly many: true }
  ? readonly One<Declared>[]
  : Declared extends { readonly needed: string }
    ? One<Declared>
    : Declared extends { readonly value: string }
      ? One<Declared> | undefined
      : boolean

/** The values of a command line: a list for an option that may be repeated, a boolean for a switch. */
export type Values<Of extends Options> = { readonly [Name in keyof Of]: Value<Of[Name]> }

/** The options of every command. */
export const COMMON = {
  format: {
    value: 'FORMAT',
    choices: [
      'pretty',
      'stylish',
      'json',
      'jsonl',
      'sarif',
      'junit',
      'github',
      'gitlab',
      'markdown',
      'html',
      'tap',
      'adl',
    ],
    withFile: true,
    many: true,
    about: 'the report format; FORMAT:FILE writes it to a file',
  },
  quiet: { short: 'q', about: 'show errors only' },
  verbose: { about: 'report what is read, as which kind, and the time taken' },
  color: { about: 'use colors even if stderr is not a terminal' },
  'no-color': { about: 'use no colors (like NO_COLOR in the environment)' },
  'max-depth': { value: 'N', number: true, about: 'reject documents nested deeper than N (default 1024)' },
  'fail-on': {
    value: 'LEVEL',
    choices: ['error', 'warning', 'info'],
    about: 'exit 1 for findings of this severity or above (default error)',
  },
  'max-warnings': { value: 'N', number: true, about: 'exit 1 if there are more than N warnings' },
  'stdin-filepath': { value: 'PATH', about: 'the file name to use for the document on stdin' },
  'allow-network': { about: 'also read documents from https URLs' },
  help: { short: 'h', about: 'show help' },
} as const satisfies Options

export type Common = Values<typeof COMMON>

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

/** An error in the command line. */
export class UsageError extends Error {
  /** A stable name, such as `unknown-option`. */
  readonly code: string
  readonly hint: string

  constructor(code: string, message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

/** Suggests the name that was probably meant, or else gives another hint. */
export function nearestOr(otherwise: string, word: string | undefined, names: readonly string[]): string {
  const nearest = word === undefined ? undefined : suggest(word, names)
  return nearest === undefined ? otherwise : `did you mean ${nearest}?`
}

type Compact<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** Omits undefined members, for options that are either absent or have a value. */
export function compact<Members extends object>(members: Members): Compact<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Compact<Members>
}

/** The exit codes, as docs/reference/cli.md lists them. */
export const EXIT = { clean: 0, findings: 1, usage: 2, unreadable: 3, unverified: 4, internal: 5 } as const

/** The meaning of each code, in their order. */
export const EXIT_WORDS = [
  'clean',
  'findings',
  'wrong usage',
  'cannot read',
  'signature not valid',
  'internal error',
] as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Most severe first: when several codes apply, the first of these is reported. */
const BY_WEIGHT: readonly ExitCode[] = [EXIT.internal, EXIT.usage, EXIT.unreadable, EXIT.unverified, EXIT.findings]

/** Other codes are those of a command that this one ran. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return (
    BY_WEIGHT.find((code) => codes.includes(code)) ??
    (codes.reduce<number>((most, code) => Math.max(most, code), EXIT.clean) as ExitCode)
  )
}

/** Words for the system's errors that people meet. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'its symbolic links lead in circles',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  ELINK: 'it is a link; name its target',
  EINPUT: 'this run also reads it',
  ETWICE: 'this run already wrote another file there',
  ENOTREG: 'it is not a regular file; use - to read a pipe',
}

/** The system's code for an error; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Says why a file cannot be read. Throws errors that are not the system's. */
export function whyUnread(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) throw error
  // The system's own message names internal files and flags.
  return REASONS[code] ?? `the system refuses it (${code})`
}

/** Says why a file cannot be written: ENOENT means that its folder is missing. */
export function whyUnwritten(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'the folder does not exist' : whyUnread(error)
}

/** The usage error for a file that cannot be written. */
export function unwritable(path: string, error: unknown): UsageError {
  const message = `${path} cannot be written: ${whyUnwritten(error)}`
  if (codeOf(error) === 'ENOENT') return new UsageError('no-folder', message, 'create the folder first')
  return new UsageError('unwritable', message, 'name another file')
}
