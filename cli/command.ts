import type { Arguments } from './arguments.ts'
import type { Host } from './host.ts'
import type { NoOptions, Options } from './options.ts'
import type { Outcome } from './outcome.ts'
import type { Reader } from './reader.ts'

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
