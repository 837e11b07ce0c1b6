import { visible } from '../bindings/text/hidden.ts'
import { withoutSecrets } from '../bindings/text/secret-shapes.ts'
import { suggest } from '../bindings/text/words.ts'
import {
  COMMON,
  type Command,
  type Common,
  EXIT,
  type ExitCode,
  type NoOptions,
  nearestOr,
  type Option,
  type Options,
  UsageError,
  unwritable,
  type Values,
} from './command.ts'
import { AGENT_VERBS, COMMANDS } from './commands.ts'
import type { Host } from './host.ts'
import { writeData, writeWords } from './writer.ts'

/** Runs a command line; `main` without its shortcut for --version. Never throws. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    const { word, others } = nextWord(argv)
    if (word === 'help' && nextWord(others).word === 'help') return await run(others, host)
    if (word === 'help') return await help(findCommand(others), host)
    const found = findCommand(argv)
    const { name, what } = found
    if (typeof what !== 'function') {
      if (found.others.includes('--help') || found.others.includes('-h')) return await help(found, host)
      if (name === '') return await help(found, host, EXIT.usage)
      throw unknownCommand(name, what, undefined)
    }
    const { command } = await what()
    const args = readArguments(name, command.options, found.others, host.env)
    if (args.options.help) return await help(found, host)
    if (command.operands?.length === 0 && args.positionals.length > 0)
      throw new UsageError(
        'unexpected-argument',
        `unexpected argument "${args.positionals[0]}"`,
        `${name} takes no arguments`,
      )
    const { execute } = await import('./execute.ts')
    return await execute(command, args, host)
  } catch (error) {
    return complain(error, argv, host)
  }
}

/** Shows the help of a command; the other arguments set the format. */
async function help(found: CommandMatch, host: Host, exit: ExitCode = EXIT.clean): Promise<ExitCode> {
  const { commandHelp, generalHelp, groupHelp } = await import('./help.ts')
  const { name, what } = found
  const own = typeof what === 'function' ? (await what()).command.options : {}
  const { format } = readArguments(name, own, ['--help', ...found.others]).options
  const [data] = format.filter(({ choice }) => choice !== 'pretty')
  if (data !== undefined) {
    if (exit !== EXIT.clean) throw new UsageError('missing-command', 'expected a COMMAND', 'blazon help lists them')
    writeData(host, await (await import('./help.ts')).dataHelp(found, data, host.version))
    return exit
  }
  const text =
    typeof what === 'function'
      ? commandHelp(found, (await what()).command)
      : name === ''
        ? generalHelp(found, what)
        : groupHelp(found, what)
  if (exit === EXIT.clean) writeData(host, text)
  else writeWords(host, text)
  return exit
}

/** Reports on stderr why the command failed: a line for people, or one JSON object if JSON was requested. */
export function complain(thrown: unknown, argv: readonly string[], host: Host): ExitCode {
  const error = isUnwritten(thrown) ? unwritable('stdout', thrown) : thrown
  const usage = error instanceof UsageError
  const message = visible(withoutSecrets(error instanceof Error ? error.message : String(error)))
  const code = usage ? error.code : 'internal'
  const hint = usage
    ? error.hint
    : 'this is a fault of Blazon: please report it with this line; BLAZON_DEBUG=1 shows where it happened'
  const json = argv.some(
    (word, i) => /^(?:--format=)?jsonl?$/.test(word) && (word.length > 5 || argv[i - 1] === '--format'),
  )
  if (json) writeWords(host, `${JSON.stringify({ code, message, hint })}\n`)
  else writeWords(host, `blazon: ${usage ? '' : 'internal error: '}${message}\n  ${hint}\n`)
  if (!usage && host.env['BLAZON_DEBUG'] && error instanceof Error) writeWords(host, `${error.stack}\n`)
  return usage ? EXIT.usage : EXIT.internal
}

/** Faults of files are reported where they are written, so this one is about stdout. */
const isUnwritten = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.syscall === 'write'

/** An import would take a millisecond of the start: the module loader reads all exports. */
const { parseArgs } = process.getBuiltinModule('node:util')

export interface Arguments<Own extends Options = NoOptions> {
  /** The name of the command, such as `tags list`. */
  readonly name: string
  readonly options: Values<Own> & Common
  /** All operands. After `--` they may begin with a dash. */
  readonly positionals: readonly string[]
  /** The operands after `--`, for commands that take two lists; undefined without a `--`. */
  readonly rest: readonly string[] | undefined
}

/** The operands before `--`. */
export const beforeDashes = ({ positionals, rest = [] }: Pick<Arguments, 'positionals' | 'rest'>): readonly string[] =>
  positionals.slice(0, positionals.length - rest.length)

/** A key's fingerprint in base64url: one of 64 begins with a dash. No option is that long. */
const FINGERPRINT = /^-[\w-]{42}$/
/** Marks such an argument as an operand for `parseArgs`. The system never passes NUL in an argument. */
const MARK = '\0'

const unmarked = (value: string) => (value.startsWith(MARK) ? value.slice(MARK.length) : value)

