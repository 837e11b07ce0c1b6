import { commandNamed, findCommand, readArguments } from './arguments.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'

/** Runs a command line; `main` without its shortcut. Never throws. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    const { name, others } = findCommand(argv)
    if (name === undefined) return await help(host, undefined, others.includes('--help') || others.includes('-h'))
    if (name === 'help') return await help(host, findCommand(others).name, true)
    const command = commandNamed(name)
    const args = readArguments(command, others)
    if (args.options.has('help')) return await help(host, name, true)
    const { execute } = await import('./execute.ts')
    return await execute(args, host)
  } catch (error) {
    const { complain } = await import('./complain.ts')
    return complain(error, argv, host)
  }
}

async function help(host: Host, about: string | undefined, asked: boolean): Promise<ExitCode> {
  const { commandHelp, generalHelp } = await import('./help.ts')
  const text = about === undefined ? generalHelp() : commandHelp(commandNamed(about))
  const to = asked ? host.stdout : host.stderr
  to.write(text)
  return asked ? EXIT.clean : EXIT.usage
}
