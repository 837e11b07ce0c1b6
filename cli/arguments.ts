import { parseArgs } from 'node:util'
import { suggest } from '../bindings/document/suggest.ts'
import { COMMANDS, COMMON, type Command, type Option } from './commands.ts'
import { UsageError } from './usage.ts'

/** The options of a command line, checked against the table. */
class Options {
  readonly #values: ReadonlyMap<string, readonly string[]>

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** The value; when it was given several times the last one. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1)
  }

  list(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }

  /** A number from 0 to 2^32 - 1. */
  number(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (/^\d{1,10}$/.test(text) && Number(text) <= 0xffffffff) return Number(text)
    throw new UsageError('invalid-value', `--${name}: expected a number, got "${text}"`, `as in --${name} 10`)
  }
}

export interface Arguments {
  readonly command: Command
  readonly options: Options
  /** What stands before `--`, or everything when there is none. */
  readonly positionals: readonly string[]
  /** What stands behind `--`; undefined without one. */
  readonly rest: readonly string[] | undefined
}

/** The command that `argv` names, if it does, and the arguments that are left. */
export function findCommand(argv: readonly string[]): { name: string | undefined; others: string[] } {
  let at = 0
  // Common options may stand before the command, with their values.
  while (argv[at]?.startsWith('-')) {
    const [rawName, inline] = argv[at]!.split('=') as [string, string?]
    const option = COMMON.find(({ name, short }) => rawName === `--${name}` || rawName === `-${short}`)
    if (option === undefined) throw unknownOption(rawName, COMMON, 'blazon')
    at += option.value === undefined || inline !== undefined ? 1 : 2
  }
  return { name: argv[at], others: argv.filter((_, i) => i !== at) }
}

/** The row of the table for a name. */
export function commandNamed(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const nearest = suggest(name, [...COMMANDS.map((candidate) => candidate.name), 'help'])
  const hint = nearest === undefined ? 'blazon --help lists the commands' : `did you mean ${nearest}?`
  throw new UsageError('unknown-command', `unknown command "${name}"`, hint)
}

/** Reads the arguments of a command. */
export function readArguments(command: Command, others: string[]): Arguments {
  const options = [...command.options, ...COMMON]
  const { tokens } = parseArgs({
    args: others,
    options: Object.fromEntries(
      options.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) } as const,
      ]),
    ),
    strict: false,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  let rest: string[] | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') rest = []
    else if (token.kind === 'positional') (rest ?? positionals).push(token.value)
    else {
      const option = options.find(({ name }) => name === token.name)
      if (option === undefined) throw unknownOption(token.rawName, options, `blazon ${command.name}`)
      const value = checkValue(option, token.rawName, token.value, token.inlineValue === true)
      values.set(option.name, option.many ? [...(values.get(option.name) ?? []), value] : [value])
    }
  }
  return { command, options: new Options(values), positionals, rest }
}

function unknownOption(rawName: string, options: readonly Option[], help: string): UsageError {
  const names = options.map(({ name }) => name)
  const nearest = suggest(rawName.replace(/^-+/, '').toLowerCase(), names)
  const hint = nearest === undefined ? `${help} --help lists the options` : `did you mean --${nearest}?`
  return new UsageError('unknown-option', `unknown option ${rawName}`, hint)
}

function checkValue(option: Option, rawName: string, value: string | undefined, inline: boolean): string {
  if (option.value === undefined) {
    if (!inline) return ''
    throw new UsageError('unexpected-value', `${rawName} takes no value`, `write ${rawName} alone`)
  }
  if (value === undefined || (!inline && value.length > 1 && value.startsWith('-'))) {
    const hint = `as in ${rawName} ${option.choices?.[0] ?? option.value}; a value that begins with - is written ${rawName}=-...`
    throw new UsageError('missing-value', `${rawName} needs a value`, hint)
  }
  const choice = option.withFile ? value.replace(/:.+$/, '') : value
  if (option.choices !== undefined && !option.choices.includes(choice)) {
    const nearest = suggest(choice, option.choices)
    const hint = nearest === undefined ? `one of ${option.choices.join(', ')}` : `did you mean ${nearest}?`
    throw new UsageError('invalid-value', `${rawName} has no value "${value}"`, hint)
  }
  return value
}
