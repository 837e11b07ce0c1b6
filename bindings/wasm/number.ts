/**
 * Reads JSON numbers and writes them as in RFC 8785, using the core.
 * @module
 */
import { type Instance, instance } from './instance.ts'

/** Up to this length, a loop over the characters is faster than TextEncoder. */
const SHORT = 64

const decoder = new TextDecoder()

/**
 * The shortest decimal that reads back as the same double, in the form of RFC 8785 section 3.2.2.3, from the core.
 * `String(value)` is faster and returns the same text; this function shows what the core writes into documents.
 *
 * @example
 * formatNumber(1e21) // '1e+21'
 * formatNumber(-0) // '0'
 *
 * @throws {TypeError} when the value is not a number.
 * @throws {RangeError} for NaN and the infinities, which JSON does not have.
 */
export function formatNumber(value: number): string {
  if (typeof value !== 'number') throw new TypeError(`value: expected a number, got ${typeof value}`)
  if (!Number.isFinite(value)) throw new RangeError(`value: expected a finite number, got ${value}`)
  const core = instance()
  core.reserve(0)
  const length = core.exports.formatNumber(value)
  if (length < 0) throw new RangeError('the host gives the core no more memory')
  core.renew()
  return decoder.decode(core.view(core.word(0), length))
}

/**
 * The double closest to a JSON number, ties to even; an infinity for a number beyond the largest double.
 *
 * @example
 * readNumber('0.1e1') // 1
 * readNumber('01') // NaN: not JSON
 *
 * @returns NaN when the text is not exactly one JSON number.
 * @throws {TypeError} when the text is not a string.
 */
export function readNumber(text: string): number {
  if (typeof text !== 'string') throw new TypeError(`text: expected a string, got ${typeof text}`)
  const core = instance()
  return core.exports.readNumber(text.length <= SHORT ? writeShort(core, text) : core.writeText(text))
}

/** Begins a call with a short ASCII text. For other texts it passes an empty one, which is not a number either. */
function writeShort(core: Instance, text: string): number {
  const { length } = text
  const at = core.reserve(length)
  const { bytes } = core // not earlier, because reserve may renew it
  let all = 0
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    bytes[at + i] = c
    all |= c
  }
  return all < 0x80 ? length : 0
}

/**
 * The version of the interface that docs/guide/abi.md describes, as the module in use states it.
 *
 * @example
 * abiVersion() // 2
 */
export function abiVersion(): number {
  return instance().exports.abiVersion()
}
