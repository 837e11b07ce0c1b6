import type { Host } from './host.ts'
import type { Outcome } from './outcome.ts'
import type { Reader } from './reader.ts'
import type { Arguments } from './run.ts'

/** The environment of a command. */
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

/** A command: its usage and its action. commands.ts holds its name and its place in help. */
export interface Command<Own extends Options = NoOptions> {
  /** The rest of the first line of help, after the name. */
  readonly usage: string
  /** Lines of help, at most 80 columns wide. */
  readonly details: readonly string[]
  readonly options: Own
  /** The valid operands of commands with only a few, for completion; empty if the command takes no operands. */
  readonly operands?: readonly string[]
  readonly examples: readonly string[]
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
