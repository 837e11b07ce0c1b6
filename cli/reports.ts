// Which reports a run writes, and where to.
import type { Outcome } from './context.ts'
import type { Host } from './host.ts'
import type { Judgement } from './judge.ts'
import { FORMATS, type Format } from './report/report.ts'
import { save } from './save.ts'
import { UsageError } from './usage.ts'

interface WantedReport {
  readonly format: Format | 'pretty'
  /** A file; undefined for the terminal. */
  readonly to: string | undefined
}

/** `FORMAT` or `FORMAT:FILE`, as often as one likes; one of them at most goes to the terminal, `pretty` when none does. */
export function readReports(texts: readonly string[]): readonly WantedReport[] {
  const reports = texts.map((text) => {
    const [, format = '', to] = /^([^:]*)(?::(.+))?$/.exec(text) ?? []
    if (format === 'pretty' && to !== undefined) {
      throw new UsageError('invalid-value', '--format: pretty is for the terminal', 'as in --format markdown:FILE')
    }
    return { format: format as Format | 'pretty', to }
  })
  const shown = reports.filter(({ to }) => to === undefined)
  if (shown.length === 0) return [...reports, { format: 'pretty', to: undefined }]
  if (shown.length === 1) return reports
  const hint = `as in --format ${shown[0]!.format} --format ${shown[1]!.format}:FILE`
  throw new UsageError('invalid-value', '--format: only one report can go to the terminal', hint)
}

/** Writes the reports that are data. */
export async function writeReports(
  reports: readonly WantedReport[],
  command: string,
  outcome: Outcome,
  judgement: Judgement,
  host: Host,
): Promise<void> {
  for (const { format, to } of reports) {
    if (format === 'pretty') continue
    const text = (await FORMATS[format]())(command, outcome, judgement, host.version)
    if (to === undefined) host.stdout.write(text)
    else await save(host, to, text)
  }
}
