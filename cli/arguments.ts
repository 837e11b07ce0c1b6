import { unknownOption } from './find.ts'
import type { Host } from './host.ts'
import { COMMON, type Common, type NoOptions, type Option, type Options, type Values } from './options.ts'
import { nearestOr, UsageError } from './usage.ts'

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
