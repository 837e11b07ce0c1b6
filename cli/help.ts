import {
  answer,
  COMMON,
  type Command,
  type Common,
  EXIT_WORDS,
  type Option,
  type Options,
  type Outcome,
  UsageError,
} from './command.ts'
import { JOBS } from './commands.ts'
import TEXTS from './help.json' with { type: 'json' }
import { jsonlReport, jsonReport, type Reporter } from './report/report.ts'
import type { CommandMatch, Load, Table } from './run.ts'
import { wrapped } from './writer.ts'

interface HelpText {
  /** The rest of the first line, after the name. */
  readonly usage: string
  /** Lines of at most 80 columns. */
  readonly details: readonly string[]
  readonly examples: readonly string[]
}

export const helpOf = (name: string): HelpText => (TEXTS as Readonly<Record<string, HelpText>>)[name]!

export function generalHelp({ about }: CommandMatch, table: Table): string {
  return [
    `blazon: ${about}`,
    '',
    'Usage: blazon COMMAND [ARGUMENTS] [OPTIONS]',
    '',
    'Begin with:',
    '  blazon init agent.adl.yaml      write an agent definition',
    '  blazon validate agent.adl.yaml  see what is wrong with it, and where',
    '  blazon explain CODE             learn why a finding matters',
    '  blazon help COMMAND             show the options and examples of a command',
    '',
    ...jobRows({ ...table, help: ['show help for a command; --format json for programs', {}] }),
    ...COMMON_ROWS,
    '  -V, --version             show the version',
    '',
    ...wrapped(`Exit codes: ${EXIT_WORDS.map((words, code) => `${code} ${words}`).join(', ')}.`, 80),
    ...wrapped(NETWORK, 80),
    '',
  ].join('\n')
}

export function groupHelp({ name, about }: CommandMatch, table: Table): string {
  const usage = `Usage: blazon ${name} COMMAND [ARGUMENTS] [OPTIONS]`
  return [`blazon ${name}: ${about}`, '', usage, '', 'Commands:', ...commandRows(table), '', ...COMMON_ROWS, ''].join(
    '\n',
  )
}

export function commandHelp({ name, about }: CommandMatch, { options }: Command): string {
  const { usage, details, examples } = helpOf(name)
  return [
    `blazon ${name}: ${about}`,
    '',
    `Usage: blazon ${name} ${usage}`.trimEnd(),
    '',
    ...details,
    ...(Object.keys(options).length === 0 ? [] : ['', 'Options:', ...optionRows(options)]),
    '',
    ...COMMON_ROWS,
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

const NETWORK =
  'Blazon reads documents from the network only with --allow-network, verify --resolve or probe --network, or from ' +
  'the server or domain that the command line or an invitation names. Only publish, directory import and tasks send ' +
  'documents. Data goes to stdout, everything else to stderr.'

function jobRows(table: Table): string[] {
  const named = Object.values(JOBS).flat()
  const others = Object.keys(table).filter((name) => !named.includes(name))
  return Object.entries({ ...JOBS, Other: others }).flatMap(([job, names]) => [
    `${job}:`,
    ...commandRows(Object.fromEntries(names.map((name) => [name, table[name]!])), widest(table)),
    '',
  ])
}

const widest = (table: Table) => Math.max(...Object.keys(table).map((name) => name.length))

function commandRows(table: Table, width = widest(table)): string[] {
  return Object.entries(table).map(([name, [about]]) => `  ${name.padEnd(width)}  ${about}`)
}

const LEFT = 28

function optionRows(options: Options): string[] {
  return Object.entries<Option>(options).flatMap(([name, { short, value, about, choices }]) => {
    const left = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
    const [first, ...more] = wrapped(choices === undefined ? about : `${about}: ${choices.join(', ')}`, 80 - LEFT)
    return [`${left.padEnd(LEFT - 1)} ${first}`, ...more.map((line) => ' '.repeat(LEFT) + line)]
  })
}

const COMMON_ROWS = ['Options of every command:', ...optionRows(COMMON)]

const FORMATS: Readonly<Record<string, Reporter>> = { json: jsonReport, jsonl: jsonlReport }

/** Writes help as data, in the form of a report: the declarations of each command, and the common options. */
export async function dataHelp(
  { name, about, what }: CommandMatch,
  { choice, file }: Common['format'][number],
  version: string,
): Promise<string> {
  const format = FORMATS[choice]
  if (format === undefined || file !== undefined) {
    const wanted = file === undefined ? choice : `${choice}:${file}`
    throw new UsageError(
      'invalid-value',
      `--format: help cannot be written as ${wanted}`,
      'it is text, or json or jsonl on stdout',
    )
  }
  const help = { commands: await describe(name, about, what), options: optionsOf(COMMON), exitCodes: EXIT_WORDS }
  const outcome: Outcome = { results: [answer({ help })] }
  const { judge } = await import('./execute.ts')
  return format('help', outcome, judge(outcome, { failOn: 'error', maxWarnings: undefined }), version)
}

async function describe(name: string, about: string, what: Load | Table): Promise<readonly object[]> {
  if (typeof what !== 'function') {
    const inner = Object.entries(what).map(([word, [aim, next]]) => describe(`${name} ${word}`.trim(), aim, next))
    return (await Promise.all(inner)).flat()
  }
  const { options, operands } = (await what()).command
  const { usage, details, examples } = helpOf(name)
  return [{ name, about, usage, details, options: optionsOf(options), ...(operands && { operands }), examples }]
}

/** Returns the declarations alone; `needed` is an example for people. */
const optionsOf = (options: Options): readonly object[] =>
  Object.entries(options).map(([name, { needed, ...declared }]) => {
    return { name, ...declared, ...(needed !== undefined && { required: true }) }
  })
