import type { Lines } from '../../bindings/document/diagnose.ts'
import { formatPosition } from '../../bindings/document/finding.ts'
import type { Diagnostic, Severity, SourceRange } from '../../bindings/document/types.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { type Outcome, ownReason, type Sources } from '../command.ts'
import type { Judgement } from '../execute.ts'
import { counted, shorten } from './report.ts'

interface PrettyOptions {
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

/** Context lines before and after the line of the finding. */
const AROUND = 2

/** The longest part of a line that can be shown; longer lines (minified documents) are cut before they are measured. */
const MOST_UNITS = 1000

interface FrameRow {
  /** The text left of the line: its number or spaces. */
  readonly gutter: string
  readonly text: string
  /** A line of context, the line of the finding, or the carets below it. */
  readonly role: 'context' | 'line' | 'caret'
}

/** An excerpt of the source around a range, with carets below it. No row is wider than `columns`. */
export function codeFrame(lines: Lines, source: SourceRange, columns: number): FrameRow[] {
  const first = Math.max(1, source.line - AROUND)
  const last = lastLine(lines, source.line)
  const digits = String(last).length
  const room = Math.max(20, columns - digits - 5)
  const shownLine = lines.line(source.line).text
  const endUnit = source.endLine === source.line ? source.endColumn - 1 : shownLine.length
  // All rows are cut at the same column, so that they stay aligned as in the source.
  const skip = Math.max(0, source.column - 1 - MOST_UNITS / 2)
  const before = cells(sliceWhole(shownLine, skip, source.column - 1))
  const marked = cells(sliceWhole(shownLine, source.column - 1, Math.min(endUnit, source.column - 1 + MOST_UNITS)))
  const width = cells(sliceWhole(shownLine, skip, skip + MOST_UNITS)).length
  const shift = width <= room ? 0 : Math.max(0, before.length - Math.floor(room / 3))
  const rows: FrameRow[] = []
  for (let number = first; number <= last; number++) {
    const text = lines.line(number).text
    const gutter = String(number).padStart(digits)
    const role = number === source.line ? 'line' : 'context'
    const shown = window(cells(sliceWhole(text, skip, skip + MOST_UNITS)), shift, room, skip > 0)
    rows.push({ gutter, text: shown, role })
    if (role === 'line') {
      const at = before.length - shift
      const length = Math.max(1, Math.min(marked.length, room - at))
      rows.push({ gutter: ' '.repeat(digits), text: ' '.repeat(at) + '^'.repeat(length), role: 'caret' })
    }
  }
  return rows
}

/** The last line to show, without the empty one after a final line end. */
function lastLine(lines: Lines, line: number): number {
  const last = Math.min(lines.count, line + AROUND)
  return last > line && last === lines.count && lines.line(last).text === '' ? last - 1 : last
}

/** Cuts a row of cells to the visible part, and marks the cuts. */
function window(row: readonly string[], shift: number, room: number, cutBefore: boolean): string {
  const shown = row.slice(shift, shift + room)
  if ((shift > 0 || cutBefore) && row.length > shift) shown[0] = '…'
  if (row.length > shift + room) {
    // Half a wide character would take a column too many.
    if (shown[room - 1] === '') shown[room - 2] = ' '
    shown[room - 1] = '…'
  }
  return shown.join('').trimEnd()
}

/** Cuts text at UTF-16 units, without half characters at its ends. */
function sliceWhole(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

/** A text of an agent or a document in at most this many columns. */
export function fitted(text: string, columns: number): string {
  return window(cells(sliceWhole(visible(text), 0, MOST_UNITS)), 0, columns, false)
}

/** One entry per terminal column; the second column of a wide character is empty. */
function cells(text: string): string[] {
  const row: string[] = []
  for (const character of text) {
    if (character === '\t') row.push(' ', ' ')
    else if (/\p{Mark}|\u200d|\ufe0f/u.test(character) && row.length > 0) row[row.length - 1] += character
    else if (isWide(character)) row.push(character, '')
    else row.push(visible(character))
  }
  return row
}

/** Characters that are two columns wide (Unicode annex 11, in the blocks of common scripts). */
const isWide = (character: string): boolean =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
    character,
  )

/** Terminal colors, or no change at all. Colors never carry meaning alone. */
interface Style {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
}

function styleFor(color: boolean): Style {
  const sgr = (code: number, end: number) => (text: string) =>
    color && text !== '' ? `\x1b[${code}m${text}\x1b[${end}m` : text
  return { error: sgr(31, 39), warning: sgr(33, 39), info: sgr(36, 39), dim: sgr(2, 22), bold: sgr(1, 22) }
}
