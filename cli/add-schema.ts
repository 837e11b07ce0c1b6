import { insertSchema } from '../bindings/adl/fixes.ts'
import { type Document, detectKind } from '../bindings/document/index.ts'
import { read } from '../bindings/document/read.ts'

const SIGNATURE = ['security', 'attestation', 'signature']

/** The definition with the `$schema` that editors check it by; what has one, is none or is signed stays as it is. */
export function withSchema(document: Document): Document {
  const { tape, lines, format } = document
  if (detectKind(document) !== 'adl' || tape.find(['$schema']) >= 0 || tape.find(SIGNATURE) >= 0) return document
  const edits = insertSchema(document).edits ?? []
  const parts = edits.map(({ offset, text }) => [lines.bytes.subarray(0, offset), text, lines.bytes.subarray(offset)])
  if (parts.length !== 1) return document
  const bytes = Buffer.concat(parts[0]!.map((part) => Buffer.from(part)))
  return read(bytes, { format, bom: 'warn' }).document ?? document
}
