// Edits of the user's own text. A string in double quotes is valid in JSON and in YAML.
import { visible } from '../text/hidden.ts'
import type { Document } from './parse.ts'
import type { Diagnostic, Fix } from './types.ts'

const QUOTE = 0x22

/** Replaces the scalar that a pointer names with a string. */
export function replaceText(document: Document, pointer: string, text: string): Fix {
  return replace(document, pointer, JSON.stringify(text), `write ${visible(JSON.stringify(text))}`)
}

/** Replaces the scalar that a pointer names with a number or a boolean. */
export function replaceLiteral(document: Document, pointer: string, literal: string): Fix {
  return replace(document, pointer, literal, `write ${literal}, without quotes`)
}

function replace(document: Document, pointer: string, text: string, hint: string): Fix {
  const { start, end } = document.range(pointer)!
  // A YAML block scalar ends where its indentation does, so its range cannot simply be replaced.
  const first = String.fromCharCode(document.lines.bytes[start]!)
  return /[|>&!*]/.test(first) ? { hint } : { hint, edits: [{ offset: start, endOffset: end, text }] }
}

/** Renames the member that a pointer names. The name comes from a vocabulary, so it needs no escapes. */
export function renameMember(document: Document, pointer: string, name: string, hint = `did you mean '${name}'?`): Fix {
  const { keyStart, keyEnd } = document.range(pointer)!
  if (keyStart === undefined || keyEnd === undefined) return { hint }
  const text = document.lines.bytes[keyStart] === QUOTE ? `"${name}"` : name
  return { hint, edits: [{ offset: keyStart, endOffset: keyEnd, text }] }
}

/** The remark that suggests another word, if there is one. */
export const didYouMean = (meant: string | undefined): { readonly fix?: Fix } =>
  meant === undefined ? {} : { fix: { hint: `did you mean ${meant}?` } }

const COMMA = 0x2c
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Removes the member that a pointer names, with its comma. Does not edit YAML, where a comment may belong to the
 * member.
 */
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
  // Removes the last member together with the comma before it; the white space after it stays.
  while (isSpace(bytes[from - 1])) from--
  if (bytes[from - 1] === COMMA) from--
  return { hint, edits: [{ offset: from, endOffset: end, text: '' }] }
}

/** The diagnostic with its hint but without edits: for documents that must not be changed, such as signed ones. */
export function withoutEdits(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.fix?.edits === undefined ? diagnostic : { ...diagnostic, fix: { hint: diagnostic.fix.hint } }
}

// JSON without insignificant white space. Strings, numbers and the order of members stay byte for byte.

const BACKSLASH = 0x5c
const SPACE = 0x20

/**
 * The document as JSON without white space between its tokens.
 *
 * @example
 * new TextDecoder().decode(compactJson(parse('{ "a": [1, 2.50] }').document)) // '{"a":[1,2.50]}'
 */
export function compactJson({ bytes }: Document): Uint8Array<ArrayBuffer> {
  const compact = new Uint8Array(bytes.length)
  let length = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) inString = !inString
    // Strings contain no raw control characters, so any byte up to a space is white space.
    else if (!inString && byte <= SPACE) continue
    compact[length++] = byte
    if (inString && byte === BACKSLASH) compact[length++] = bytes[++at]!
  }
  return compact.slice(0, length)
}
