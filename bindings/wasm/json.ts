/**
 * JSON and its canonical form: calls into the core, which returns faults and offsets. bindings/document turns them into
 * words for people.
 * @module
 */
import { JSON_SURROGATE } from './faults.ts'
import { type Instance, instance, isWellFormed, LONE_SURROGATE } from './instance.ts'

/** The default nesting limit of containers. */
export const DEFAULT_DEPTH = 1024

/** A fault of a document: a code of core/faults.ts, and the UTF-8 offset where it was detected. */
export class Fault {
  readonly code: number
  readonly offset: number
  /** The offset of the first of two equal member names, otherwise -1. */
  readonly first: number

  constructor(code: number, offset: number, first: number) {
    this.code = code
    this.offset = offset
    this.first = first
  }
}

/** A number that a double cannot hold exactly, but that the reader accepted. */
export interface Warning {
  /** WARN_INTEGER: beyond 2^53 - 1. WARN_UNDERFLOW: reads as zero. */
  readonly code: number
  readonly offset: number
}

/** Entries of four words each (start, end, kind, next), in document order: core/json/tape.ts. */
export interface Tape {
  readonly words: Uint32Array<ArrayBuffer>
  readonly warnings: readonly Warning[]
}

const encoder = new TextEncoder()

/** Finds a lone surrogate: it has no UTF-8 form, and TextEncoder would silently replace it. */
export function loneSurrogate(text: string): Fault | undefined {
  if (isWellFormed(text)) return undefined
  const before = text.slice(0, text.search(LONE_SURROGATE))
  return new Fault(JSON_SURROGATE, encoder.encode(before).length, -1)
}

function faultOf(core: Instance, code: number): Fault {
  return new Fault(code, core.word(1), core.word(2) | 0)
}

/** Writes the document as input; returns its length, or the fault of a text that has no UTF-8 form. */
function put(core: Instance, input: Uint8Array | string): number | Fault {
  if (typeof input !== 'string') return core.write(input)
  return loneSurrogate(input) ?? core.writeText(input)
}

/** Canonical bytes. */
export function canonicalizeBytes(
  input: Uint8Array | string,
  maxDepth = DEFAULT_DEPTH,
): Uint8Array<ArrayBuffer> | Fault {
  const core = instance()
  const length = put(core, input)
  if (typeof length !== 'number') return length
  const written = core.exports.canonicalize(length, maxDepth)
  core.renew()
  return written < 0 ? faultOf(core, written) : core.copy(core.word(0), written)
}

/** True when the document is already in canonical form. */
export function isCanonicalBytes(input: Uint8Array | string, maxDepth = DEFAULT_DEPTH): boolean | Fault {
  const core = instance()
  const length = put(core, input)
  if (typeof length !== 'number') return length
  const answer = core.exports.isCanonical(length, maxDepth)
  core.renew()
  return answer < 0 ? faultOf(core, answer) : answer === 1
}

/** Canonical bytes without the values that the pointers name, and those values as written in the document. */
export function withoutBytes(
  json: Uint8Array | string,
  pointers: readonly string[],
  maxDepth = DEFAULT_DEPTH,
): { payload: Uint8Array<ArrayBuffer>; removed: (Uint8Array<ArrayBuffer> | undefined)[] } | Fault {
  const lone = typeof json === 'string' ? loneSurrogate(json) : undefined
  if (lone !== undefined) return lone
  const input = typeof json === 'string' ? encoder.encode(json) : json
  const core = instance()
  const texts = pointers.map((pointer) => encoder.encode(pointer))
  const pointersLength = texts.reduce((sum, text) => sum + 4 + text.length, 0)
  let at = core.reserve(pointersLength + input.length)
  const head = new DataView(core.bytes.buffer)
  for (const text of texts) {
    head.setUint32(at, text.length, true)
    core.bytes.set(text, at + 4)
    at += 4 + text.length
  }
  core.bytes.set(input, at)
  const written = core.exports.canonicalizeWithout(input.length, pointersLength, pointers.length, maxDepth)
  core.renew()
  if (written < 0) return faultOf(core, written)
  const found = core.word(5) >>> 2
  const removed = pointers.map((_, i) => {
    const start = core.words[found + 2 * i] as number
    return start === 0xffffffff ? undefined : input.slice(start, core.words[found + 2 * i + 1])
  })
  return { payload: core.copy(core.word(0), written), removed }
}

/** Stands for the next number, in text that `completeMarked` completes. */
export const NUMBER_MARK = 0xff
/** Stands before and after a part of a string that is not escaped. */
export const TEXT_MARK = 0xfe

/**
 * Completes marked text (core/jcs/marked.ts), given the bytes of its finite numbers. Calls `use` with the result and
 * clears it afterwards.
 *
 * @throws {RangeError} when the host gives no memory.
 */
export function completeMarked(numbers: Uint8Array, text: Uint8Array, use: (bytes: Uint8Array) => void): void {
  const core = instance()
  const at = core.reserve(numbers.length + text.length)
  core.bytes.set(numbers, at)
  core.bytes.set(text, at + numbers.length)
  const length = core.exports.completeMarked(text.length, numbers.length >>> 3)
  core.renew()
  if (length < 0) throw new RangeError('the host gives the core no more memory')
  const start = core.word(0)
  try {
    use(core.view(start, length))
  } finally {
    core.bytes.fill(0, at, start + length)
  }
}

/** The result of reading: the warnings, and the tape in the core's memory. */
export class ReadJson {
  readonly warnings: readonly Warning[]
  readonly #call: number
  readonly #start: number
  readonly #end: number

  constructor(core: Instance, entries: number) {
    this.warnings = warningsOf(core)
    this.#call = core.call
    this.#start = core.word(0) >>> 2
    this.#end = this.#start + 4 * entries
  }

  /** The words of the tape; undefined once the core has been used for something else. */
  words(core = instance()): Uint32Array<ArrayBuffer> | undefined {
    return core.call === this.#call ? core.words.slice(this.#start, this.#end) : undefined
  }
}

/** Reads a document strictly. */
export function readJson(input: Uint8Array, maxDepth = DEFAULT_DEPTH, core = instance()): ReadJson | Fault {
  const entries = core.exports.readTape(core.write(input), maxDepth)
  core.renew()
  return entries < 0 ? faultOf(core, entries) : new ReadJson(core, entries)
}

/** The tape of a document, with its warnings. */
export function readTape(input: Uint8Array, maxDepth = DEFAULT_DEPTH): Tape | Fault {
  // Keeps the instance: if this document makes it too large, the next `instance()` returns another one.
  const core = instance()
  const read = readJson(input, maxDepth, core)
  return read instanceof Fault ? read : { words: read.words(core)!, warnings: read.warnings }
}

const NO_WARNINGS: readonly Warning[] = []

function warningsOf(core: Instance): readonly Warning[] {
  const count = Math.min(core.word(3), 64)
  if (count === 0) return NO_WARNINGS
  const list = core.word(4) >>> 2
  return Array.from({ length: count }, (_, i) => ({
    code: core.words[list + 2 * i] as number,
    offset: core.words[list + 2 * i + 1] as number,
  }))
}
