import { jsonText, type Reporter } from './report.ts'

/** The report of docs/schema/cli-output.schema.json, the same for all commands. */
export const jsonReport: Reporter = (command, { results }, { exit, failure: _, ...counts }) =>
  jsonText({ version: 1, command, results, summary: { ...counts, exitCode: exit } })
