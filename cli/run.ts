import { resolve } from 'node:path'
import { type Arguments, commandNamed, findCommand, readArguments } from './arguments.ts'
import type { Outcome, Run } from './context.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { type Judgement, judge } from './judge.ts'
import type { Reader } from './reader.ts'
import { readReports, writeReports } from './reports.ts'
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
    return await runCommand(args, host)
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

async function runCommand(args: Arguments, host: Host): Promise<ExitCode> {
  const implementation = await args.command.load()
  if (!args.options.has('watch')) return (await runOnce(implementation.run, args, host)).exit
  for (;;) {
    // What is new stands in place of what was there, drawn in one piece.
    if (host.stderr.isTTY) host.stderr.write('\x1b[2J\x1b[3J\x1b[H')
    const { exit, files } = await runOnce(implementation.run, args, host)
    const change = host.changed(files.map((file) => resolve(host.cwd, file)))
    if (change === undefined) return exit
    if (!args.options.has('quiet')) host.stderr.write(`watching ${files.length} files; Ctrl-C ends it\n`)
    await change
  }
}

async function runOnce(
  run: Run,
  args: Arguments,
  host: Host,
): Promise<{ readonly exit: ExitCode; readonly files: readonly string[] }> {
  const { command, options } = args
  const reports = readReports(options.list('format'))
  const pretty = reports.some(({ format, to }) => format === 'pretty' && to === undefined)
  const { Reader } = await import('./reader.ts')
  const reader = new Reader(host, {
    maxDepth: options.number('max-depth'),
    stdinName: options.text('stdin-filepath'),
    allowNetwork: options.has('allow-network'),
    showProgress: host.stderr.isTTY === true && pretty && !options.has('quiet'),
  })
  let outcome: Outcome
  try {
    outcome = await run({ ...args, host, reader })
    if (!outcome.isMasked && outcome.results.some(({ diagnostics }) => diagnostics.length > 0)) {
      const { hideConfidential } = await import('./confidential.ts')
      outcome = await hideConfidential(outcome, reader.sources)
    }
  } finally {
    reader.done()
  }
  const { limits = {} } = outcome
  const judgement = judge(outcome, {
    failOn: options.text('fail-on') ?? limits.failOn ?? 'error',
    maxWarnings: options.number('max-warnings') ?? limits.maxWarnings,
  })
  await writeReports(reports, command.name, outcome, judgement, host)
  if (pretty) await show(outcome, judgement, reader, args, host)
  return { exit: judgement.exit, files: outcome.results.flatMap(({ file }) => file ?? []) }
}

async function show(
  outcome: Outcome,
  judgement: Judgement,
  { sources }: Reader,
  args: Arguments,
  host: Host,
): Promise<void> {
  for (const chunk of outcome.output) host.stdout.write(chunk)
  const { prettyReport } = await import('./report/pretty.ts')
  const report = prettyReport(outcome, judgement, {
    sources,
    quiet: args.options.has('quiet'),
    color: wantsColor(args, host),
    columns: host.stderr.columns ?? 80,
  })
  if (report !== '') host.stderr.write(report)
}

/** https://no-color.org and https://force-color.org: a variable counts when it is there and not empty. */
function wantsColor({ options }: Arguments, { env, stderr }: Host): boolean {
  if (options.has('no-color')) return false
  if (options.has('color')) return true
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return stderr.isTTY === true && env['TERM'] !== 'dumb'
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
