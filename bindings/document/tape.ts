// Reads the tape that the core writes for a document (core/json/tape.ts): entries by index, values by pointer.

import { arrayIndex, escapeToken } from '../text/members.ts'
import { decodeString } from './locate.ts'

// Kinds of values; 1 is false and 2 is true.
export const NULL = 0
export const NUMBER = 3
export const STRING = 4
export const ARRAY = 5
export const OBJECT = 6

const WORDS = 4
const KIND = 7
const ESCAPED = 8

// A name may begin with U+FEFF.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The number of children that are scanned linearly; larger containers get an index. */
const MOST_SCANNED = 16

/**
 * The entries of a document's tape. Entry 0 is the document's value; a member has two entries: its name, then its
 * value.
 */
export class Tape {
  readonly bytes: Uint8Array
  readonly #words: Uint32Array
  readonly #places: Uint32Array | undefined
  /** Indexes of large containers that were searched: entries of elements, or of values by name. */
  readonly #elements = new Map<number, readonly number[]>()
  readonly #members = new Map<number, ReadonlyMap<string, number>>()

  /**
   * @param bytes valid JSON.
   * @param places start and end of each entry in the text that `bytes` was converted from; absent when `bytes` is the
   * source.
   */
  constructor(bytes: Uint8Array, words: Uint32Array, places?: Uint32Array) {
    this.bytes = bytes
    this.#words = words
    this.#places = places
  }

  start(entry: number): number {
    return this.#words[entry * WORDS]!
  }

  end(entry: number): number {
    return this.#words[entry * WORDS + 1]!
  }

  /** The place of an entry in the source: JSON, or the YAML that it was converted from. */
  placeStart(entry: number): number {
    return this.#places === undefined ? this.start(entry) : this.#places[2 * entry]!
  }

  placeEnd(entry: number): number {
    return this.#places === undefined ? this.end(entry) : this.#places[2 * entry + 1]!
  }

  kind(entry: number): number {
    return this.#words[entry * WORDS + 2]! & KIND
  }

  /** The entry after this one and everything in it; for a name, that is its value. */
  next(entry: number): number {
    return this.#words[entry * WORDS + 3]!
  }

  /** True when containers are nested deeper than this many levels. */
  isDeeperThan(levels: number): boolean {
    const open: number[] = []
    const end = this.next(0)
    for (let entry = 0; entry < end; entry++) {
      while (open.length > 0 && open.at(-1)! <= entry) open.pop()
      const kind = this.kind(entry)
      if (kind !== ARRAY && kind !== OBJECT) continue
      if (open.length >= levels) return true
      open.push(this.next(entry))
    }
    return false
  }

  /** The text of a string or a member name. */
  text(entry: number): string {
    const start = this.start(entry)
    const end = this.end(entry)
    if ((this.#words[entry * WORDS + 2]! & ESCAPED) !== 0) return decodeString(this.bytes, start, end)!
    return decoder.decode(this.bytes.subarray(start + 1, end - 1))
  }

  /** The source text of a value. */
  source(entry: number): string {
    return decoder.decode(this.bytes.subarray(this.start(entry), this.end(entry)))
  }

  /** The entries of a container's elements, or of its members' names, in document order. */
  children(container: number): number[] {
    const children: number[] = []
    const toValue = this.kind(container) === OBJECT ? 1 : 0
    const end = this.next(container)
    for (let child = container + 1; child < end; child = this.next(child + toValue)) children.push(child)
    return children
  }

  /** The last entry that begins at or before a byte offset. */
  entryAt(offset: number): number {
    let low = 0
    let high = this.#words.length / WORDS
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (this.start(middle) <= offset) low = middle
      else high = middle
    }
    return low
  }

  /**
   * The entry of the value at the end of a path, starting from the document's value or another entry; -1 if there is
   * none.
   */
  find(tokens: readonly string[], from = 0): number {
    let entry = from
    for (const token of tokens) {
      entry = this.#child(entry, token)
      if (entry < 0) return -1
    }
    return entry
  }

  /** The pointer of the innermost value that contains an offset in the source; a name belongs to its member's value. */
  pointerAt(offset: number): string {
    return this.#descend(
      (child, container) => this.placeStart(child) > offset || this.#hasSamePlace(child, container),
      (value) => offset < this.placeEnd(value),
    )
  }

