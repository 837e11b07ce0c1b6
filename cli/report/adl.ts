import { jsonText, type Reporter } from './report.ts'

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
