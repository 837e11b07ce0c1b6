import type { Diagnostic } from '../../bindings/document/types.ts'
import { escapeHidden, visible } from '../../bindings/text/hidden.ts'
import { failureOf, type Reporter } from './report.ts'
import { shorten } from './words.ts'

/** TAP 14: a test point for each document, with its findings below it. Documents without errors pass. */
export const tapReport: Reporter = (command, { results }, judgement) => {
  const points = results.map(({ file, diagnostics }) => {
    const isOk = !diagnostics.some(({ severity }) => severity === 'error')
    return { isOk, name: file ?? command, lines: diagnostics.length === 0 ? [] : block(diagnostics) }
  })
  for (const name of failureOf(command, judgement)) points.push({ isOk: false, name, lines: [] })
  const lines = points.flatMap(({ isOk, name, lines }, i) => [
    `${isOk ? 'ok' : 'not ok'} ${i + 1} - ${description(name)}`,
    ...lines,
  ])
  return ['TAP version 14', `1..${points.length}`, ...lines, ''].join('\n')
}

/** Escapes `#`, which begins a directive such as `# SKIP`, and `\`. */
function description(name: string): string {
  return shorten(visible(name)).replace(/[\\#]/g, '\\$&')
}

/** YAML in the form of JSON, so that no text of a document can be read as YAML syntax. */
function block(diagnostics: readonly Diagnostic[]): string[] {
  const rows = diagnostics.map(({ severity, code, rule, detail, source }) => {
    const { line, column, pointer } = source
    return `    - ${escapeHidden(JSON.stringify({ severity, code, rule, line, column, pointer: shorten(pointer), message: detail }))}`
  })
  return ['  ---', '  findings:', ...rows, '  ...']
}
