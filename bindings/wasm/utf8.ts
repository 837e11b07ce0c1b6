/**
 * Text as the core sees it.
 * @module
 */

/** Bytes of UTF-8 that `encodeInto` writes for a text. */
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

/** With `u`, the halves of a pair are one character, and no surrogates. */
export const LONE_SURROGATE = /\p{Surrogate}/u

/** Whether a string is text: one with half a surrogate pair has no UTF-8. */
export function isWellFormed(value: string): boolean {
  return value.isWellFormed?.() ?? !LONE_SURROGATE.test(value)
}
