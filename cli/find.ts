// Finds the command that the words of a command line name.
import { suggest } from '../bindings/text/words.ts'
import type { Command } from './command.ts'
import { AGENT_VERBS, COMMANDS } from './commands.ts'
import { COMMON, type Options } from './options.ts'
import { nearestOr, UsageError } from './usage.ts'

export type Load = () => Promise<{ readonly command: Command }>

/** Commands by their names. */
export interface Table {
  readonly [name: string]: readonly [about: string, what: Load | Table]
}

/** A command, a group of commands, or the program itself. */
export interface CommandMatch {
  /** Such as `tags list`; empty for the program. */
  readonly name: string
  readonly about: string
  readonly what: Load | Table
  /** The arguments without the words of the name. */
  readonly others: readonly string[]
}

/** Finds the command that the first words of a command line name. */
export function findCommand(argv: readonly string[], from: Omit<CommandMatch, 'others'> = PROGRAM): CommandMatch {
  const { word, others } = typeof from.what === 'function' ? { word: undefined, others: argv } : nextWord(argv)
  if (typeof from.what === 'function' || word === undefined) return { ...from, others }
  if (from.name === 'agent' && AGENT_VERBS.includes(word)) return findCommand([word, ...others])
  if (!Object.hasOwn(from.what, word)) throw unknownCommand(from.name, from.what, word)
  const [about, what] = from.what[word]!
  return findCommand(others, { name: `${from.name} ${word}`.trim(), about, what })
}

const PROGRAM = { name: '', about: 'describe, check, sign, publish and find AI agents', what: COMMANDS }

/** Returns the first word that is neither a common option nor the value of one, and the other arguments. */
export function nextWord(argv: readonly string[]): { readonly word: string | undefined; readonly others: string[] } {
  let at = 0
  while (argv[at]?.startsWith('-')) {
    const [rawName, inline] = argv[at]!.split('=') as [string, string?]
    const options: Options = COMMON
    const known = Object.keys(options).find((name) => rawName === `--${name}` || rawName === `-${options[name]!.short}`)
    if (known === undefined) throw unknownOption(rawName, options, 'blazon')
    at += options[known]!.value === undefined || inline !== undefined ? 1 : 2
  }
  return { word: argv[at], others: argv.filter((_, i) => i !== at) }
}

/** The usage error for an unknown or missing command word. */
export function unknownCommand(name: string, table: Table, word: string | undefined): UsageError {
  const names = Object.keys(table)
  const instead = name === '' ? 'blazon --help lists the commands' : `as in blazon ${name} ${names[0]}`
  const hint = nearestOr(instead, word, name === '' ? [...names, 'help'] : names)
  if (name === '') return new UsageError('unknown-command', `unknown command "${word}"`, hint)
  return new UsageError('unknown-verb', `${name}: expected ${names.join(', ')}, got ${word ?? 'nothing'}`, hint)
}

export function unknownOption(rawName: string, options: Options, help: string): UsageError {
  const nearest = suggest(rawName.replace(/^-+/, '').toLowerCase(), Object.keys(options))
  const hint = nearest === undefined ? `${help} --help lists the options` : `did you mean --${nearest}?`
  return new UsageError('unknown-option', `unknown option ${rawName}`, hint)
}
