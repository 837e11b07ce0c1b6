import { insertSchema } from '../bindings/adl/rules/document.ts'
import { applyEdits } from '../bindings/document/edit.ts'
import type { Document } from '../bindings/document/parse.ts'
import { read } from '../bindings/document/read.ts'
import { detectKind } from '../bindings/frame/detect.ts'

const SIGNATURE = ['security', 'attestation', 'signature']

/** Adds the `$schema` that editors use. Returns a document that is signed, has one, or is of another kind unchanged. */
export function withSchema(document: Document): Document {
  const { tape, lines, format } = document
  if (detectKind(document) !== 'adl' || tape.find(['$schema']) >= 0 || tape.find(SIGNATURE) >= 0) return document
  const { edits } = insertSchema(document)
  if (edits === undefined) return document
  return read(applyEdits(lines.bytes, edits), { format, bom: 'warn' }).document ?? document
}
