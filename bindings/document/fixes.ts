// Edits of the user's own text. Strings in double quotes are strings in YAML too, so these are right in both.

import { visible } from '../text/hidden.ts'
import type { Document } from './document.ts'
import type { Diagnostic, Fix } from './types.ts'

const QUOTE = 0x22

/** Puts a string in the place of the scalar that a pointer names. */
export function replaceText(document: Document, pointer: string, text: string): Fix {
  return replace(document, pointer, JSON.stringify(text), `write ${visible(JSON.stringify(text))}`)
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

const COMMA = 0x2c
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Takes out the member that a pointer names, with its comma. Of YAML nothing is edited: comments belong to members. */
export function removeMember(document: Document, pointer: string): Fix {
  const hint = 'leave it out'
  const { keyStart, end } = document.range(pointer)!
  const { bytes } = document.lines
  if (document.format !== 'json' || keyStart === undefined) return { hint }
  let from = keyStart
  let to = end
  while (isSpace(bytes[to])) to++
  if (bytes[to] === COMMA) {
    to++
    while (isSpace(bytes[to])) to++
    return { hint, edits: [{ offset: from, endOffset: to, text: '' }] }
  }
  // The last member goes with the comma before it; the white space behind it stays.
  while (isSpace(bytes[from - 1])) from--
  if (bytes[from - 1] === COMMA) from--
  return { hint, edits: [{ offset: from, endOffset: end, text: '' }] }
}

/** The diagnostic with the hint of its fix alone: for documents that nobody changes unasked, such as signed ones. */
export function withoutEdits(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.fix?.edits === undefined ? diagnostic : { ...diagnostic, fix: { hint: diagnostic.fix.hint } }
}
