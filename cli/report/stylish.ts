import { visible } from '../../bindings/text/hidden.ts'
import { failureOf, printedLines, type Reporter } from './report.ts'
import { counted, shorten } from './words.ts'

/** Longer messages do not widen their column. */
const WIDEST = 80

/** A block for each document and a row for each finding, like ESLint's `stylish`. */
export const stylishReport: Reporter = (command, outcome, judgement) => {
  const printed = printedLines(outcome)
  const blocks = outcome.results
    .filter(({ diagnostics }) => diagnostics.length > 0)
    .map(({ file, diagnostics }) => {
      const rows = diagnostics.map(({ source, severity, detail, code, rule }) => [
        `${source.line}:${source.column}`,
        severity,
        visible(detail),
        `${code} ${rule}`,
      ])
      const widths = [0, 1, 2].map((column) =>
        rows.reduce((most, row) => Math.max(most, Math.min(row[column]!.length, WIDEST)), 0),
      )
      const lines = rows.map(([place, severity, detail, rule]) => {
        const cells = [place!.padStart(widths[0]!), severity!.padEnd(widths[1]!), detail!.padEnd(widths[2]!), rule!]
        return `  ${cells.join('  ')}`
      })
      return [shorten(visible(file ?? command)), ...lines, '', ''].join('\n')
    })
  const { errors, warnings, infos } = judgement
  const counts = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${counted(infos, 'info')}`
  const data = printed.length === 0 ? [] : [...printed, '']
  return `${[...data, `${blocks.join('')}${counts}`, ...failureOf(command, judgement)].join('\n')}\n`
}
