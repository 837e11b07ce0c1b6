// Findings as diagnostics of LSP, and their fixes as edits.
import { Lines } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic, Edit, SourceRange } from '../../bindings/document/types.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { withoutSecrets } from '../../bindings/text/secret-shapes.ts'
import { applyFixes } from '../validate/mend.ts'
import type { CheckedVersion, OpenDocument } from './documents.ts'
import { type Range, Text, type TextEdit } from './text.ts'

const SEVERITIES = { error: 1, warning: 2, info: 3 } as const
/** More than a person reads; some editors slow down. */
const MOST_SHOWN = 1000

/** The diagnostics of a file. Places of a file that is not open have no text: columns are those of the finding. */
export function diagnosticsOf(found: readonly Diagnostic[], document: OpenDocument | undefined): object[] {
  const text = document?.text ?? new Text('', 'utf-16')
  const read = document?.latest?.document
  return found.slice(0, MOST_SHOWN).map(({ code, severity, title, detail, source, fix, related = [] }) => {
    const hint = fix === undefined || detail.includes(fix.hint) ? [] : [`Hint: ${fix.hint}`]
    const places = document === undefined || read === undefined ? [] : related
    return {
      range: rangeIn(text, source),
      severity: SEVERITIES[severity],
      code,
      source: 'blazon',
      message: [`${title}: ${detail}`, ...hint].map(shownText).join('\n'),
      ...(places.length > 0 && {
        relatedInformation: places.map(({ pointer, message }) => ({
          location: { uri: document!.uri, range: rangeIn(text, read!.source(pointer)) },
          message: shownText(message),
        })),
      }),
    }
  })
}

/** Text of a finding, for a screen and for the logs of an editor. */
export const shownText = (text: string): string => visible(withoutSecrets(text))

/** The range of a finding; of one over several lines, its first line, because editors underline all of it. */
export function rangeIn(text: Text, { line, column, endLine, endColumn }: SourceRange): Range {
  const end = endLine === line ? endColumn : Math.max(column, text.line(line - 1).length + 1)
  return { start: text.position(line, column), end: text.position(line, end) }
}

/** The range between two byte offsets of a document. */
export function rangeOfBytes(text: Text, lines: Lines, start: number, end: number): Range {
  const [from, to] = [lines.position(start), lines.position(end)]
  return { start: text.position(from.line, from.column), end: text.position(to.line, to.column) }
}

export function textEdits({ text }: OpenDocument, bytes: Uint8Array, edits: readonly Edit[]): TextEdit[] {
  const lines = new Lines(bytes)
  return edits.map((edit) => ({ range: rangeOfBytes(text, lines, edit.offset, edit.endOffset), newText: edit.text }))
}

/** Applies every fix that `validate --fix` would. */
export async function fixAll(document: OpenDocument, { bytes, place, checking }: CheckedVersion): Promise<TextEdit[]> {
  const fixed = await applyFixes(bytes, (text) => checking.checker.check(text, place), place.file)
  return fixed.fixes === 0 ? [] : document.text.editsTo(decode(fixed.bytes))
}

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** The edits that `blazon fmt` would make; none for a document that it would not format. */
export async function formatEdits(document: OpenDocument, read: Document): Promise<TextEdit[]> {
  const bytes =
    read.format === 'json'
      ? (await import('../../bindings/document/fmt.ts')).formatJson(read)
      : (await import('../../bindings/document/yaml/fmt.ts')).formatYaml(read)
  return bytes === undefined ? [] : document.text.editsTo(decode(bytes))
}

/** True when two ranges have a place in common. */
export function overlap(a: Range, b: Range): boolean {
  const isBefore = (one: Range, other: Range) =>
    one.end.line < other.start.line || (one.end.line === other.start.line && one.end.character < other.start.character)
  return !isBefore(a, b) && !isBefore(b, a)
}
