/**
 * Obtains the module, owns its memory, and lends both to the other files of this folder.
 * @module
 */
import ownModule from '#wasm'
import type { CoreExports } from './exports.ts'
import { utf8Length } from './utf8.ts'

/**
 * WebAssembly memory never shrinks. An instance that one huge document made this large is dropped after the call and
 * replaced (0.3 ms); blobs kept in it are copied into the new one at their next use.
 */
const RECYCLE_BYTES = 64 << 20

/**
 * Bytes of compiled patterns and templates resident in one instance; beyond this, all are forgotten and copied in again
 * on use.
 */
const RESIDENT_BYTES = 16 << 20

/** The most bytes that the core takes in one call (core/arena.ts). */
export const MOST_INPUT = 1 << 28

const encoder = new TextEncoder()

/** Calls that all instances began. */
let calls = 0

/** One instance of the core with views on its memory. `bytes` and `words` die when the memory grows: see `renew`. */
export class Instance {
  readonly exports: CoreExports
  /** The number of the last call: its results stay in the memory until the next one begins. */
  call = 0
  bytes: Uint8Array<ArrayBuffer>
  words: Uint32Array<ArrayBuffer>
  /** Index into `words` of the first result word. */
  readonly result: number

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as CoreExports
    this.bytes = new Uint8Array(this.exports.memory.buffer)
    this.words = new Uint32Array(this.exports.memory.buffer)
    this.result = this.exports.result() >>> 2
  }

  /**
   * A grown memory has a new ArrayBuffer and detaches the old one: call this after anything that can grow it. Detached
   * arrays have length 0; asking for that is free, while asking the memory for its buffer costs 80 ns.
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

  /** Begins a call with room for `length` bytes; returns where they go. */
  reserve(length: number): number {
    const at = this.exports.reserve(length) >>> 0
    if (at === 0) throw new RangeError(`input of ${length} bytes is larger than the core takes (${MOST_INPUT})`)
    this.call = ++calls
    this.renew()
    return at
  }

  /** Begins a call with `input`; returns its length. */
  write(input: Uint8Array): number {
    const at = this.reserve(input.length) // first, since it may renew `bytes`
    this.bytes.set(input, at)
    return input.length
  }

  /** Begins a call with the UTF-8 of `text`; returns its length. The caller has refused lone surrogates. */
  writeText(text: string): number {
    // Three bytes a UTF-16 unit is the most that UTF-8 takes: https://developer.mozilla.org/docs/Web/API/TextEncoder/encodeInto
    const most = text.length * 3
    // Counting the true length pays only when that bound exceeds the room.
    const at = this.reserve(most <= MOST_INPUT ? most : utf8Length(text))
    return encoder.encodeInto(text, this.bytes.subarray(at)).written
  }

  /** Bytes of the memory without a copy, valid until the next call. */
  view(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(at, at + length)
  }

  /** A copy of bytes of the memory. */
  copy(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(at, at + length)
  }
}

/** In place of the package's own. */
let given: WebAssembly.Module | undefined
let shared: Instance | undefined
/** Bytes of the blobs kept in the shared instance, and how often all were forgotten. */
let resident = 0
let generation = 0

/** The instance that all short calls share. */
export function instance(): Instance {
  if (shared !== undefined && shared.bytes.length <= RECYCLE_BYTES) return shared
  shared = new Instance(given ?? ownModule())
  resident = 0
  return shared
}

/** A separate instance for data too large to share: its memory goes when its owner does. */
export function ownInstance(): Instance {
  return new Instance(given ?? ownModule())
}

/**
 * Switches to another compilation of the core, such as `blazon/core-baseline.wasm` on an engine without SIMD. Without
 * an argument, makes sure that the module works.
 */
export function initSync(other?: WebAssembly.Module): void {
  if (other !== undefined) {
    given = other
    shared = undefined
  }
  instance()
}

/**
 * A compiled pattern set or template. The bytes here are the lasting copy and belong to the garbage collector;
 * the one in WebAssembly memory is a cache, so nothing needs freeing and nothing can leak.
 */
export class Resident {
  readonly #blob: Uint8Array
  #home: Instance | undefined
  #at = 0
  #generation = 0

  constructor(blob: Uint8Array) {
    this.#blob = blob
  }

  /** The address of the blob in `instance()`, which it is copied to if needed. Call before `reserve`. */
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
