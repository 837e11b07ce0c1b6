// The options that commands declare, and the types of their values.

export interface Option {
  readonly short?: string
  /** Another name of the option. */
  readonly aliases?: readonly string[]
  /** The name of the value in help; a switch has none. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** What people give in place of a choice, and the way to what they want. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** `:FILE` may follow a choice. */
  readonly withFile?: true
  /** The value is a number from 0 to 2^32 - 1. */
  readonly number?: true
  /** May be repeated. */
  readonly many?: true
  /** An example for users who leave out this required option. */
  readonly needed?: string
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>

/** No options but the common ones. */
export type NoOptions = Readonly<Record<never, Option>>

interface ChoiceAndFile<Choice> {
  readonly choice: Choice
  readonly file: string | undefined
}

type One<Of> = Of extends { readonly choices: readonly (infer Choice)[] }
  ? Of extends { readonly withFile: true }
    ? ChoiceAndFile<Choice>
    : Choice
  : Of extends { readonly number: true }
    ? number
    : string

type Value<Of> = Of extends { readonly many: true }
  ? readonly One<Of>[]
  : Of extends { readonly needed: string }
    ? One<Of>
    : Of extends { readonly value: string }
      ? One<Of> | undefined
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
    about: 'how to report (FORMAT:FILE into a file)',
  },
  quiet: { short: 'q', about: 'show errors only' },
  verbose: { about: 'tell what is read, as what, and how long all of it takes' },
  color: { about: 'color, also when stderr is no terminal' },
  'no-color': { about: 'no color (as NO_COLOR in the environment)' },
  'max-depth': { value: 'N', number: true, about: 'refuse documents nested deeper than N (default 1024)' },
  'fail-on': {
    value: 'LEVEL',
    choices: ['error', 'warning', 'info'],
    about: 'exit 1 from this severity on (default error)',
  },
  'max-warnings': { value: 'N', number: true, about: 'exit 1 when there are more warnings than N' },
  'stdin-filepath': { value: 'PATH', about: 'what to call the document that comes from stdin' },
  'allow-network': { about: 'read documents from https addresses, too' },
  help: { short: 'h', about: 'show help' },
} as const satisfies Options

export type Common = Values<typeof COMMON>
