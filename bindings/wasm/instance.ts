/**
 * Loads the module, owns its memory, and gives the other files of this folder access to both.
 * @module
 */
import ownModule from '#wasm'

/**
 * WebAssembly memory never shrinks. When a huge document has made an instance this large, it is replaced after the call
 * (0.3 ms); resident blobs are copied into the new one at their next use.
 */
const RECYCLE_BYTES = 64 << 20

/**
 * The bytes of compiled patterns and templates kept in one instance; beyond this, all are dropped and copied in again
 * on use.
 */
const RESIDENT_BYTES = 16 << 20

/** The largest input that the core accepts in one call (core/arena.ts). */
export const MOST_INPUT = 1 << 28

const encoder = new TextEncoder()

/** The number of calls that all instances have begun. */
let calls = 0

/**
 * An instance of the core with views of its memory. `bytes` and `words` become invalid when the memory grows: see
 * `renew`.
 */
export class Instance {
  readonly exports: CoreExports
  /** The number of the last call: its results stay in memory until the next call begins. */
  call = 0
  bytes: Uint8Array<ArrayBuffer>
  words: Uint32Array<ArrayBuffer>
  /** The index in `words` of the first result word. */
  readonly result: number

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as CoreExports
    this.bytes = new Uint8Array(this.exports.memory.buffer)
    this.words = new Uint32Array(this.exports.memory.buffer)
    this.result = this.exports.result() >>> 2
  }

  /**
   * Memory that grows gets a new ArrayBuffer and detaches the old one: call this after anything that can grow it.
   * Detached arrays have length 0. Testing that is free, while getting the memory's buffer costs 80 ns.
   */
  renew(): void {
    if (this.bytes.length === 0) {
      this.bytes = new Uint8Array(this.exports.memory.buffer)
      this.words = new Uint32Array(this.exports.memory.buffer)
    }
  }

  /** Result word `n` of the last call. */
  word(n: number): number {
    return this.words[this.result + n] as number
  }

  /** Begins a call with room for `length` bytes; returns their address. */
  reserve(length: number): number {
    const at = this.exports.reserve(length) >>> 0
    if (at === 0) throw new RangeError(`input of ${length} bytes is larger than the core takes (${MOST_INPUT})`)
    this.call = ++calls
    this.renew()
    return at
  }

  /** Begins a call with `input`; returns its length. */
  write(input: Uint8Array): number {
    const at = this.reserve(input.length) // first, because it may renew `bytes`
    this.bytes.set(input, at)
    return input.length
  }

  /** Begins a call with the UTF-8 of `text`; returns its length. The caller must refuse lone surrogates first. */
  writeText(text: string): number {
    // UTF-8 takes at most three bytes for a UTF-16 unit:
    // https://developer.mozilla.org/docs/Web/API/TextEncoder/encodeInto
    const most = text.length * 3
    // Counting the exact length is worth it only when that bound exceeds the limit.
    const at = this.reserve(most <= MOST_INPUT ? most : utf8Length(text))
    return encoder.encodeInto(text, this.bytes.subarray(at)).written
  }

  /** A view of memory, valid until the next call. */
  view(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(at, at + length)
  }

  /** A copy of bytes in memory. */
  copy(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(at, at + length)
  }
}

/** Replaces the package's own module. */
let given: WebAssembly.Module | undefined
let shared: Instance | undefined
/** The bytes of the blobs kept in the shared instance, and how often all were dropped. */
let resident = 0
let generation = 0

/** The instance shared by all short calls. */
export function instance(): Instance {
  if (shared !== undefined && shared.bytes.length <= RECYCLE_BYTES) return shared
  shared = new Instance(given ?? ownModule())
  resident = 0
  return shared
}

/** A separate instance for long-lived data: its memory is freed together with its owner. */
export function ownInstance(): Instance {
  return new Instance(given ?? ownModule())
}

/**
 * Switches to another build of the core, such as `blazon/core-baseline.wasm` on an engine without SIMD. Without an
 * argument, checks that the module works.
 */
export function initSync(other?: WebAssembly.Module): void {
  if (other !== undefined) {
    given = other
    shared = undefined
  }
  instance()
}

/**
 * A compiled pattern set or template. The copy here is the permanent one and is garbage-collected. The copy in
 * WebAssembly memory is only a cache, so nothing needs to be freed and nothing can leak.
 */
export class Resident {
  readonly #blob: Uint8Array
  #home: Instance | undefined
  #at = 0
  #generation = 0

  constructor(blob: Uint8Array) {
    this.#blob = blob
  }

  /** The address of the blob in `instance()`; copies it there if needed. Call it before `reserve`. */
  at(): number {
    const home = instance()
    if (this.#home === home && this.#generation === generation) return this.#at
    const length = this.#blob.length
    if (resident + length > RESIDENT_BYTES) {
      home.exports.release()
      resident = 0
      generation++
    }
    home.write(this.#blob)
    const at = home.exports.keep(home.exports.seal(length), length) >>> 0
    if (at === 0) throw new RangeError('the host gives the core no more memory')
    home.renew()
    resident += length
    this.#home = home
    this.#at = at
    this.#generation = generation
    return at
  }
}

/**
 * The exports of both builds of the module, as named in docs/guide/abi.md. Addresses and lengths are unsigned 32-bit numbers,
 * which JavaScript sees as signed.
 */
interface CoreExports {
  readonly memory: WebAssembly.Memory
  abiVersion(): number
  result(): number
  reserve(length: number): number
  seal(length: number): number
  keep(blob: number, length: number): number
  release(): void
  canonicalize(length: number, maxDepth: number): number
  isCanonical(length: number, maxDepth: number): number
  canonicalizeWithout(length: number, pointersLength: number, count: number, maxDepth: number): number
  completeMarked(length: number, numbers: number): number
  readTape(length: number, maxDepth: number): number
  formatNumber(x: number): number
  readNumber(length: number): number
  patternCheck(length: number, kind: number): number
  patternCompile(length: number, kind: number, flags: number, separator: number, count: number): number
  patternTest(length: number, blob: number, blobLength: number): number
  patternMatchFirst(length: number, blob: number, blobLength: number, separator: number, count: number): number
  patternMatchAll(length: number, blob: number, blobLength: number, separator: number, count: number): number
  templateCompile(length: number): number
  templateRender(length: number, blob: number, blobLength: number, limit: number): number
  indexOpen(members: number, seedA: number, seedB: number): number
  indexSize(): number
  indexBytes(): number
  indexAddRecord(length: number, reputation: number, availability: number, rating: number, excluded: number): number
  indexHas(length: number): number
  indexRemove(length: number): number
  indexSignals(length: number, reputation: number, availability: number, rating: number, excluded: number): number
  indexStatistics(length: number): number
  indexQuery(
    length: number,
    limit: number,
    least: number,
    tags: number,
    text: number,
    reputation: number,
    availability: number,
    rating: number,
    given: number,
  ): number
  indexSave(bytes: number, begin: number): number
  indexLoad(length: number): number
  sha256(length: number): number
  sha256Each(length: number): number
}

// Helpers for text in UTF-8, as the core reads it.

/** The number of bytes that `encodeInto` writes for a text. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    length += unit < 0x800 ? 1 : 2
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++
  }
  return length
}

/** With the `u` flag a surrogate pair is one character and does not match. */
export const LONE_SURROGATE = /\p{Surrogate}/u

/** True when a string is well-formed: a lone surrogate has no UTF-8 form. */
export function isWellFormed(value: string): boolean {
  return value.isWellFormed?.() ?? !LONE_SURROGATE.test(value)
}
