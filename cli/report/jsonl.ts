import { jsonLine, type Reporter } from './report.ts'

/** The members of `json` as lines: one for each result, then one for the summary. */
export const jsonlReport: Reporter = (command, { results }, { exit, failure: _, ...counts }) =>
  [...results, { version: 1, command, summary: { ...counts, exitCode: exit } }].map(jsonLine).join('')
