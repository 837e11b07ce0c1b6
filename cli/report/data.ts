import { jsonLine, jsonText, type Reporter } from './report.ts'

/** The report in the form of docs/schema/cli-output.schema.json, the same for all commands. */
export const jsonReport: Reporter = (command, { results }, { exit, failure: _, ...counts }) =>
  jsonText({ version: 1, command, results, summary: { ...counts, exitCode: exit } })

/** The members of `json` as lines: one for each result, then one for the summary. */
export const jsonlReport: Reporter = (command, { results }, { exit, failure: _, ...counts }) =>
  [...results, { version: 1, command, summary: { ...counts, exitCode: exit } }].map(jsonLine).join('')

/** The form of section 16.1, which has only errors. */
export const adlReport: Reporter = (_command, { results }) => {
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
