import { readArguments } from './arguments.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { type Found, findCommand, nextWord, unknownCommand } from './find.ts'
import type { Host } from './host.ts'

/** Runs a command line; `main` without its shortcut. Never throws. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    const { word, others } = nextWord(argv)
    if (word === 'help') return await help(findCommand(others), host)
    const found = findCommand(argv)
    const { name, what } = found
    if (typeof what !== 'function') {
      if (found.others.includes('--help') || found.others.includes('-h')) return await help(found, host)
      if (name === '') return await help(found, { stdout: host.stderr }, EXIT.usage)
      throw unknownCommand(name, what, undefined)
    }
    const { command } = await what()
    const args = readArguments(name, command.options, found.others)
    if (args.options.help) return await help(found, host)
    const { execute } = await import('./execute.ts')
    return await execute(command, args, host)
  } catch (error) {
    const { complain } = await import('./complain.ts')
    return complain(error, argv, host)
  }
}

async function help(found: Found, { stdout }: Pick<Host, 'stdout'>, exit: ExitCode = EXIT.clean): Promise<ExitCode> {
  const { commandHelp, generalHelp, groupHelp } = await import('./help.ts')
  const { name, what } = found
  if (typeof what === 'function') stdout.write(commandHelp(found, (await what()).command))
  else stdout.write(name === '' ? generalHelp(found, what) : groupHelp(found, what))
  return exit
}
