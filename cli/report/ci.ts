import { catalogue } from '../../bindings/catalogue.ts'
import { formatPosition } from '../../bindings/document/finding.ts'
import type { Diagnostic, Edit, SourceRange } from '../../bindings/document/types.ts'
import { escapeHidden, visible } from '../../bindings/text/hidden.ts'
import { EXIT } from '../command.ts'
import { digestOf, fingerprintsOf } from '../fingerprint.ts'
import { failureOf, jsonText, markup, type Reporter, shorten } from './report.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** SARIF 2.1.0, for code scanning. */
export const sarifReport: Reporter = (command, { results }, judgement, version, { BLAZON_HOME: home = '' } = {}) => {
  const { exit } = judgement
  const failures = failureOf(command, judgement).map((text) => ({ level: 'error', message: { text } }))
  const diagnostics = results.flatMap((result) => result.diagnostics)
  const fingerprints = results.flatMap(fingerprintsOf)
  const ids = [...new Set(diagnostics.map(ruleId))]
  const run = {
    tool: {
      driver: {
        name: 'blazon',
        version,
        ...(REPOSITORY.test(home) && { informationUri: home }),
        rules: ids.map((id) => rule(diagnostics, id, home)),
      },
    },
    // Our columns count UTF-16 units, which SARIF section 3.14.17 lets a run declare.
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: exit !== EXIT.internal,
        exitCode: exit,
        // Code scanning refuses results without a place in a file.
        ...(failures.length > 0 && { toolExecutionNotifications: failures }),
      },
    ],
    results: diagnostics.map((diagnostic, i) => ({
      ruleId: ruleId(diagnostic),
      ruleIndex: ids.indexOf(ruleId(diagnostic)),
      level: LEVELS[diagnostic.severity],
      message: { text: visible(diagnostic.detail) },
      locations: [location(diagnostic)],
      partialFingerprints: { 'blazon/v1': fingerprints[i]! },
      ...(diagnostic.fix?.edits !== undefined && { fixes: [fix(diagnostic, diagnostic.fix.edits)] }),
    })),
  }
  return jsonText({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] })
}

const ruleId = ({ code, rule }: Diagnostic) => `${code}/${rule}`

/** Where the sources of Blazon are, which the action says: `https://github.example/owner/blazon`. */
const REPOSITORY = /^https:\/\/[\w.:-]+(?:\/[\w.-]+)+$/

function rule(diagnostics: readonly Diagnostic[], id: string, home: string) {
  const { title, spec, code } = diagnostics.find((diagnostic) => ruleId(diagnostic) === id)!
  const why = catalogue().find((row) => row.title === title && row.code === code)?.why
  return {
    id,
    shortDescription: { text: title },
    ...(why !== undefined && { fullDescription: { text: why } }),
    help: { text: `${title} (${spec})${why === undefined ? '' : `. ${why}`}` },
    // Each code stands with its reason and its examples in one file of the sources.
    ...(REPOSITORY.test(home) && { helpUri: `${home}/search?type=code&q=${code}` }),
  }
}

const location = ({ source }: Diagnostic) => ({
  physicalLocation: { artifactLocation: { uri: fileUri(source.file) }, region: regionOf(source) },
  logicalLocations: [{ fullyQualifiedName: source.pointer, kind: 'value' }],
})

/** Shows a finding that spans lines at the first: a region without an end covers that line (SARIF 3.30.7, 3.30.8). */
function regionOf({ line, column, endLine, endColumn, offset, endOffset }: SourceRange) {
  const start = { startLine: line, startColumn: column }
  if (endLine !== line) return start
  return { ...start, endLine, endColumn, byteOffset: offset, byteLength: endOffset - offset }
}

const fix = ({ fix, source }: Diagnostic, edits: readonly Edit[]) => ({
  description: { text: visible(fix!.hint) },
  artifactChanges: [
    {
      artifactLocation: { uri: fileUri(source.file) },
      replacements: edits.map(({ offset, endOffset, text }) => ({
        deletedRegion: { byteOffset: offset, byteLength: endOffset - offset },
        insertedContent: { text },
      })),
    },
  ],
})

/** Writes a path as a relative URI reference (RFC 3986 section 4.2); URLs stay as they are. */
function fileUri(file = ''): string {
  if (/^https:/.test(file)) return file
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const

/** Workflow commands of GitHub, which become annotations on the changed lines. */
export const githubReport: Reporter = (command, { results }, judgement) => {
  const lines = results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ severity, code, title, detail, source, fix }) => {
      const hint = fix === undefined ? '' : `%0Ahint: ${data(fix.hint)}`
      const properties = {
        ...(source.file !== undefined && { file: source.file }),
        line: String(source.line),
        col: String(source.column),
        // A finding that spans lines is shown at the first: an annotation of all of them would hide others.
        ...(source.endLine === source.line && { endLine: String(source.line), endColumn: String(source.endColumn) }),
        title: `${code} ${title}`,
      }
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
      return `::${COMMANDS[severity]} ${list.join(',')}::${data(detail)}${hint}\n`
    })
  return [...lines, ...failureOf(command, judgement).map((failure) => `::error::${data(failure)}\n`)].join('')
}

function data(text: string): string {
  // Line ends were made visible, so only the percent sign has to be escaped.
  return visible(text).replaceAll('%', '%25')
}

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const

/** GitLab's Code Quality report. Fingerprints survive moved lines, so that a merge request shows only new findings. */
export const gitlabReport: Reporter = (command, { results }, judgement) => {
  const issues = results.flatMap((result) => {
    const fingerprints = fingerprintsOf(result)
    return result.diagnostics.map(({ code, rule, severity, title, detail, source }, i) => {
      const path = pathOf(source.file ?? command)
      return {
        description: visible(`${title}: ${detail}`),
        check_name: `${code}/${rule}`,
        fingerprint: digestOf([path, fingerprints[i]!]),
        severity: SEVERITIES[severity],
        location: { path, lines: { begin: source.line } },
      }
    })
  })
  const failures = failureOf(command, judgement).map((description) => ({
    description,
    check_name: `blazon ${command}`,
    fingerprint: digestOf([command, description]),
    severity: SEVERITIES.error,
    location: { path: pathOf(results[0]?.file ?? command), lines: { begin: 1 } },
  }))
  return jsonText([...issues, ...failures])
}

/** A path from the root of the repository, without `./`. */
const pathOf = (file: string): string => visible(file.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, ''))

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

const failedSuite = (command: string, text: string): string =>
  [
    `  <testsuite name="blazon ${command}" tests="1" failures="1" errors="0">`,
    `    <testcase classname="blazon" name="${command}"><failure message="${text}"/></testcase>`,
    '  </testsuite>',
  ].join('\n')

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
const description = (name: string): string => shorten(visible(name)).replace(/[\\#]/g, '\\$&')

/** YAML in the form of JSON, so that no text of a document can be read as YAML syntax. */
function block(diagnostics: readonly Diagnostic[]): string[] {
  const rows = diagnostics.map(({ severity, code, rule, detail, source }) => {
    const { line, column, pointer } = source
    return `    - ${escapeHidden(JSON.stringify({ severity, code, rule, line, column, pointer: shorten(pointer), message: detail }))}`
  })
  return ['  ---', '  findings:', ...rows, '  ...']
}
