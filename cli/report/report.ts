import { escapeHidden } from '../../bindings/text/hidden.ts'
import type { Judgement } from '../judge.ts'
import type { Common } from '../options.ts'
import type { Outcome } from '../outcome.ts'

type Format = Common['format'][number]['choice']

/** A report format: the whole outcome of a run as one text; `version` is that of this program. */
export type Reporter = (command: string, outcome: Outcome, judgement: Judgement, version: string) => string

/** The formats for data. `pretty` is for people and is handled elsewhere: report/pretty.ts. */
export const FORMATS = {
  json: async () => (await import('./json.ts')).jsonReport,
  sarif: async () => (await import('./sarif.ts')).sarifReport,
  junit: async () => (await import('./junit.ts')).junitReport,
  github: async () => (await import('./github.ts')).githubReport,
  markdown: async () => (await import('./markdown.ts')).markdownReport,
  adl: async () => (await import('./adl.ts')).adlReport,
} satisfies Readonly<Record<Exclude<Format, 'pretty'>, () => Promise<Reporter>>>

/** JSON without characters that a terminal obeys: JSON.stringify escapes only those below U+0020. */
export function jsonText(value: unknown): string {
  return `${escapeHidden(JSON.stringify(value, null, 2))}\n`
}
