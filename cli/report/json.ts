import type { Outcome } from '../context.ts'
import type { Judgement } from '../judge.ts'

/** The report that docs/schema/cli-output.schema.json describes: one for all commands. */
export function jsonReport(command: string, { results }: Outcome, { exit, ...counts }: Judgement): string {
  const report = { version: 1, command, results, summary: { ...counts, exitCode: exit } }
  // A terminal obeys control characters wherever they come from; JSON.stringify escapes only those below U+0020.
  const text = JSON.stringify(report, null, 2).replace(
    /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${text}\n`
}
