import { COMMON, type Common, type Options } from './command.ts'

import { answer, type Outcome } from './outcome.ts'
import { jsonlReport, jsonReport } from './report/data.ts'
import type { Reporter } from './report/report.ts'
import type { CommandMatch, Load, Table } from './run.ts'
import { EXIT_WORDS, UsageError } from './usage.ts'

const FORMATS: Readonly<Record<string, Reporter>> = { json: jsonReport, jsonl: jsonlReport }

/** Writes help as data, in the form of a report: the declarations of each command, and the common options. */
export async function dataHelp(
  { name, about, what }: CommandMatch,
  { choice, file }: Common['format'][number],
  version: string,
): Promise<string> {
  const format = FORMATS[choice]
  if (format === undefined || file !== undefined) {
    const wanted = file === undefined ? choice : `${choice}:${file}`
    throw new UsageError(
      'invalid-value',
      `--format: help cannot be written as ${wanted}`,
      'it is text, or json or jsonl on stdout',
    )
  }
  const help = { commands: await describe(name, about, what), options: optionsOf(COMMON), exitCodes: EXIT_WORDS }
  const outcome: Outcome = { results: [answer({ help })] }
  const { judge } = await import('./execute.ts')
  return format('help', outcome, judge(outcome, { failOn: 'error', maxWarnings: undefined }), version)
}

async function describe(name: string, about: string, what: Load | Table): Promise<readonly object[]> {
  if (typeof what !== 'function') {
    const inner = Object.entries(what).map(([word, [aim, next]]) => describe(`${name} ${word}`.trim(), aim, next))
    return (await Promise.all(inner)).flat()
  }
  const { usage, details, options, operands, examples } = (await what()).command
  return [{ name, about, usage, details, options: optionsOf(options), ...(operands && { operands }), examples }]
}

/** Returns the declarations alone; `needed` is an example for people. */
function optionsOf(options: Options): readonly object[] {
  return Object.entries(options).map(([name, { needed, ...declared }]) => {
    return { name, ...declared, ...(needed !== undefined && { required: true }) }
  })
}
