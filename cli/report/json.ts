import { jsonText, type Reporter } from './report.ts'

/** The report that docs/schema/cli-output.schema.json describes: one for all commands. */
export const jsonReport: Reporter = (command, { results }, { exit, ...counts }) =>
  jsonText({ version: 1, command, results, summary: { ...counts, exitCode: exit } })
