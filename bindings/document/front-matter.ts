import { loneSurrogate } from '../wasm/json.ts'
import type { Lines } from './diagnose.ts'
import { faultToDiagnostic, markDiagnostic } from './faults.ts'
import { beginsWithMark, Document, LARGEST_DOCUMENT, type ParseResult, type parse, prepare } from './parse.ts'
import { OBJECT, Tape } from './tape.ts'
import type { Diagnostic } from './types.ts'

// Markdown with YAML front matter, which a reader of YAML reads.

/**
 * Reads Markdown with YAML front matter. The front matter is the document; a text without it has an empty object. Front
 * matter without a line that ends it takes the whole text. Places are in the whole text, which the document keeps.
 */
export function parseTextWith(reader: typeof parse, source: Uint8Array | string, options: parse.Options): ParseResult {
  const { bytes, lines, maxDepth, bom, diagnostics, refused } = prepare(source, options, LARGEST_DOCUMENT)
  const { file } = options
  const refuse = (...found: Diagnostic[]): ParseResult => ({ document: undefined, diagnostics: found })
  if (refused) return refuse(...diagnostics)
  const lone = typeof source === 'string' ? loneSurrogate(source) : undefined
  if (lone !== undefined) return refuse(faultToDiagnostic(bytes, lone, file))
  if (bom === 0 && beginsWithMark(bytes)) return refuse(markDiagnostic(lines, 'error', file))
  const documentOf = (tape: Tape, found: readonly Diagnostic[]) => {
    return { document: new Document(tape, 'yaml', lines, maxDepth, file, () => found), diagnostics: found }
  }
  const { end } = frontMatterOf(lines)
  if (end === 0) return documentOf(emptyObject(), diagnostics)
  const read = reader(bytes.subarray(0, end), options)
  return read.document === undefined ? read : documentOf(read.document.tape, read.diagnostics)
}

/** An empty object at the beginning of a text. */
function emptyObject(): Tape {
  return new Tape(new TextEncoder().encode('{}'), Uint32Array.of(0, 2, OBJECT, 1), new Uint32Array(2))
}

/** The text after the front matter of a document that was read from Markdown. */
export function bodyOf({ lines, format }: Document): Uint8Array {
  return lines.bytes.subarray(format === 'json' ? lines.bytes.length : frontMatterOf(lines).body)
}

/** True when no line ends the front matter. */
export function hasOpenFrontMatter({ lines, format }: Document): boolean {
  const { length } = lines.bytes
  return format !== 'json' && length > 0 && frontMatterOf(lines).end === length
}

/** The offsets where the front matter ends and where the body begins. */
function frontMatterOf(lines: Lines): { readonly end: number; readonly body: number } {
  if (!isFence(lines, 1)) return { end: 0, body: 0 }
  const { length } = lines.bytes
  let fence = 2
  while (fence <= lines.count && !isFence(lines, fence)) fence++
  if (fence > lines.count) return { end: length, body: length }
  return { end: lines.line(fence).offset, body: fence < lines.count ? lines.line(fence + 1).offset : length }
}

function isFence(lines: Lines, line: number): boolean {
  return lines.line(line).text.trimEnd() === '---'
}
