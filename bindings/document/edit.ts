import { joinBytes } from '../text/bytes.ts'
import { parsePointer } from '../text/members.ts'
import { formatJson } from './fmt.ts'
import { beginsWithMark, type Document, parse } from './parse.ts'
import { OBJECT, type Tape } from './tape.ts'
import type { Edit } from './types.ts'

const encoder = new TextEncoder()

/** The line end of a text, taken from its first line. */
export const lineEnd = (bytes: Uint8Array): string => (bytes[bytes.indexOf(0x0a) - 1] === 0x0d ? '\r\n' : '\n')

/** The bytes with all edits applied. Edits refer to the original bytes and must not overlap. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { offset, endOffset, text } of [...edits].sort((a, b) => a.offset - b.offset)) {
    parts.push(bytes.subarray(at, offset), encoder.encode(text))
    at = endOffset
  }
  parts.push(bytes.subarray(at))
  return joinBytes(parts)
}

// Derives documents from documents, as JSON. Unchanged parts stay byte for byte.

/** Parses JSON without a depth limit: the original document has already passed one. */
function reread(bytes: Uint8Array, { file }: Document): Document {
  return parse(bytes, { maxDepth: 0xffffffff, ...(file !== undefined && { file }) }).document!
}

/** The document as JSON. YAML is formatted with its digits and its order; a byte order mark is removed. */
export function inJson(document: Document): Document {
  if (document.format === 'yaml') return reread(formatJson(document), document)
  return beginsWithMark(document.lines.bytes) ? reread(document.bytes.subarray(3), document) : document
}

/** The document with values at these pointers, whose parents must be objects or missing. */
export function withValues(document: Document, values: Values): Document {
  return values.length === 0 ? document : reread(insertValues(document, values)!, document)
}

/** The document, an object, with only those members whose names pass. */
export function withMembers(document: Document, passes: (name: string) => boolean): Document {
  return withEdits(
    document,
    cuts(document, 0, (name) => passes(document.tape.text(name))),
  )
}

/** The document with edits applied to its JSON. */
export function withEdits(document: Document, edits: readonly Edit[]): Document {
  return edits.length === 0 ? document : reread(applyEdits(document.bytes, edits), document)
}

/**
 * The edits that remove a container's children that do not pass, with their commas and the white space before them.
 *
 * @param passes receives tape entries: names in an object, elements in an array.
 */
export function cuts({ tape }: Document, container: number, passes: (child: number, index: number) => boolean): Edit[] {
  const children = tape.children(container)
  const toValue = tape.kind(container) === OBJECT ? 1 : 0
  const edits: Edit[] = []
  const cut = (offset: number, endOffset: number) => edits.push({ offset, endOffset, text: '' })
  const firstKept = children.findIndex(passes)
  if (children.length === 0 || firstKept === 0) {
    // No child before the first kept one needs to go.
  } else if (firstKept < 0) cut(tape.start(children[0]!), tape.end(children.at(-1)! + toValue))
  else cut(tape.start(children[0]!), tape.start(children[firstKept]!))
  for (const [i, child] of children.entries()) {
    if (firstKept < 0 || i <= firstKept || passes(child, i)) continue
    cut(tape.end(children[i - 1]! + toValue), tape.end(child + toValue))
  }
  return edits
}

const decoder = new TextDecoder()

/** Values at JSON Pointers. */
export type Values = readonly (readonly [pointer: string, value: unknown])[]

/**
 * The document's JSON with values at these pointers, none of which may lead into another.
 * A value replaces the existing one, or becomes a new last member; missing parents are created.
 * Everything else stays byte for byte, and new text follows the existing indentation and line ends.
 * Undefined when a parent is not an object.
 */
export function insertValues(document: Document, values: Values): Uint8Array<ArrayBuffer> | undefined {
  const { tape, bytes } = document
  const unit = indentation(document)
  const edits: Edit[] = []
  const added = new Map<number, Member[]>()
  for (const [pointer, value] of values) {
    const tokens = parsePointer(pointer)!
    const present = tape.find(tokens)
    if (present >= 0) {
      edits.push({ ...ends(tape, present), text: write(value, unit, tokens.length) })
      continue
    }
    let depth = tokens.length - 1
    while (tape.find(tokens.slice(0, depth)) < 0) depth--
    const container = tape.find(tokens.slice(0, depth))
    if (tape.kind(container) !== OBJECT) return undefined
    const nested = tokens.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
    const text = `${JSON.stringify(tokens[depth])}:${unit === '' ? '' : ' '}${write(nested, unit, depth + 1)}`
    added.set(container, [...(added.get(container) ?? []), { depth, text }])
  }
  for (const [container, members] of added) edits.push(insertion(tape, container, members, unit))
  // In JSON a raw line end can only stand between tokens, so all of them can be replaced.
  const end = lineEnd(bytes)
  return applyEdits(
    bytes,
    edits.map((edit) => ({ ...edit, text: edit.text.replaceAll('\n', end) })),
  )
}

interface Member {
  /** The nesting depth of its container. */
  readonly depth: number
  readonly text: string
}

/** The edit that appends members to a container. */
function insertion(tape: Tape, container: number, members: readonly Member[], unit: string): Edit {
  const { depth } = members[0]!
  const before = unit === '' ? '' : line(unit, depth + 1)
  const text = members.map((member) => before + member.text).join(',')
  const last = tape.children(container).at(-1)
  if (last !== undefined) return { offset: tape.end(last + 1), endOffset: tape.end(last + 1), text: `,${text}` }
  return { ...ends(tape, container), text: `{${text}${unit === '' ? '' : line(unit, depth)}}` }
}

const ends = (tape: Tape, entry: number) => ({ offset: tape.start(entry), endOffset: tape.end(entry) })

const line = (unit: string, depth: number) => `\n${unit.repeat(depth)}`

function write(value: unknown, unit: string, depth: number): string {
  if (unit === '') return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', line(unit, depth))
}

/** The indentation of the first member, when it has a line of its own. */
function indentation({ tape, bytes }: Document): string {
  if (tape.kind(0) !== OBJECT || tape.children(0).length === 0) return '  '
  const gap = decoder.decode(bytes.subarray(tape.start(0) + 1, tape.start(1)))
  return /^\s*\n([ \t]{1,8})$/.exec(gap)?.[1] ?? ''
}
