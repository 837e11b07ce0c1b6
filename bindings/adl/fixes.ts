// Edits of the user's own text. Strings in double quotes are strings in YAML too, so these are right in both.
import type { Document } from '../document/document.ts'
import { formatPointer } from '../document/pointer.ts'
import type { Edit, Fix } from '../document/types.ts'

const QUOTE = 0x22
const BRACE = 0x7b

/** Puts a string in the place of the scalar that a pointer names. */
export function replaceText(document: Document, pointer: string, text: string): Fix {
  return replace(document, pointer, JSON.stringify(text), `write ${JSON.stringify(text)}`)
}

/** Puts a number or a boolean in the place of the scalar that a pointer names. */
export function replaceLiteral(document: Document, pointer: string, literal: string): Fix {
  return replace(document, pointer, literal, `write ${literal}, without quotes`)
}

function replace(document: Document, pointer: string, text: string, hint: string): Fix {
  const { start, end } = document.range(pointer)!
  // Block scalars of YAML end where their indentation does: nothing else may be put there.
  const first = String.fromCharCode(document.lines.bytes[start]!)
  return /[|>&!*]/.test(first) ? { hint } : { hint, edits: [{ offset: start, endOffset: end, text }] }
}

/** Gives another name to the member that a pointer names. The name is one of ours: it needs no escape. */
export function renameMember(document: Document, pointer: string, name: string, hint: string): Fix {
  const { keyStart, keyEnd } = document.range(pointer)!
  if (keyStart === undefined || keyEnd === undefined) return { hint }
  const text = document.lines.bytes[keyStart] === QUOTE ? `"${name}"` : name
  return { hint, edits: [{ offset: keyStart, endOffset: keyEnd, text }] }
}

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
    return start === first ? { hint, edits: [insertion(first, `$schema: ${SCHEMA}\n`)] } : { hint }
  }
  // Whatever stands before the first member stands before the second one then.
  const space = new TextDecoder().decode(bytes.subarray(start + 1, first))
  return /^\s*$/.test(space) ? { hint, edits: [insertion(first, `"$schema": "${SCHEMA}",${space || ' '}`)] } : { hint }
}

const insertion = (offset: number, text: string): Edit => ({ offset, endOffset: offset, text })
