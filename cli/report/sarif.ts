import type { Diagnostic, Edit, SourceRange } from '../../bindings/document/types.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { EXIT } from '../exit.ts'
import { fingerprintsOf } from '../fingerprint.ts'
import { failureOf, jsonText, type Reporter } from './report.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** SARIF 2.1.0, for code scanning. */
export const sarifReport: Reporter = (command, { results }, judgement, version) => {
  const { exit } = judgement
  const failures = failureOf(command, judgement).map((text) => ({ level: 'error', message: { text } }))
  const diagnostics = results.flatMap((result) => result.diagnostics)
  const fingerprints = results.flatMap(fingerprintsOf)
  const ids = [...new Set(diagnostics.map(ruleId))]
  const run = {
    tool: { driver: { name: 'blazon', version, rules: ids.map((id) => rule(diagnostics, id)) } },
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

function rule(diagnostics: readonly Diagnostic[], id: string) {
  const { title, spec } = diagnostics.find((diagnostic) => ruleId(diagnostic) === id)!
  return { id, shortDescription: { text: title }, help: { text: `${title} (${spec})` } }
}

function location({ source }: Diagnostic) {
  return {
    physicalLocation: {
      artifactLocation: { uri: fileUri(source.file) },
      region: regionOf(source),
    },
    logicalLocations: [{ fullyQualifiedName: source.pointer, kind: 'value' }],
  }
}

/** Shows a finding that spans lines at the first: a region without an end covers that line (SARIF 3.30.7, 3.30.8). */
function regionOf({ line, column, endLine, endColumn, offset, endOffset }: SourceRange) {
  const start = { startLine: line, startColumn: column }
  if (endLine !== line) return start
  return { ...start, endLine, endColumn, byteOffset: offset, byteLength: endOffset - offset }
}

function fix({ fix, source }: Diagnostic, edits: readonly Edit[]) {
  return {
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
  }
}

/** Writes a path as a relative URI reference (RFC 3986 section 4.2); URLs stay as they are. */
function fileUri(file = ''): string {
  if (/^https:/.test(file)) return file
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}
