import { escapeHidden, visible } from '../../bindings/text/hidden.ts'
import type { Common } from '../command.ts'
import type { Judgement } from '../execute.ts'
import type { Outcome } from '../outcome.ts'

type Format = Common['format'][number]['choice']

/** A report format: the whole outcome of a run as one text; `version` is that of this program. */
export type Reporter = (command: string, outcome: Outcome, judgement: Judgement, version: string) => string

/** The line about a failed run without errors, which every report contains. */
export function failureOf(command: string, { exit, failure }: Judgement): readonly string[] {
  return failure === undefined ? [] : [visible(`blazon ${command}: exit code ${exit}, ${failure}`)]
}

/** The formats for data. `pretty` is for people: report/pretty.ts. */
export const FORMATS = {
  stylish: async () => (await import('./stylish.ts')).stylishReport,
  json: async () => (await import('./data.ts')).jsonReport,
  jsonl: async () => (await import('./data.ts')).jsonlReport,
  sarif: async () => (await import('./ci.ts')).sarifReport,
  junit: async () => (await import('./ci.ts')).junitReport,
  github: async () => (await import('./ci.ts')).githubReport,
  gitlab: async () => (await import('./ci.ts')).gitlabReport,
  markdown: async () => (await import('./pages.ts')).markdownReport,
  html: async () => (await import('./pages.ts')).htmlReport,
  tap: async () => (await import('./ci.ts')).tapReport,
  adl: async () => (await import('./data.ts')).adlReport,
} satisfies Readonly<Record<Exclude<Format, 'pretty'>, () => Promise<Reporter>>>

/** The formats in which people read the printed data. */
export const SHOWS_DATA: readonly Format[] = ['stylish', 'markdown', 'html']

/** The printed data of a command as visible lines. */
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
