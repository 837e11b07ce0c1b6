import { resolve } from 'node:path'
import type { Arguments } from './arguments.ts'
import { hideConfidential } from './confidential.ts'
import type { Outcome, Run } from './context.ts'
import type { ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { type Judgement, judge } from './judge.ts'
import { Reader } from './reader.ts'
import { prettyReport } from './report/pretty.ts'
import { readReports, writeReports } from './reports.ts'

/** Runs a command, again and again when it is to watch its files. */
export async function execute(args: Arguments, host: Host): Promise<ExitCode> {
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
  const reader = new Reader(host, {
    maxDepth: options.number('max-depth'),
    stdinName: options.text('stdin-filepath'),
    allowNetwork: options.has('allow-network'),
    showProgress: host.stderr.isTTY === true && pretty && !options.has('quiet'),
  })
  let outcome: Outcome
  try {
    outcome = await run({ ...args, host, reader })
    if (outcome.results.some(({ diagnostics }) => diagnostics.length > 0)) {
      if (!outcome.isMasked) outcome = await hideConfidential(outcome, reader.sources)
      outcome = (await import('./secrets.ts')).hideSecrets(outcome, reader.sources)
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
  if (pretty) show(outcome, judgement, reader, args, host)
  return { exit: judgement.exit, files: outcome.results.flatMap(({ file }) => file ?? []) }
}

function show(outcome: Outcome, judgement: Judgement, { sources }: Reader, args: Arguments, host: Host): void {
  for (const chunk of outcome.output) host.stdout.write(chunk)
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
