import { escapeHidden } from '../../bindings/document/hidden.ts'
import type { Outcome } from '../context.ts'
import type { Judgement } from '../judge.ts'

/** A format of reports: everything that a run came to, as one text; `version` is that of this program. */
export type Reporter = (command: string, outcome: Outcome, judgement: Judgement, version: string) => string

/** The formats that are data. `pretty` is for people and goes another way: report/pretty.ts. */
export const FORMATS = {
  json: async () => (await import('./json.ts')).jsonReport,
  sarif: async () => (await import('./sarif.ts')).sarifReport,
  junit: async () => (await import('./junit.ts')).junitReport,
  github: async () => (await import('./github.ts')).githubReport,
  markdown: async () => (await import('./markdown.ts')).markdownReport,
  adl: async () => (await import('./adl.ts')).adlReport,
} as const satisfies Readonly<Record<string, () => Promise<Reporter>>>

export type Format = keyof typeof FORMATS

/** JSON without characters that a terminal obeys, wherever they come from: JSON.stringify escapes only those below U+0020. */
export function jsonText(value: unknown): string {
  return `${escapeHidden(JSON.stringify(value, null, 2))}\n`
}
