import type { Vector } from '../content.ts'
import type { Call } from '../program.ts'

/** What one call answered: the number it returned and its outputs. */
export interface Answer {
  readonly got: number
  readonly outputs: readonly Uint8Array[]
}

/** How a vector becomes calls, and how the answer of the last of them reads in the words of the vectors. */
export interface Recipe {
  calls(vector: Vector, slots: Slots): Call[]
  read(answer: Answer, vector: Vector, names: FaultNames): Record<string, unknown>
}

export type FaultNames = ReadonlyMap<number, string>

/** Numbers the blobs that stay for later calls: one compilation serves all vectors that need it. */
export class Slots {
  readonly #numbers = new Map<string, number>()
  #instances = 0

  /** An instance that nothing else uses. */
  instance(): number {
    this.#instances++
    return this.#instances
  }

  /** A slot that nothing else uses. */
  slot(): number {
    return this.fill(`own ${this.#numbers.size}`, () => ({ name: '', input: NO_INPUT, args: [], outputs: [] })).slot
  }

  /** The slot of what `key` names, and the calls that fill it when it is new. */
  fill(key: string, compile: (slot: number) => Call): { slot: number; calls: Call[] } {
    const known = this.#numbers.get(key)
    if (known !== undefined) return { slot: known, calls: [] }
    const slot = this.#numbers.size + 1
    this.#numbers.set(key, slot)
    return { slot, calls: [compile(slot)] }
  }
}

export const NO_INPUT = new Uint8Array()

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
export const text = (bytes: Uint8Array): string => strict.decode(bytes)
// Copied by the constructor: an answer may be a Buffer, whose `slice` does not copy.
export const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(new Uint8Array(bytes).buffer)

export function readFault(code: number, outputs: readonly Uint8Array[], names: FaultNames): Record<string, unknown> {
  const [at, first] = outputs.map((output) => words(output)[0]! | 0)
  return { fault: names.get(code) ?? String(code), at, first }
}

/** Each text behind its length: how pointers, and much else, go in. */
export function joinTexts(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const encoded = texts.map((value) => new TextEncoder().encode(value))
  const joined = new Uint8Array(encoded.reduce((sum, bytes) => sum + 4 + bytes.length, 0))
  const view = new DataView(joined.buffer)
  let at = 0
  for (const bytes of encoded) {
    view.setUint32(at, bytes.length, true)
    joined.set(bytes, at + 4)
    at += 4 + bytes.length
  }
  return joined
}
