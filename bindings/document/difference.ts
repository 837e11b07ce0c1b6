// Finds the first place where the canonical forms of two documents differ. Walks both tapes in parallel, in canonical
// order, with an explicit stack.

import { escapeToken } from '../text/members.ts'
import type { Document } from './parse.ts'
import { ARRAY, NULL, NUMBER, OBJECT, STRING, type Tape } from './tape.ts'
import type { SourceRange } from './types.ts'

/**
 * What differs: two scalars (`value`), two types (`type`), an object's member that only one document has (`member`), or
 * an array's element that only one has (`element`).
 */
export type DifferenceKind = 'value' | 'type' | 'member' | 'element'

export interface Difference {
  readonly kind: DifferenceKind
  /** The value that differs, or that only one document has. */
  readonly pointer: string
  /** The offset of the first byte that differs between the canonical forms. */
  readonly canonicalOffset: number
  /**
   * Its place in each source: the container for a missing member or element; for two strings, from their first
   * difference on.
   */
  readonly a: SourceRange
  readonly b: SourceRange
  /** The document that has the member or element. */
  readonly only?: 'a' | 'b'
}

/** Two containers of the same kind, being compared. */
interface Frame {
  readonly object: boolean
  readonly pointer: string
  readonly a: readonly number[]
  readonly b: readonly number[]
  index: number
}

type DifferencePlace = Omit<Difference, 'canonicalOffset'>

/**
 * The first place at which the canonical forms of two documents differ; undefined when they are equal.
 *
 * @example
 * firstDifference(parse('{"b": 1, "a": [2]}').document, parse('{"a": [2.0, 3], "b": 1}').document)
 * // { kind: 'element', pointer: '/a/1', only: 'b', canonicalOffset: 7, a: { line: 1, column: 15, ... }, ... }
 */
export function firstDifference(a: Document, b: Document): Difference | undefined {
  const canonicalOffset = firstDifferentByte(a.canonical, b.canonical)
  if (canonicalOffset < 0) return undefined
  const found = findDifference(a, b)
  return found && { ...found, canonicalOffset }
}

function firstDifferentByte(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  let i = 0
  while (i < length && a[i] === b[i]) i++
  return i < length || a.length !== b.length ? i : -1
}

function findDifference(a: Document, b: Document): DifferencePlace | undefined {
  const stack: Frame[] = []
  let next: DifferencePlace | Frame | undefined = compareValues(a, b, 0, 0, '')
  for (;;) {
    if (next !== undefined && 'kind' in next) return next
    if (next !== undefined) stack.push(next)
    const frame = stack[stack.length - 1]
    if (frame === undefined) return undefined
    const i = frame.index++
    if (i >= frame.a.length && i >= frame.b.length) {
      stack.pop()
      next = undefined
    } else next = frame.object ? compareMembers(a, b, frame, i) : compareElements(a, b, frame, i)
  }
}

function compareElements(a: Document, b: Document, frame: Frame, i: number): DifferencePlace | Frame | undefined {
  const pointer = `${frame.pointer}/${i}`
  if (i >= frame.b.length) return onlyIn('a', 'element', a, b, frame.pointer, pointer)
  if (i >= frame.a.length) return onlyIn('b', 'element', a, b, frame.pointer, pointer)
  return compareValues(a, b, frame.a[i]!, frame.b[i]!, pointer)
}

function compareMembers(a: Document, b: Document, frame: Frame, i: number): DifferencePlace | Frame | undefined {
  const nameA = i < frame.a.length ? a.tape.text(frame.a[i]!) : undefined
  const nameB = i < frame.b.length ? b.tape.text(frame.b[i]!) : undefined
  if (nameA !== undefined && nameA === nameB) {
    return compareValues(a, b, frame.a[i]! + 1, frame.b[i]! + 1, `${frame.pointer}/${escapeToken(nameA)}`)
  }
  // Both are in canonical order and equal so far, so the other document lacks the name that sorts first.
  const only = nameB === undefined || (nameA !== undefined && nameA < nameB) ? 'a' : 'b'
  const name = only === 'a' ? nameA : nameB
  return onlyIn(only, 'member', a, b, frame.pointer, `${frame.pointer}/${escapeToken(name!)}`)
}

function compareValues(
  a: Document,
  b: Document,
  entryA: number,
  entryB: number,
  pointer: string,
): DifferencePlace | Frame | undefined {
  const kind = a.tape.kind(entryA)
  const kindB = b.tape.kind(entryB)
  if (kind !== kindB) {
    const what = isBoolean(kind) && isBoolean(kindB) ? 'value' : 'type'
    return { kind: what, pointer, a: a.source(pointer), b: b.source(pointer) }
  }
  if (kind === OBJECT || kind === ARRAY) {
    const object = kind === OBJECT
    return { object, pointer, a: childrenInOrder(a.tape, entryA), b: childrenInOrder(b.tape, entryB), index: 0 }
  }
  if (kind === NUMBER) {
    // Doubles are equal exactly when their canonical texts are; the canonical form of -0 is 0.
    if (Number(a.tape.source(entryA)) === Number(b.tape.source(entryB))) return undefined
    return { kind: 'value', pointer, a: a.source(pointer), b: b.source(pointer) }
  }
  if (kind !== STRING) return undefined
  const textA = a.tape.text(entryA)
  const textB = b.tape.text(entryB)
  if (textA === textB) return undefined
  const units = commonCharacters(textA, textB)
  return {
    kind: 'value',
    pointer,
    a: fromCharacter(a, a.source(pointer), units),
    b: fromCharacter(b, b.source(pointer), units),
  }
}

function isBoolean(kind: number): boolean {
  return kind > NULL && kind < NUMBER
}

/** A container's elements, or its names in UTF-16 order (RFC 8785 section 3.2.3). */
function childrenInOrder(tape: Tape, container: number): number[] {
  const children = tape.children(container)
  if (tape.kind(container) === ARRAY) return children
  const names = new Map(children.map((child) => [child, tape.text(child)]))
  return children.sort((x, y) => (names.get(x)! < names.get(y)! ? -1 : 1))
}

function onlyIn(
  only: 'a' | 'b',
  kind: 'member' | 'element',
  a: Document,
  b: Document,
  container: string,
  pointer: string,
): DifferencePlace {
  const inA = only === 'a'
  return { kind, pointer, only, a: a.source(inA ? pointer : container), b: b.source(inA ? container : pointer) }
}

/** The length of the common prefix in UTF-16 units, without splitting a surrogate pair. */
function commonCharacters(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i > 0 && /[\ud800-\udbff]/.test(a[i - 1]!) ? i - 1 : i
}

/**
 * The part of a string's range that begins after `units` UTF-16 units. For YAML it is the whole string, because its
 * line folding makes the offset hard to compute.
 */
function fromCharacter(document: Document, range: SourceRange, units: number): SourceRange {
  const { bytes, format } = document
  if (format === 'yaml') return range
  let at = range.offset + 1
  for (let seen = 0; seen < units; ) {
    const byte = bytes[at]!
    seen += byte >= 0xf0 ? 2 : 1
    if (byte === 0x5c) at += bytes[at + 1] === 0x75 ? 6 : 2
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
  }
  return { ...range, offset: at, ...document.position(at) }
}