  /** The pointer of an entry's value; for a name, the pointer of its member. */
  pointerOf(entry: number): string {
    return this.#descend(
      (child) => child > entry,
      (value) => entry < this.next(value),
    )
  }

  #child(container: number, token: string): number {
    const kind = this.kind(container)
    if (kind === ARRAY) return this.#element(container, arrayIndex(token))
    return kind === OBJECT ? this.#member(container, token) : -1
  }

  #element(array: number, index: number): number {
    if (index < 0) return -1
    if (index >= MOST_SCANNED) return this.#elementsOf(array)[index] ?? -1
    const end = this.next(array)
    let element = array + 1
    for (let i = 0; i < index && element < end; i++) element = this.next(element)
    return element < end ? element : -1
  }

  #elementsOf(array: number): readonly number[] {
    let elements = this.#elements.get(array)
    if (elements === undefined) {
      elements = this.children(array)
      this.#elements.set(array, elements)
    }
    return elements
  }

  #member(object: number, token: string): number {
    const end = this.next(object)
    let name = object + 1
    for (let i = 0; i < MOST_SCANNED && name < end; i++) {
      if (this.#isNamed(name, token)) return name + 1
      name = this.next(name + 1)
    }
    // An index compares a large object's names once: many long names that differ only at their ends are slow to scan.
    return name < end ? (this.#membersOf(object).get(token) ?? -1) : -1
  }

  #membersOf(object: number): ReadonlyMap<string, number> {
    let members = this.#members.get(object)
    if (members === undefined) {
      members = new Map(this.children(object).map((name) => [this.text(name), name + 1]))
      this.#members.set(object, members)
    }
    return members
  }

  /**
   * Compares without decoding: most names are ASCII. Only when both sides have a non-ASCII character is the name
   * decoded.
   */
  #isNamed(name: number, text: string): boolean {
    if ((this.#words[name * WORDS + 2]! & ESCAPED) !== 0) return this.text(name) === text
    const start = this.start(name) + 1
    const length = this.end(name) - 1 - start
    if (length < text.length) return false
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      const byte = this.bytes[start + i]!
      if (unit >= 0x80 && byte >= 0x80) return this.text(name) === text
      if (unit !== byte) return false
    }
    return length === text.length
  }

  /** Only values expanded from an alias share a place with their container: the alias itself. */
  #hasSamePlace(child: number, container: number): boolean {
    return this.placeStart(child) === this.placeStart(container) && this.placeEnd(child) === this.placeEnd(container)
  }

  /** Builds the pointer of a value by descending through the children that contain it. */
  #descend(behind: (child: number, container: number) => boolean, holds: (value: number) => boolean): string {
    let pointer = ''
    let container = 0
    for (;;) {
      const step = this.#step(container, behind, holds)
      if (step === undefined) return pointer
      pointer += `/${escapeToken(step.token)}`
      container = step.value
    }
  }

  #step(
    container: number,
    behind: (child: number, container: number) => boolean,
    holds: (value: number) => boolean,
  ): { token: string; value: number } | undefined {
    const kind = this.kind(container)
    if (kind !== ARRAY && kind !== OBJECT) return undefined
    const end = this.next(container)
    const toValue = kind === OBJECT ? 1 : 0
    for (let child = container + 1, index = 0; child < end; child = this.next(child + toValue), index++) {
      if (behind(child, container)) return undefined
      const value = child + toValue
      if (holds(value)) return { token: kind === OBJECT ? this.text(child) : String(index), value }
    }
    return undefined
  }
}
