import { formatPosition } from '../../bindings/document/finding.ts'
import type { Diagnostic, Severity } from '../../bindings/document/types.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Judgement } from '../judge.ts'
import { type Outcome, ownReason, type Sources } from '../outcome.ts'
import { codeFrame } from './frame.ts'
import { type Style, styleFor } from './style.ts'
import { counted, shorten } from './words.ts'

export interface PrettyOptions {
  readonly sources: Sources
  readonly quiet: boolean
  readonly color: boolean
  readonly columns: number
}

/** The widest excerpt, even on a wider terminal. */
const WIDEST = 80

/** Findings with excerpts and a summary, for people. */
export function prettyReport(outcome: Outcome, judgement: Judgement, options: PrettyOptions): string {
  const style = styleFor(options.color)
  const all = outcome.results.flatMap(({ diagnostics }) => diagnostics)
  const shown = options.quiet ? all.filter(({ severity }) => severity === 'error') : all
  const parts = shown.map((diagnostic) => prettyDiagnostic(diagnostic, options, style))
  if (!options.quiet) {
    const counts = summary(judgement)
    if (counts !== '') parts.push(`${style.bold(counts)}\n`)
    const notes = (outcome.notes ?? []).map((note) => `${visible(note)}\n`)
    if (notes.length > 0) parts.push(notes.join(''))
  }
  return parts.join('\n')
}

/** Says in one line why a run fails: its own reason, or its first finding. */
export function reasonInBrief(outcome: Outcome, judgement: Judgement): string {
  const { exit, failure = '' } = judgement
  const [first] = outcome.results.flatMap(({ diagnostics }) => diagnostics)
  const reason =
    first === undefined || ownReason(outcome) !== undefined
      ? failure
      : `${formatPosition(first.source)} ${first.severity} ${first.code} ${first.title}; ${summary(judgement)} in all`
  return `${visible(reason)} (exit code ${exit})\n`
}

function prettyDiagnostic(diagnostic: Diagnostic, { sources, columns }: PrettyOptions, style: Style): string {
  const { severity, code, title, detail, source, related = [], fix, rule, spec } = diagnostic
  const paint = style[severity]
  const head = `${style.bold(visible(formatPosition(source)))} ${paint(`${severity} ${code}`)} ${style.bold(title)}`
  const rows = [head, `  ${visible(detail)}`]
  const lines = sources.get(source.file ?? '')
  const isText = lines !== undefined && lines.bytes.length > 0 && !lines.line(source.line).text.includes('\0')
  if (isText) {
    rows.push('')
    for (const { gutter, text, role } of codeFrame(lines, source, Math.min(columns, WIDEST))) {
      const left = `${role === 'line' ? paint('>') : ' '} ${style.dim(`${gutter} |`)}`
      rows.push(`${left} ${role === 'caret' ? paint(text) : text}`.trimEnd())
    }
    rows.push('')
  }
  const where = source.pointer === '' ? [] : [shorten(visible(source.pointer))]
  for (const { message } of related) rows.push(`  note: ${visible(message)}`)
  if (fix !== undefined) rows.push(`  hint: ${visible(fix.hint)}`)
  rows.push(style.dim(`  ${[...where, rule, spec].join(', ')}`))
  return `${rows.join('\n')}\n`
}

function summary({ errors, warnings, infos }: Judgement): string {
  const count = (n: number, severity: Severity) => (n === 0 ? [] : [counted(n, severity)])
  return [...count(errors, 'error'), ...count(warnings, 'warning'), ...count(infos, 'info')].join(', ')
}
