import { escapeHidden, visible } from '../../bindings/text/hidden.ts'
import { counted } from '../../bindings/text/words.ts'
import type { Common, Outcome } from '../command.ts'
import type { Judgement } from '../execute.ts'
import type { Host } from '../host.ts'

type Format = Common['format'][number]['choice']

export type Reporter = (
  command: string,
  outcome: Outcome,
  judgement: Judgement,
  version: string,
  env?: Host['env'],
) => string

/** The line about a failed run without errors, which every report contains. */
export function failureOf(command: string, { exit, failure }: Judgement): readonly string[] {
  return failure === undefined ? [] : [visible(`blazon ${command}: exit code ${exit}, ${failure}`)]
}

/** The formats for data. `pretty` is for people: report/pretty.ts. */
export const FORMATS = {
  stylish: async () => stylishReport,
  json: async () => jsonReport,
  jsonl: async () => jsonlReport,
  sarif: async () => (await import('./ci.ts')).sarifReport,
  junit: async () => (await import('./ci.ts')).junitReport,
  github: async () => (await import('./ci.ts')).githubReport,
  gitlab: async () => (await import('./ci.ts')).gitlabReport,
  markdown: async () => (await import('./pages.ts')).markdownReport,
  html: async () => (await import('./pages.ts')).htmlReport,
  tap: async () => (await import('./ci.ts')).tapReport,
  adl: async () => adlReport,
} satisfies Readonly<Record<Exclude<Format, 'pretty'>, () => Promise<Reporter>>>

/** The formats in which people read the printed data. */
export const SHOWS_DATA: readonly Format[] = ['stylish', 'markdown', 'html']

export function printedLines({ printed = '' }: Outcome, show: (text: string) => string = visible): readonly string[] {
  if (printed === '') return []
  const lines = printed.replace(/\n$/, '').split('\n')
  return lines.map((line) =>
    line
      .split('\t')
      .map((cell) => show(cell))
      .join('\t'),
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text for XML 1.0 and HTML, between tags or in an attribute, and makes hidden characters visible. */
export function markup(text: string): string {
  return visible(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/** A line of JSON Lines, without characters that control a terminal. */
export function jsonLine(value: unknown): string {
  return `${escapeHidden(JSON.stringify(value))}\n`
}

/** JSON without characters that control a terminal: JSON.stringify escapes only those below U+0020. */
export function jsonText(value: unknown): string {
  return `${escapeHidden(JSON.stringify(value, null, 2))}\n`
}

/** Longer messages do not widen their column. */
const WIDEST = 80

/** A block for each document and a row for each finding, like ESLint's `stylish`. */
const stylishReport: Reporter = (command, outcome, judgement) => {
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

/** Longer pointers and names are shortened in the middle: documents may be nested a million deep. */
const LONGEST = 200

export function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}…${text.slice(-LONGEST / 2)}`
}

export { counted } from '../../bindings/text/words.ts'

/** The parts that are present, in one line. */
export const phrase = (parts: readonly (string | false)[]) => parts.filter((part) => part !== false).join(', ')

/** Quotes a word of a shown command for the shell, if needed. */
export const word = (text: string) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The report in the form of docs/schema/cli-output.schema.json, the same for all commands. */
export const jsonReport: Reporter = (command, { results }, { exit, failure: _, ...counts }) =>
  jsonText({ version: 1, command, results, summary: { ...counts, exitCode: exit } })

/** The members of `json` as lines: one for each result, then one for the summary. */
export const jsonlReport: Reporter = (command, { results }, { exit, failure: _, ...counts }) =>
  [...results, { version: 1, command, summary: { ...counts, exitCode: exit } }].map(jsonLine).join('')

/** The form of section 16.1, which has only errors. */
const adlReport: Reporter = (_command, { results }) => {
  const errors = results
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ severity }) => severity === 'error')
    .map(({ code, title, detail, source: { pointer, line, column } }) => ({
      code,
      title,
      detail,
      source: { pointer, line, column },
    }))
  return jsonText({ errors })
}
