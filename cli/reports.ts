// The reports of a run and their destinations.

import type { Host } from './host.ts'
import type { Judgement } from './judge.ts'
import type { Common } from './options.ts'
import type { Outcome } from './outcome.ts'
import { FORMATS } from './report/report.ts'
import { save } from './save.ts'
import { UsageError } from './usage.ts'
import { writeData } from './writer.ts'

type WantedReport = Common['format'][number]

/** Checks the wanted reports: at most one goes to the terminal, `pretty` by default; the others go to files. */
export function readReports(reports: readonly WantedReport[]): readonly WantedReport[] {
  if (reports.some(({ choice, file }) => choice === 'pretty' && file !== undefined)) {
    throw new UsageError('invalid-value', '--format: pretty is for the terminal', 'as in --format markdown:FILE')
  }
  const [shown, second] = reports.filter(({ file }) => file === undefined)
  if (shown === undefined) return [...reports, { choice: 'pretty', file: undefined }]
  if (second === undefined) return reports
  const hint = `as in --format ${shown.choice} --format ${second.choice}:FILE`
  throw new UsageError('invalid-value', '--format: only one report can go to the terminal', hint)
}

/** Writes every report except `pretty`. */
export async function writeReports(
  reports: readonly WantedReport[],
  command: string,
  outcome: Outcome,
  judgement: Judgement,
  host: Host,
): Promise<void> {
  for (const { choice, file } of reports) {
    if (choice === 'pretty') continue
    const text = (await FORMATS[choice]())(command, outcome, judgement, host.version)
    if (file === undefined) writeData(host, text)
    else await save(host, file, text)
  }
}
