/**
 * JSON and its canonical form: calls into the core, faults and offsets as they come back. Words for people are
 * bindings/document's business.
 * @module
 */
import { type Instance, instance } from './instance.ts'
import { isWellFormed, LONE_SURROGATE } from './utf8.ts'

/** Containers inside of containers, when the caller does not say. */
export const DEFAULT_DEPTH = 1024

/** What is wrong with a document: a number of core/faults.ts and the UTF-8 offset it was noticed at. */
export class Fault {
  readonly code: number
  readonly offset: number
  /** Offset of the first of two equal member names, else -1. */
  readonly first: number

  constructor(code: number, offset: number, first: number) {
    this.code = code
    this.offset = offset
    this.first = first
  }
}

/** A value that reading let pass although a double cannot hold it. */
export interface Warning {
  /** 1: an integer beyond 2^53 - 1. 2: underflow to zero. */
  readonly code: number
  readonly offset: number
}

/** Entries of four words each (start, end, kind, next), in document order: core/json/tape.ts. */
export interface Tape {
  readonly words: Uint32Array<ArrayBuffer>
  readonly warnings: readonly Warning[]
}

const encoder = new TextEncoder()
const SURROGATE_FAULT = -17

/** Lone surrogates of a JavaScript string have no UTF-8: TextEncoder would replace them without a word. */
export function loneSurrogate(text: string): Fault | undefined {
  if (isWellFormed(text)) return undefined
  const before = text.slice(0, text.search(LONE_SURROGATE))
  return new Fault(SURROGATE_FAULT, encoder.encode(before).length, -1)
}

function faultOf(core: Instance, code: number): Fault {
  return new Fault(code, core.word(1), core.word(2) | 0)
}

/** Puts the document at the input; its length, or the fault of a text that has no UTF-8. */
function put(core: Instance, input: Uint8Array | string): number | Fault {
  if (typeof input !== 'string') return core.write(input)
  return loneSurrogate(input) ?? core.writeText(input)
}

/** Length of the canonical form, which result word 0 has the address of. */
function canonicalLength(core: Instance, input: Uint8Array | string, maxDepth: number): number | Fault {
  const length = put(core, input)
  if (typeof length !== 'number') return length
  const written = core.exports.canonicalize(length, maxDepth)
  core.renew()
  return written < 0 ? faultOf(core, written) : written
}

/** Canonical bytes as a view on the core's memory, valid until the next call. */
export function canonicalView(input: Uint8Array | string, maxDepth = DEFAULT_DEPTH): Uint8Array<ArrayBuffer> | Fault {
  const core = instance()
  const length = canonicalLength(core, input, maxDepth)
  return typeof length === 'number' ? core.view(core.word(0), length) : length
}

/** Canonical bytes. */
export function canonicalizeBytes(
  input: Uint8Array | string,
  maxDepth = DEFAULT_DEPTH,
): Uint8Array<ArrayBuffer> | Fault {
  const core = instance()
  const length = canonicalLength(core, input, maxDepth)
  return typeof length === 'number' ? core.copy(core.word(0), length) : length
}

/** Whether the document is its own canonical form. */
export function isCanonicalBytes(input: Uint8Array | string, maxDepth = DEFAULT_DEPTH): boolean | Fault {
  const core = instance()
  const length = put(core, input)
  if (typeof length !== 'number') return length
  const answer = core.exports.isCanonical(length, maxDepth)
  core.renew()
  return answer < 0 ? faultOf(core, answer) : answer === 1
}

/** Canonical bytes without the values that the pointers name, and those values as they stand in the document. */
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

/** Canonical bytes of many documents in one call; the results share one buffer. */
export function canonicalizeManyBytes(
  inputs: readonly (Uint8Array | string)[],
  maxDepth = DEFAULT_DEPTH,
): (Uint8Array<ArrayBuffer> | Fault)[] {
  const core = instance()
  const all = inputs.map((input) =>
    typeof input === 'string' ? (loneSurrogate(input) ?? encoder.encode(input)) : input,
  )
  const head = (all.length * 4 + 15) & ~15
  const total = all.reduce((sum, input) => sum + (input instanceof Fault ? 64 : (input.length + 64 + 15) & ~15), head)
  const at = core.reserve(total)
  let next = at + head
  all.forEach((input, i) => {
    const length = input instanceof Fault ? 0 : input.length
    core.words[(at >>> 2) + i] = length
    if (!(input instanceof Fault)) core.bytes.set(input, next)
    next += (length + 64 + 15) & ~15
  })
  const count = core.exports.canonicalizeMany(total, all.length, maxDepth)
  core.renew()
  if (count < 0) throw new RangeError(`the core refused a batch of ${total} bytes (${count})`)
  const table = core.word(0) >>> 2
  return all.map((input, i) => {
    if (input instanceof Fault) return input
    const [length, address, offset, first] = core.words.subarray(
      table + 4 * i,
      table + 4 * i + 4,
    ) as unknown as number[]
    return (length! | 0) < 0 ? new Fault(length! | 0, offset!, first! | 0) : core.copy(address!, length!)
  })
}

/** Reads a document strictly: what was let pass. Nothing of it is kept. */
export function readJson(input: Uint8Array, maxDepth = DEFAULT_DEPTH): readonly Warning[] | Fault {
  const core = instance()
  const entries = countEntries(core, input, maxDepth)
  return typeof entries === 'number' ? warningsOf(core) : entries
}

/** The tape of a document and what was let pass. */
export function readTape(input: Uint8Array, maxDepth = DEFAULT_DEPTH): Tape | Fault {
  const core = instance()
  const entries = countEntries(core, input, maxDepth)
  if (typeof entries !== 'number') return entries
  const tape = core.word(0) >>> 2
  return { words: core.words.slice(tape, tape + 4 * entries), warnings: warningsOf(core) }
}

/** Entries of the tape, which result word 0 has the address of. */
function countEntries(core: Instance, input: Uint8Array, maxDepth: number): number | Fault {
  const entries = core.exports.readTape(core.write(input), maxDepth)
  core.renew()
  return entries < 0 ? faultOf(core, entries) : entries
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
