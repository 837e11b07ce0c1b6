/**
 * The program that every host runs on the bare exports: a list of calls, written as bytes that a C program reads as
 * easily as a browser does. Little-endian; `u32` lengths; see test/hosts/c/host.c and raw.ts for the two readers.
 *
 *     program = count of names, names            the exports it calls, each name behind its length
 *               count of calls, calls
 *     call    = name, instance, flags, input, slot       slot 0: the result is not kept
 *               count of arguments, arguments    (kind, 8 bytes)
 *               count of outputs, outputs        (kind, address, count, stride, limit): see `Output`
 */

export const LITERAL = 0
export const DOUBLE = 1
export const INPUT_LENGTH = 2
export const SLOT_ADDRESS = 3
export const SLOT_LENGTH = 4

/** An argument: a number as it is, or what the host knows at run time. */
export type Argument =
  | { kind: typeof LITERAL | typeof DOUBLE | typeof SLOT_ADDRESS | typeof SLOT_LENGTH; value: number }
  | { kind: typeof INPUT_LENGTH }

export const WORD = 0
export const BYTES = 1

/** Stands in `count` for the number that the call returned. */
export const RETURNED = 0xffff_ffff
/** Added to a `count` that is known beforehand; below it `count` is the number of a result word. */
export const FIXED = 0x8000_0000

/**
 * What a call that did not fail leaves.
 *
 *     WORD   the result word `count`
 *     BYTES  at the address in result word `address`: `count` units of `stride` bytes, no more than `limit` units
 */
export interface Output {
  kind: typeof WORD | typeof BYTES
  address: number
  count: number
  stride: number
  limit: number
}

/** The export returns a double. It is recorded as an output of 8 bytes (every NaN the same), behind a 0. */
export const DOUBLE_RESULT = 1
/** The slot holds the bytes in the host only: they are input for another instance. */
export const HOLD = 2
/** The input is what a slot holds; in its place stands the slot's number. */
export const FROM_SLOT = 4

export interface Call {
  name: string
  /** Which instance of the module runs it; made when first named. An index owns one. */
  instance?: number
  flags?: number
  input: Uint8Array
  args: Argument[]
  /** Keeps the bytes at word 0 (as many as were returned) for later calls, under this number from 1 up. */
  slot?: number
  outputs: Output[]
}

export const length: Argument = { kind: INPUT_LENGTH }
export const literal = (value: number): Argument => ({ kind: LITERAL, value })
export const double = (value: number): Argument => ({ kind: DOUBLE, value })
export const slotAddress = (slot: number): Argument => ({ kind: SLOT_ADDRESS, value: slot })
export const slotLength = (slot: number): Argument => ({ kind: SLOT_LENGTH, value: slot })

export const word = (n: number): Output => ({ kind: WORD, address: 0, count: n, stride: 0, limit: 0 })
const bytes = (address: number, count: number, stride: number, limit = 0x7fff_ffff): Output => {
  return { kind: BYTES, address, count, stride, limit }
}
/** At the address in word 0, `stride` bytes for each unit that the call returned. */
export const returned = (stride = 1): Output => at(0, stride)
/** At the address in word `address`, `stride` bytes for each unit that the call returned. */
export const at = (address: number, stride: number): Output => bytes(address, RETURNED, stride)
/** At the address in word `address`, `stride` bytes for each unit that word `count` says, `limit` units at the most. */
export const counted = (address: number, count: number, stride = 1, limit?: number): Output => {
  return bytes(address, count, stride, limit)
}
/** At the address in word `address`, `count` units of `stride` bytes. */
export const fixed = (address: number, count: number, stride: number): Output => bytes(address, FIXED + count, stride)

/** The bytes of a program. */
export function assemble(calls: readonly Call[]): Uint8Array<ArrayBuffer> {
  const names = [...new Set(calls.map((call) => call.name))]
  const out = new Writer()
  out.u32(names.length)
  for (const name of names) out.block(new TextEncoder().encode(name))
  out.u32(calls.length)
  for (const call of calls) {
    out.u32(names.indexOf(call.name))
    out.u32(call.instance ?? 0)
    out.u32(call.flags ?? 0)
    out.block(call.input)
    out.u32(call.slot ?? 0)
    out.u32(call.args.length)
    for (const argument of call.args) {
      out.u32(argument.kind)
      const value = 'value' in argument ? argument.value : 0
      if (argument.kind === DOUBLE) out.f64(value)
      else out.u64(value >>> 0)
    }
    out.u32(call.outputs.length)
    for (const output of call.outputs) {
      for (const field of [output.kind, output.address, output.count, output.stride, output.limit]) out.u32(field)
    }
  }
  return out.done()
}

class Writer {
  #bytes = new Uint8Array(1 << 16)
  #view = new DataView(this.#bytes.buffer)
  #at = 0

  #room(n: number): number {
    if (this.#at + n > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + n))
      grown.set(this.#bytes)
      this.#bytes = grown
      this.#view = new DataView(grown.buffer)
    }
    const at = this.#at
    this.#at += n
    return at
  }

  u32(value: number): void {
    const at = this.#room(4)
    this.#view.setUint32(at, value, true)
  }

  u64(value: number): void {
    this.u32(value)
    this.u32(0)
  }

  f64(value: number): void {
    const at = this.#room(8)
    this.#view.setFloat64(at, value, true)
  }

  block(value: Uint8Array): void {
    this.u32(value.length)
    const at = this.#room(value.length)
    this.#bytes.set(value, at)
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at)
  }
}
