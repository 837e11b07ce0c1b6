import {
  DOUBLE,
  DOUBLE_RESULT,
  FIXED,
  FROM_SLOT,
  HOLD,
  INPUT_LENGTH,
  RETURNED,
  SLOT_ADDRESS,
  SLOT_LENGTH,
  WORD,
} from './program.ts'

/**
 * Runs a program (program.ts) on the bare exports of `module`. The answer has one record a call: its length, what
 * was returned, then each output behind its length. A call that failed has result words 1 and 2 for outputs.
 */
export function runProgram(module: WebAssembly.Module, program: Uint8Array): Uint8Array<ArrayBuffer> {
  const source = new Reader(program)
  const names = Array.from({ length: source.u32() }, () => new TextDecoder().decode(source.block()))
  const instances = new Map<number, Raw>()
  const slots = new Map<number, Place>()
  const records: Uint8Array[] = []

  for (let left = source.u32(); left > 0; left--) {
    const name = names[source.u32()]!
    const owner = source.u32()
    const raw = instances.get(owner) ?? new Raw(module)
    instances.set(owner, raw)

    const flags = source.u32()
    const block = source.block()
    const input =
      flags & FROM_SLOT ? slots.get(new DataView(block.buffer, block.byteOffset).getUint32(0, true))!.bytes! : block
    const slot = source.u32()
    raw.write(input)
    const args = Array.from({ length: source.u32() }, () => readArgument(source, input.length, slots))
    const result = raw.call[name]!(...args)
    const got = flags & DOUBLE_RESULT ? 0 : result

    const outputs = Array.from({ length: source.u32() }, () => readOutputs(source, raw, got)).flat()
    if (flags & DOUBLE_RESULT) outputs.push(doubleBytes(result))
    if (got < 0) outputs.push(u32Bytes(raw.word(1)), u32Bytes(raw.word(2)))
    records.push(frame([u32Bytes(got), ...outputs.map((output) => frame([output]))]))
    if (slot > 0 && got >= 0) {
      const bytes = raw.copy(raw.word(0), got)
      slots.set(slot, { bytes, address: flags & HOLD ? 0 : raw.keep(bytes), length: got })
    }
  }
  return concatenate(records)
}

/** Bytes in the module's memory. */
interface Place {
  address: number
  length: number
  /** The host's copy, of a slot. */
  bytes?: Uint8Array
}

class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  u32(): number {
    this.#at += 4
    return this.#view.getUint32(this.#at - 4, true)
  }

  /** Eight bytes, as both of the numbers that they can be. */
  eight(): { double: number; integer: number } {
    this.#at += 8
    return { double: this.#view.getFloat64(this.#at - 8, true), integer: this.#view.getUint32(this.#at - 8, true) }
  }

  block(): Uint8Array {
    const length = this.u32()
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

/** One instance as an embedder sees it: numbers in, numbers out, and a memory. */
class Raw {
  readonly call: Record<string, (...args: number[]) => number>
  readonly #memory: WebAssembly.Memory

  constructor(module: WebAssembly.Module) {
    const { memory, ...functions } = new WebAssembly.Instance(module, {}).exports
    this.#memory = memory as WebAssembly.Memory
    this.call = functions as typeof this.call
  }

  load(address: number): number {
    return new DataView(this.#memory.buffer).getUint32(address, true)
  }

  word(n: number): number {
    return this.load(this.call['result']!() + 4 * n)
  }

  copy(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, length).slice()
  }

  /** Begins a call. */
  write(input: Uint8Array): void {
    const at = this.call['reserve']!(input.length)
    if (at === 0) throw new Error(`no room for ${input.length} bytes`)
    // A view taken before would be detached if the memory grew.
    new Uint8Array(this.#memory.buffer).set(input, at >>> 0)
  }

  keep(blob: Uint8Array): number {
    this.write(blob)
    return this.call['keep']!(this.call['seal']!(blob.length), blob.length)
  }
}

function readArgument(source: Reader, inputLength: number, slots: Map<number, Place>): number {
  const kind = source.u32()
  const { double, integer } = source.eight()
  if (kind === DOUBLE) return double
  if (kind === INPUT_LENGTH) return inputLength
  if (kind === SLOT_ADDRESS) return slots.get(integer)!.address
  return kind === SLOT_LENGTH ? slots.get(integer)!.length : integer
}

function readOutputs(source: Reader, raw: Raw, got: number): Uint8Array[] {
  const kind = source.u32()
  const address = source.u32()
  const count = source.u32()
  const stride = source.u32()
  const limit = source.u32()
  if (got < 0) return []
  if (kind === WORD) return [u32Bytes(raw.word(count))]
  const units = Math.min(limit, count === RETURNED ? got : count >= FIXED ? count - FIXED : raw.word(count))
  const from = raw.word(address)
  return [raw.copy(from, units * stride)]
}

function u32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

function doubleBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, Number.isNaN(value) ? Number.NaN : value, true)
  return bytes
}

function frame(parts: Uint8Array[]): Uint8Array {
  return concatenate([u32Bytes(parts.reduce((sum, part) => sum + part.length, 0)), ...parts])
}

function concatenate(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