/** Parses the arguments of a command by the options it declares, whose defaults may be in the environment. */
export function readArguments<Own extends Options>(
  name: string,
  own: Own,
  args: readonly string[],
  env: Host['env'] = {},
): Arguments<Own> {
  const options: Options = { ...own, ...COMMON }
  const { tokens } = parseArgs({
    args: args.map((arg) => (FINGERPRINT.test(arg) ? `${MARK}${arg}` : arg)),
    options: Object.fromEntries(
      Object.entries(options).flatMap(([option, { short, aliases = [], value }]) => {
        const type = value === undefined ? ('boolean' as const) : ('string' as const)
        return [[option, { type, ...(short && { short }) }], ...aliases.map((alias) => [alias, { type }] as const)]
      }),
    ),
    strict: false,
    tokens: true,
  })
  const entries = Object.entries(options).map(([option, declared]) => [option, absent(declared, env)] as const)
  const values: Record<string, unknown> = Object.fromEntries(entries)
  const positionals: string[] = []
  let rest: string[] | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') rest = []
    else if (token.kind === 'positional') {
      const value = unmarked(token.value)
      positionals.push(value)
      rest?.push(value)
    } else {
      const named = Object.hasOwn(options, token.name) ? token.name : byAlias(options, token.name)
      if (named === undefined) throw unknownOption(token.rawName, options, `blazon ${name}`)
      const option = options[named]!
      const value = readValue(option, token.rawName, token.value, token.inlineValue === true)
      const before = values[named]
      values[named] = Array.isArray(before) ? [...before, value] : value
    }
  }
  if (values['help'] === false) refuseWithout(name, options, values)
  // Parsed by the very declarations that the types are derived from.
  return { name, options: values as Values<Own> & Common, positionals, rest }
}

const byAlias = (options: Options, name: string) =>
  Object.keys(options).find((option) => options[option]!.aliases?.includes(name))

function absent({ many, value, variable = '' }: Option, env: Host['env']): unknown {
  if (many) return []
  if (value === undefined) return false
  return (env[variable] && (value === 'KEY' ? `env:${variable}` : env[variable])) || undefined
}

function refuseWithout(name: string, options: Options, values: Readonly<Record<string, unknown>>): void {
  for (const [option, { needed }] of Object.entries(options)) {
    if (needed === undefined || values[option] !== undefined) continue
    throw new UsageError('missing-option', `${name} needs --${option}`, needed)
  }
}

/** Values that name a file: an empty name would resolve to the current folder. */
const NAMES_FILE = /^(?:FILE|KEY|OUT|PLACE|TOKEN)/

/** Parses the value of an option by its declaration. */
function readValue(option: Option, rawName: string, value: string | undefined, inline: boolean): unknown {
  if (option.value === undefined) {
    if (!inline) return true
    throw new UsageError('unexpected-value', `${rawName} takes no value`, `write ${rawName} alone`)
  }
  const isEmpty = value === '' && NAMES_FILE.test(option.value)
  if (value === undefined || isEmpty || (!inline && value.length > 1 && value.startsWith('-'))) {
    const hint = `as in ${rawName} ${option.choices?.[0] ?? option.value}; a value that begins with - is written ${rawName}=-...`
    throw new UsageError('missing-value', `${rawName} needs a value`, hint)
  }
  if (option.number) return readNumber(rawName, value)
  if (option.choices === undefined) return unmarked(value)
  const [, choice = value, file] = (option.withFile && /^([^:]*):(.+)$/.exec(value)) || []
  if (option.choices.includes(choice)) return option.withFile ? { choice, file } : choice
  const way = Object.hasOwn(option.elsewhere ?? {}, choice) ? option.elsewhere?.[choice] : undefined
  const hint = way ?? nearestOr(`one of ${option.choices.join(', ')}`, choice, option.choices)
  throw new UsageError('invalid-value', `${rawName} has no value "${value}"`, hint)
}

/** The largest number that the core takes. */
const MOST = 0xffffffff

function readNumber(rawName: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= MOST) return Number(text)
  const message = `${rawName}: expected an integer from 0 to ${MOST}, got "${text}"`
  throw new UsageError('invalid-value', message, `as in ${rawName} 10`)
}

// Finds the command that the words of a command line name.

export type Load = () => Promise<{ readonly command: Command }>

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
function findCommand(argv: readonly string[], from: Omit<CommandMatch, 'others'> = PROGRAM): CommandMatch {
  const { word, others } = typeof from.what === 'function' ? { word: undefined, others: argv } : nextWord(argv)
  if (typeof from.what === 'function' || word === undefined) return { ...from, others }
  if (from.name === 'agent' && AGENT_VERBS.includes(word)) return findCommand([word, ...others])
  if (!Object.hasOwn(from.what, word)) throw unknownCommand(from.name, from.what, word)
  const [about, what] = from.what[word]!
  return findCommand(others, { name: `${from.name} ${word}`.trim(), about, what })
}

const PROGRAM = { name: '', about: 'describe, check, sign, publish and find AI agents', what: COMMANDS }

/** Returns the first word that is neither a common option nor the value of one, and the other arguments. */
function nextWord(argv: readonly string[]): { readonly word: string | undefined; readonly others: string[] } {
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

const INSTEAD: Readonly<Record<string, string>> = {
  '': 'blazon --help lists the commands',
  agent: 'blazon init FOLDER --kind agentlang writes a new agent, blazon agent build its container',
}

/** The usage error for an unknown or missing command word. */
function unknownCommand(name: string, table: Table, word: string | undefined): UsageError {
  const names = Object.keys(table)
  const instead = INSTEAD[name] ?? `as in blazon ${name} ${names[0]}`
  const hint = nearestOr(instead, word, name === '' ? [...names, 'help'] : names)
  if (name === '') return new UsageError('unknown-command', `unknown command "${word}"`, hint)
  return new UsageError('unknown-verb', `${name}: expected ${names.join(', ')}, got ${word ?? 'nothing'}`, hint)
}

function unknownOption(rawName: string, options: Options, help: string): UsageError {
  const nearest = suggest(rawName.replace(/^-+/, '').toLowerCase(), Object.keys(options))
  const hint = nearest === undefined ? `${help} --help lists the options` : `did you mean --${nearest}?`
  return new UsageError('unknown-option', `unknown option ${rawName}`, hint)
}
