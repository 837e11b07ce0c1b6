// Documents that are made of documents: JSON in, JSON out, and what is not touched stays byte for byte what it was.
import type { Document } from './document.ts'
import { formatJson } from './fmt.ts'
import { withMember } from './insert.ts'
import { parse } from './parse.ts'
import { OBJECT } from './tape.ts'

/** JSON of any depth that a document has had already. */
export function reread(bytes: Uint8Array, { file }: Document): Document {
  return parse(bytes, { maxDepth: 0xffffffff, ...(file !== undefined && { file }) }).document!
}

/** What was YAML, as people read JSON; numbers keep their digits. */
export function inJson(document: Document): Document {
  return document.format === 'json' ? document : reread(formatJson(reread(document.bytes, document)), document)
}

/** The document with a value at a pointer, the parents of which are objects or absent. */
export function withValue(document: Document, pointer: string, value: unknown): Document {
  return reread(withMember(document, pointer, value)!, document)
}

/** The document, an object, with those of its members only whose names pass. */
export function withMembers(document: Document, passes: (name: string) => boolean): Document {
  const { tape, bytes } = document
  if (tape.kind(0) !== OBJECT) throw new TypeError('document: expected a JSON object at the root')
  const names = tape.children(0)
  const kept = names.filter((name) => passes(tape.text(name)))
  if (kept.length === names.length) return document
  if (kept.length === 0) return reread(EMPTY, document)
  const last = names.at(-1)!
  // What stands before a name (white space) goes along with it; the first keeps what stood before the first.
  const parts = [bytes.subarray(tape.start(0), tape.start(names[0]!))]
  for (const [i, name] of kept.entries()) {
    if (i > 0) parts.push(COMMA, bytes.subarray(gapBefore(document, name), tape.start(name)))
    parts.push(bytes.subarray(tape.start(name), tape.end(name + 1)))
  }
  parts.push(bytes.subarray(tape.end(last + 1)))
  return reread(joined(parts), document)
}

const EMPTY = Uint8Array.of(0x7b, 0x7d)
const COMMA = Uint8Array.of(0x2c)

/** Where the white space before a name begins. */
function gapBefore({ bytes, tape }: Document, name: number): number {
  let at = tape.start(name)
  while (bytes[at - 1] !== EMPTY[0] && bytes[at - 1] !== COMMA[0]) at--
  return at
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
