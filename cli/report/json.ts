import { jsonText, type Reporter } from './report.ts'

/** The report in the form of docs/schema/cli-output.schema.json, the same for all commands. */
export const jsonReport: Reporter = (command, { results }, { exit, failure: _, ...counts }) =>
  jsonText({ version: 1, command, results, summary: { ...counts, exitCode: exit } })
