import type { Command } from './command.ts'
import type { Found, Table } from './find.ts'
import { COMMON, type Options } from './options.ts'

/** Help for the program. */
export function generalHelp({ about }: Found, table: Table): string {
  return [
    `blazon: ${about}`,
    '',
    'Usage: blazon COMMAND [ARGUMENTS] [OPTIONS]',
    '',
    ...commandRows({ ...table, help: ['show help for a command', {}] }),
    '',
    ...COMMON_ROWS,
    '  -V, --version             show the version',
    '',
    'Exit codes: 0 clean, 1 findings, 2 wrong usage, 3 cannot read, 4 signature not',
    'valid, 5 internal error. Data goes to stdout, everything else to stderr.',
    'Nothing is read from the network without --allow-network, verify --resolve,',
    'search --from URL or probe --network, and only publish sends documents.',
    '',
  ].join('\n')
}

/** Help for a group of commands. */
export function groupHelp({ name, about }: Found, table: Table): string {
  const usage = `Usage: blazon ${name} COMMAND [ARGUMENTS] [OPTIONS]`
  return [`blazon ${name}: ${about}`, '', usage, '', ...commandRows(table), '', ...COMMON_ROWS, ''].join('\n')
}

/** Help for a command. */
export function commandHelp({ name, about }: Found, { usage, details, options, examples }: Command): string {
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

function commandRows(table: Table): string[] {
  const width = Math.max(...Object.keys(table).map((name) => name.length))
  return ['Commands:', ...Object.entries(table).map(([name, [about]]) => `  ${name.padEnd(width)}  ${about}`)]
}

function optionRows(options: Options): string[] {
  return Object.entries(options).map(([name, { short, value, about }]) => {
    const left = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
    return `${left.padEnd(27)} ${about}`
  })
}

const COMMON_ROWS = ['Options of every command:', ...optionRows(COMMON)]
