import { COMMANDS, COMMON, type Command, type Option } from './commands.ts'

/** Help for the program. */
export function generalHelp(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  return [
    'blazon: canonical JSON, permission patterns and templates for agents',
    '',
    'Usage: blazon COMMAND [ARGUMENTS] [OPTIONS]',
    '',
    'Commands:',
    ...COMMANDS.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    `  ${'help'.padEnd(width)}  show help for a command`,
    '',
    'Options of every command:',
    ...optionRows(COMMON),
    '  -V, --version             show the version',
    '',
    'Exit codes: 0 clean, 1 findings, 2 wrong usage, 3 cannot read, 4 signature not',
    'valid, 5 internal error. Data goes to stdout, everything else to stderr.',
    'Nothing is read from the network without --allow-network, verify --resolve,',
    'search --from URL or probe --network, and only publish sends documents.',
    '',
  ].join('\n')
}

/** Help for a command. */
export function commandHelp({ name, about, usage, details, options, examples }: Command): string {
  return [
    `blazon ${name}: ${about}`,
    '',
    `Usage: blazon ${usage}`,
    '',
    ...details,
    ...(options.length === 0 ? [] : ['', 'Options:', ...optionRows(options)]),
    '',
    'Options of every command:',
    ...optionRows(COMMON),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

function optionRows(options: readonly Option[]): string[] {
  return options.map(({ name, short, value, about }) => {
    const left = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
    return `${left.padEnd(27)} ${about}`
  })
}
