import { formatPosition } from '../../bindings/document/format.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { markup, type Reporter } from './report.ts'

/** JUnit's XML: a suite for each document, a failed case for each error, a passed one with a note for anything else. */
export const junitReport: Reporter = (command, { results }, { errors }) => {
  const cases = results.reduce((sum, { diagnostics }) => sum + Math.max(1, diagnostics.length), 0)
  const suites = results.map(({ file, diagnostics }) => {
    const name = markup(file ?? command)
    const failures = diagnostics.filter(({ severity }) => severity === 'error').length
    const inner =
      diagnostics.length === 0
        ? [`    <testcase classname="${name}" name="${command}"/>`]
        : diagnostics.map((diagnostic) => testCase(name, diagnostic))
    const head = `  <testsuite name="${name}" tests="${inner.length}" failures="${failures}" errors="0">`
    return [head, ...inner, '  </testsuite>'].join('\n')
  })
  const head = `<testsuites name="blazon ${command}" tests="${cases}" failures="${errors}" errors="0">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, '</testsuites>', ''].join('\n')
}

function testCase(classname: string, diagnostic: Diagnostic): string {
  const { severity, code, rule, title, detail, source } = diagnostic
  const name = markup(`${code} ${rule} at ${source.line}:${source.column}`)
  const text = markup(`${formatPosition(source)}: ${detail} (${source.pointer || 'the whole document'})`)
  const inner =
    severity === 'error'
      ? `<failure type="${markup(code)}" message="${markup(title)}">${text}</failure>`
      : `<system-out>${severity}: ${text}</system-out>`
  return `    <testcase classname="${classname}" name="${name}">${inner}</testcase>`
}
