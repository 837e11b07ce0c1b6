// One style for JSON: two spaces, one member per line, short lists of scalars on one line. Strings and numbers stay
// byte for byte, and so does the order, unless the caller asks for the canonical one.

import { JsonText } from './json-text.ts'
import type { Document } from './parse.ts'
import { ARRAY, OBJECT, type Tape } from './tape.ts'

/** A list of scalars stays on one line if it fits within this many columns. */
const COLUMNS = 80

/** Deeper levels are not indented further: otherwise the result could be a thousand times as large as the document. */
const MOST_INDENTED = 64

/** A container that is being written. */
interface Level {
  readonly close: string
  readonly children: readonly number[]
  next: number
}

export declare namespace formatJson {
  interface Options {
    /** Puts members into canonical order (RFC 8785 section 3.2.3). */
    readonly sort?: boolean
  }
}

/**
 * The document as JSON in this style, with a final line end.
 *
 * @example
 * new TextDecoder().decode(formatJson(parse('{"b":[1,2.50],"a":{}}').document))
 * // '{\n  "b": [1, 2.50],\n  "a": {}\n}\n'
 */
export function formatJson({ tape }: Document, { sort = false }: formatJson.Options = {}): Uint8Array<ArrayBuffer> {
  const text = new JsonText()
  const levels: Level[] = []
  const open = (entry: number, column: number) => {
    const kind = tape.kind(entry)
    const scalar = kind !== ARRAY && kind !== OBJECT
    if (scalar || tape.next(entry) === entry + 1) text.copy(sourceOf(tape, entry))
    else if (kind === ARRAY && fitsOnLine(tape, entry, column)) writeLine(text, tape, entry)
    else {
      const children = tape.children(entry)
      if (sort && kind === OBJECT) sortByName(tape, children)
      text.ascii(kind === OBJECT ? '{' : '[')
      levels.push({ close: kind === OBJECT ? '}' : ']', children, next: 0 })
    }
  }
  open(0, 0)
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const child = level.children[level.next++]
    if (child === undefined) {
      levels.pop()
      newLine(text, levels.length)
      text.ascii(level.close)
      continue
    }
    if (level.next > 1) text.ascii(',')
    newLine(text, levels.length)
    const indent = 2 * Math.min(levels.length, MOST_INDENTED)
    if (level.close === ']') open(child, indent)
    else {
      text.copy(sourceOf(tape, child))
      text.ascii(': ')
      open(child + 1, indent + columnsOf(tape, child) + 2)
    }
  }
  text.ascii('\n')
  return text.bytes()
}

function newLine(text: JsonText, depth: number): void {
  text.ascii(`\n${'  '.repeat(Math.min(depth, MOST_INDENTED))}`)
}

/** True when an array contains only scalars and fits on the current line together with a comma. */
function fitsOnLine(tape: Tape, array: number, column: number): boolean {
  let end = column + 1
  for (let child = array + 1; child < tape.next(array); child++) {
    if (tape.next(child) !== child + 1 || isContainer(tape, child)) return false
    end += columnsOf(tape, child) + 2
    if (end > COLUMNS) return false
  }
  return true
}

function isContainer(tape: Tape, entry: number): boolean {
  return tape.kind(entry) === ARRAY || tape.kind(entry) === OBJECT
}

function writeLine(text: JsonText, tape: Tape, array: number): void {
  text.ascii('[')
  for (let child = array + 1; child < tape.next(array); child++) {
    if (child > array + 1) text.ascii(', ')
    text.copy(sourceOf(tape, child))
  }
  text.ascii(']')
}

/** A scalar as written, or an empty container without the white space in it. */
function sourceOf(tape: Tape, entry: number): Uint8Array {
  if (isContainer(tape, entry)) return tape.kind(entry) === OBJECT ? EMPTY_OBJECT : EMPTY_ARRAY
  return tape.bytes.subarray(tape.start(entry), tape.end(entry))
}

const EMPTY_OBJECT = Uint8Array.of(0x7b, 0x7d)
const EMPTY_ARRAY = Uint8Array.of(0x5b, 0x5d)

/** The width of a scalar or a name in characters. */
function columnsOf(tape: Tape, entry: number): number {
  let columns = 0
  for (let at = tape.start(entry); at < tape.end(entry); at++) if ((tape.bytes[at]! & 0xc0) !== 0x80) columns++
  return columns
}

function sortByName(tape: Tape, members: number[]): void {
  const names = new Map(members.map((member) => [member, tape.text(member)]))
  members.sort((a, b) => (names.get(a)! < names.get(b)! ? -1 : 1))
}
