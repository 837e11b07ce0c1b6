import { visible } from '../bindings/text/hidden.ts'
import { withoutSecrets } from '../bindings/text/secret-shapes.ts'
import { readArguments } from './arguments.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { type CommandMatch, findCommand, nextWord, unknownCommand } from './find.ts'
import type { Host } from './host.ts'
import { unwritable } from './system.ts'
import { UsageError } from './usage.ts'
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
    writeData(host, await (await import('./help-json.ts')).dataHelp(found, data, host.version))
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
