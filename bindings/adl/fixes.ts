import type { Document } from '../document/document.ts'
import { lineEnd } from '../document/edit.ts'
import type { Edit, Fix } from '../document/types.ts'
import { formatPointer } from '../text/pointer.ts'

const BRACE = 0x7b
const LINE_END = 0x0a

const SCHEMA = 'https://adl-spec.org/0.1/schema.json'

/** Adds `$schema` as the first member, in the style of the document. */
export function insertSchema(document: Document): Fix {
  const hint = `add "$schema": "${SCHEMA}"`
  const name = Object.keys(document.value as object)[0]
  const first = name === undefined ? undefined : document.range(formatPointer([name]))?.keyStart
  const { bytes } = document.lines
  const { start } = document.range('')!
  if (first === undefined) return { hint }
  if (bytes[start] !== BRACE) {
    // The first member may be indented, and then all members are.
    const before = new TextDecoder().decode(bytes.subarray(bytes.lastIndexOf(LINE_END, first) + 1, first))
    if (start !== first || !/^ *$/.test(before)) return { hint }
    return { hint, edits: [insertion(first, `$schema: ${SCHEMA}${lineEnd(bytes)}${before}`)] }
  }
  // The text before the first member moves before the second one.
  const space = new TextDecoder().decode(bytes.subarray(start + 1, first))
  return /^\s*$/.test(space) ? { hint, edits: [insertion(first, `"$schema": "${SCHEMA}",${space || ' '}`)] } : { hint }
}

const insertion = (offset: number, text: string): Edit => ({ offset, endOffset: offset, text })
