import { loneSurrogate } from '../wasm/json.ts'
import { Document } from './document.ts'
import { faultToDiagnostic } from './faults.ts'
import type { Lines } from './lines.ts'
import { LARGEST_DOCUMENT, type ParseOptions, type ParseResult, parse, prepare } from './parse.ts'
import { parseYaml } from './yaml/parse.ts'

/**
 * Reads Markdown with YAML front matter: the front matter is the document, without it, an empty object. Front matter
 * without a line that ends it takes the whole text.
 */
export function parseText(source: Uint8Array | string, options: ParseOptions = {}): ParseResult {
  const prepared = prepare(source, options, LARGEST_DOCUMENT)
  const { bytes, lines, refused } = prepared
  if (refused) return { document: undefined, diagnostics: prepared.diagnostics }
  const { file } = options
  const fault = typeof source === 'string' ? loneSurrogate(source) : undefined
  if (fault !== undefined) return { document: undefined, diagnostics: [faultToDiagnostic(bytes, fault, file)] }
  const { end } = frontMatterOf(lines)
  const read = end === 0 ? parse('{}') : parseYaml(bytes.subarray(0, end), options)
  const { document, diagnostics } = read
  if (document === undefined) return read
  // Places and later readings are in the whole text.
  const whole = new Document(document.tape, 'yaml', lines, document.maxDepth, file, () => diagnostics)
  return { document: whole, diagnostics }
}

/** The text after the front matter of a document that was read from Markdown. */
export function bodyOf({ lines, format }: Document): Uint8Array {
  return lines.bytes.subarray(format === 'json' ? lines.bytes.length : frontMatterOf(lines).body)
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
