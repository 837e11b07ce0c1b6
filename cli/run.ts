import { commandNamed, findCommand, readArguments } from './arguments.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { UsageError } from './usage.ts'

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

/** Says on stderr why nothing could be done: a line for people, or one envelope when JSON was asked for. */
function complain(error: unknown, argv: readonly string[], { stderr, env }: Host): ExitCode {
  const usage = error instanceof UsageError
  const message = error instanceof Error ? error.message : String(error)
  const code = usage ? error.code : 'internal'
  const hint = usage
    ? error.hint
    : 'this is a fault of Blazon: please report it with this line; BLAZON_DEBUG=1 shows where it happened'
  const json = argv.includes('--format=json') || argv[argv.indexOf('--format') + 1] === 'json'
  if (json) stderr.write(`${JSON.stringify({ code, message, hint })}\n`)
  else stderr.write(`blazon: ${usage ? '' : 'internal error: '}${message}\n  ${hint}\n`)
  if (!usage && env['BLAZON_DEBUG'] && error instanceof Error) stderr.write(`${error.stack}\n`)
  return usage ? EXIT.usage : EXIT.internal
}
