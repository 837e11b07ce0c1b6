import { insertSchema } from '../bindings/adl/fixes.ts'
import type { Document } from '../bindings/document/document.ts'
import { applyEdits } from '../bindings/document/edit.ts'
import { read } from '../bindings/document/read.ts'
import { detectKind } from '../bindings/frame/detect.ts'

const SIGNATURE = ['security', 'attestation', 'signature']

/**
 * The definition with the `$schema` that editors check it by. A signed document, one with a `$schema`, or one of
 * another kind stays as it is.
 */
export function withSchema(document: Document): Document {
  const { tape, lines, format } = document
  if (detectKind(document) !== 'adl' || tape.find(['$schema']) >= 0 || tape.find(SIGNATURE) >= 0) return document
  const { edits } = insertSchema(document)
  if (edits === undefined) return document
  return read(applyEdits(lines.bytes, edits), { format, bom: 'warn' }).document ?? document
}
