import { visible } from '../bindings/text/hidden.ts'
import { withoutSecrets } from '../bindings/text/secret-shapes.ts'
import { initSync } from '../bindings/wasm/instance.ts'
import type { Arguments } from './arguments.ts'
import type { Command } from './command.ts'
import { hideConfidential } from './confidential.ts'
import type { ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { judge } from './judge.ts'
import type { Common } from './options.ts'
import { type Outcome, Unreadable } from './outcome.ts'
import { Reader } from './reader.ts'
import { prettyReport, reasonInBrief } from './report/pretty.ts'
import { SHOWS_DATA } from './report/report.ts'
import { counted } from './report/words.ts'
import { readReports, writeReports } from './reports.ts'
import { sparing } from './save.ts'
import { UsageError } from './usage.ts'
import { clearScreen, writeData, writeWords } from './writer.ts'

interface Ran extends Pick<Outcome, 'results' | 'change'> {
  readonly exit: ExitCode
}

/** Runs a command, repeatedly when it watches its files. */
export async function execute(command: Command, args: Arguments, host: Host): Promise<ExitCode> {
  const { core } = host
  if (core !== undefined) initSync(core)
  const watches = 'watch' in args.options && args.options.watch === true
  for (;;) {
    // The new report replaces the old one and is drawn in one piece.
    if (watches && host.stderr.isTTY) clearScreen(host)
    const { exit, results, change } = await runOnce(command, args, host)
    if (change === undefined) return exit
    const { size } = new Set(results.map(({ file }) => file))
    if (!args.options.quiet) writeWords(host, `watching ${counted(size, 'file')}; Ctrl-C ends it\n`)
    if (!(await change())) return exit
  }
}

async function runOnce(command: Command, args: Arguments, outside: Host): Promise<Ran> {
  const { options } = args
  const begin = outside.now()
  const note = (line: string) => {
    if (options.verbose) writeWords(outside, `${visible(line)}\n`)
  }
  const reports = readReports(options.format)
  const shown = reports.find(({ file }) => file === undefined)?.choice
  const pretty = shown === 'pretty'
  const secrets = new Set<string>()
  const host = sparing(outside, secrets)
  const reader = new Reader(host, {
    secrets,
    maxDepth: options['max-depth'],
    stdinName: options['stdin-filepath'],
    allowNetwork: options['allow-network'],
    showProgress: outside.stderr.isTTY === true && pretty && !options.quiet && !options.verbose,
    note,
  })
  const keepsData = reports.some(({ choice }) => SHOWS_DATA.includes(choice))
  const printed: string[] = []
  const print = (...chunks: readonly (string | Uint8Array)[]) => {
    if (keepsData)
      for (const one of chunks.map((chunk) => (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())))
        printed.push(one)
    if (!pretty) return
    reader.done()
    for (const chunk of chunks) writeData(host, chunk)
  }
  const say = (line: string) => {
    if (!options.quiet) writeWords(host, `${line}\n`)
  }
  const { sources } = reader
  let outcome: Outcome
  try {
    outcome = await orUnreadable(() =>
      withUsage(command, args, () => command.run({ ...args, host, reader, print, say, note })),
    )
    if (outcome.results.some(({ diagnostics }) => diagnostics.length > 0)) {
      if (!outcome.isMasked) outcome = await hideConfidential(outcome, sources)
      outcome = (await import('./secrets.ts')).hideSecrets(outcome, sources)
    }
  } finally {
    reader.done()
  }
  for (const { file, kind, diagnostics } of outcome.results)
    if (file !== null) note(`${file}: ${kind ?? 'of no kind'}, ${counted(diagnostics.length, 'finding')}`)
  const { limits = {} } = outcome
  const judgement = judge(outcome, {
    failOn: options['fail-on'] ?? limits.failOn ?? 'error',
    maxWarnings: options['max-warnings'] ?? limits.maxWarnings,
  })
  if (printed.length > 0) outcome = { ...outcome, printed: withoutSecrets(printed.join('')) }
  await writeReports(reports, args.name.split(' ')[0]!, outcome, judgement, host)
  if (pretty) {
    // Some terminals report a width of 0 columns.
    const [color, columns] = [wantsColor(options, host), host.stderr.columns || 80]
    const report = prettyReport(outcome, judgement, { sources, quiet: options.quiet, color, columns })
    if (report !== '') writeWords(host, report)
  }
  // The JSON formats carry the exit code, and the pretty report its reason.
  const showsFailure = shown === 'json' || shown === 'jsonl' || (pretty && !options.quiet)
  if (!showsFailure && judgement.failure !== undefined) writeWords(host, reasonInBrief(outcome, judgement))
  note(`exit code ${judgement.exit} after ${Math.round(host.now() - begin)} ms`)
  return { ...outcome, exit: judgement.exit }
}

/** Runs a command, and adds its usage line to the error for a missing argument. */
async function withUsage(
  command: Command,
  { name }: Arguments,
  run: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== 'missing-argument') throw error
    const usage = `usage: blazon ${name} ${command.usage}`.trimEnd()
    throw new UsageError(error.code, error.message, `${error.hint}; ${usage}`)
  }
}

/** Runs a command. An unreadable file becomes its outcome instead of an error. */
async function orUnreadable(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Unreadable) return { results: [error.result], exit: error.exit }
    throw error
  }
}

/** https://no-color.org and https://force-color.org: a variable counts when it is set and not empty. */
function wantsColor(options: Common, host: Host): boolean {
  const { env } = host
  if (options['no-color']) return false
  if (options.color) return true
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return host.stderr.isTTY === true && env['TERM'] !== 'dumb'
}
