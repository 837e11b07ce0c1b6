/**
 * Helpers for text in UTF-8, as the core reads it.
 * @module
 */

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
