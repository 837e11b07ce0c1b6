import { readArguments } from './arguments.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { type Found, findCommand, nextWord, unknownCommand } from './find.ts'
import type { Host } from './host.ts'
import { UsageError } from './usage.ts'

/** Runs a command line; `main` without its shortcut. Never throws. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    const { word, others } = nextWord(argv)
    if (word === 'help') return await help(findCommand(others), host.stdout, host.version)
    const found = findCommand(argv)
    const { name, what } = found
    if (typeof what !== 'function') {
      if (found.others.includes('--help') || found.others.includes('-h'))
        return await help(found, host.stdout, host.version)
      if (name === '') return await help(found, host.stderr, host.version, EXIT.usage)
      throw unknownCommand(name, what, undefined)
    }
    const { command } = await what()
    const args = readArguments(name, command.options, found.others)
    if (args.options.help) return await help(found, host.stdout, host.version)
    const { execute } = await import('./execute.ts')
    return await execute(command, args, host)
  } catch (error) {
    const { complain } = await import('./complain.ts')
    return complain(error, argv, host)
  }
}

/** Help on what was found, whose other arguments say in which format. */
async function help(
  found: Found,
  stdout: Host['stdout'],
  version: string,
  exit: ExitCode = EXIT.clean,
): Promise<ExitCode> {
  const { commandHelp, generalHelp, groupHelp } = await import('./help.ts')
  const { name, what } = found
  const own = typeof what === 'function' ? (await what()).command.options : {}
  const { format } = readArguments(name, own, ['--help', ...found.others]).options
  if (format.some(({ choice }) => choice === 'json')) {
    if (exit !== EXIT.clean) throw new UsageError('missing-command', 'expected a COMMAND', 'blazon help lists them')
    stdout.write(await (await import('./help-json.ts')).jsonHelp(found, version))
  } else if (typeof what === 'function') stdout.write(commandHelp(found, (await what()).command))
  else stdout.write(name === '' ? generalHelp(found, what) : groupHelp(found, what))
  return exit
}
