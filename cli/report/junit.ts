import { formatPosition } from '../../bindings/document/finding.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { failureOf, markup, type Reporter } from './report.ts'

/** JUnit XML: a suite for each document, a failed case for each error, a passed case with a note for other findings. */
export const junitReport: Reporter = (command, { results }, judgement) => {
  const failed = failureOf(command, judgement).map((text) => failedSuite(command, markup(text)))
  const cases = results.reduce((sum, { diagnostics }) => sum + Math.max(1, diagnostics.length), failed.length)
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
  const head = `<testsuites name="blazon ${command}" tests="${cases}" failures="${judgement.errors + failed.length}" errors="0">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, ...failed, '</testsuites>', ''].join('\n')
}

function failedSuite(command: string, text: string): string {
  return [
    `  <testsuite name="blazon ${command}" tests="1" failures="1" errors="0">`,
    `    <testcase classname="blazon" name="${command}"><failure message="${text}"/></testcase>`,
    '  </testsuite>',
  ].join('\n')
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
