import type { Severity } from '../bindings/document/types.ts'
import { visible } from '../bindings/text/hidden.ts'
import { withoutSecrets } from '../bindings/text/secret-shapes.ts'
import { initSync } from '../bindings/wasm/instance.ts'
import {
  type Command,
  type Common,
  EXIT,
  EXIT_WORDS,
  type ExitCode,
  type Outcome,
  ownReason,
  type Sources,
  Unreadable,
  UsageError,
  worst,
} from './command.ts'
import type { Host } from './host.ts'
import { Reader } from './reader.ts'
import { prettyReport, reasonInBrief } from './report/pretty.ts'
import { counted, FORMATS, SHOWS_DATA } from './report/report.ts'
import type { Arguments } from './run.ts'
import { save, sparing } from './save.ts'
import { clearScreen, writeData, writeWords } from './writer.ts'

interface RunResult extends Pick<Outcome, 'results' | 'change'> {
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

async function runOnce(command: Command, args: Arguments, outside: Host): Promise<RunResult> {
  const { options } = args
  const begin = outside.now()
  const note = (line: string) => {
    if (options.verbose) writeWords(outside, `${visible(line)}\n`)
  }
  const reports = readReports(options.format)
  const pretty = reports.some(({ choice }) => choice === 'pretty')
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
    outcome = await outcomeOf(args, () => command.run({ ...args, host, reader, print, say, note }))
    if (outcome.results.some(({ diagnostics }) => diagnostics.length > 0))
      outcome = await (await import('./mask.ts')).withoutHidden(outcome, sources)
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
  await writeReports(reports, args, outcome, judgement, { host, sources })
  note(`exit code ${judgement.exit} after ${Math.round(host.now() - begin)} ms`)
  return { ...outcome, exit: judgement.exit }
}

/** Runs a command. An unreadable file becomes its outcome; the error for a missing argument gets the usage line. */
async function outcomeOf({ name }: Arguments, run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Unreadable) return { results: [error.result], exit: error.exit }
    if (!(error instanceof UsageError) || error.code !== 'missing-argument') throw error
    const { helpOf } = await import('./help.ts')
    const usage = `usage: blazon ${name} ${helpOf(name).usage}`.trimEnd()
    throw new UsageError(error.code, error.message, `${error.hint}; ${usage}`)
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

export interface Judgement {
  readonly files: number
  readonly valid: number
  readonly errors: number
  readonly warnings: number
  readonly infos: number
  readonly exit: ExitCode
  /** Why the run fails when no finding is an error. Every report shows it, so that none of them looks successful. */
  readonly failure: string | undefined
}

export interface Limits {
  /** The lowest severity that counts as a finding for the exit code. */
  readonly failOn: string
  readonly maxWarnings: number | undefined
}

export function judge(outcome: Outcome, { failOn, maxWarnings }: Limits): Judgement {
  const { results, exit: reported = EXIT.clean } = outcome
  const all = results.flatMap(({ diagnostics }) => diagnostics)
  const count = (severity: Severity) => all.filter((diagnostic) => diagnostic.severity === severity).length
  const [errors, warnings, infos] = [count('error'), count('warning'), count('info')]
  const tooMany =
    errors > 0 ||
    (failOn !== 'error' && warnings > 0) ||
    (failOn === 'info' && infos > 0) ||
    (maxWarnings !== undefined && warnings > maxWarnings)
  const unreadable = all.some(({ rule }) => rule === 'read/unreadable' || rule.startsWith('fetch/'))
  const exit = worst([reported, tooMany ? EXIT.findings : EXIT.clean, unreadable ? EXIT.unreadable : EXIT.clean])
  return {
    files: results.filter(({ file }) => file !== null).length,
    valid: results.filter(({ valid }) => valid).length,
    errors,
    warnings,
    infos,
    exit,
    failure: exit === EXIT.clean || errors > 0 ? undefined : (ownReason(outcome) ?? EXIT_WORDS[exit]),
  }
}

// The reports of a run and their destinations.

type WantedReport = Common['format'][number]

/** Checks the wanted reports: at most one goes to the terminal, `pretty` by default; the others go to files. */
function readReports(reports: readonly WantedReport[]): readonly WantedReport[] {
  if (reports.some(({ choice, file }) => choice === 'pretty' && file !== undefined))
    throw new UsageError('invalid-value', '--format: pretty is for the terminal', 'as in --format markdown:FILE')
  const [shown, second] = reports.filter(({ file }) => file === undefined)
  if (shown === undefined) return [...reports, { choice: 'pretty', file: undefined }]
  if (second === undefined) return reports
  const hint = `as in --format ${shown.choice} --format ${second.choice}:FILE`
  throw new UsageError('invalid-value', '--format: only one report can go to the terminal', hint)
}

async function writeReports(
  reports: readonly WantedReport[],
  { name, options }: Arguments,
  outcome: Outcome,
  judgement: Judgement,
  { host, sources }: { readonly host: Host; readonly sources: Sources },
): Promise<void> {
  for (const { choice, file } of reports) {
    if (choice === 'pretty') continue
    const text = (await FORMATS[choice]())(name.split(' ')[0]!, outcome, judgement, host.version, host.env)
    if (file === undefined) writeData(host, text)
    else await save(host, file, text)
  }
  const shown = reports.find(({ file }) => file === undefined)?.choice
  if (shown === 'pretty') {
    // Some terminals report a width of 0 columns.
    const [color, columns] = [wantsColor(options, host), host.stderr.columns || 80]
    const report = prettyReport(outcome, judgement, { sources, quiet: options.quiet, color, columns })
    if (report !== '') writeWords(host, report)
  }
  // The JSON formats carry the exit code, and the pretty report its reason.
  const showsFailure = shown === 'json' || shown === 'jsonl' || (shown === 'pretty' && !options.quiet)
  if (!showsFailure && judgement.failure !== undefined) writeWords(host, reasonInBrief(outcome, judgement))
}
