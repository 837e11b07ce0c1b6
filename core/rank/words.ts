// Splits text into words: runs of ASCII letters, ASCII digits and bytes of non-ASCII characters, ASCII letters lowered.
// Who wants other words (Unicode segmentation, stems) passes them ready-made (record.ts).

import { LONGEST_TERM } from "./terms";

let start: usize = 0;

/** Where the word that `nextWord` found begins. */
// @ts-ignore: decorator
@inline export function wordStart(): usize { return start; }

/** Its length: a longer word counts by its first LONGEST_TERM bytes. */
// @ts-ignore: decorator
@inline export function wordLength(end: usize): u32 { return min(<u32>(end - start), LONGEST_TERM); }

/** Copies `n` bytes with ASCII letters lowered, and up to 15 bytes more. */
// @ts-ignore: decorator
@inline export function copyLowered(to: usize, from: usize, n: u32): void {
  if (ASC_FEATURE_SIMD) {
    for (let i: u32 = 0; i < n; i += 16) {
      const v = v128.load(from + i);
      const upper = i8x16.lt_u(i8x16.sub(v, i8x16.splat(65)), i8x16.splat(26));
      v128.store(to + i, v128.or(v, v128.and(upper, i8x16.splat(32))));
    }
  } else {
    for (let i: u32 = 0; i < n; i++) {
      const c = <u32>load<u8>(from + i);
      store<u8>(to + i, c - 65 < 26 ? c | 32 : c);
    }
  }
}

/** A bit for each of the 16 bytes at `p` that is in a word. */
// @ts-ignore: decorator
@inline function wordBits(p: usize): u32 {
  const v = v128.load(p);
  const letter = i8x16.lt_u(i8x16.sub(v128.or(v, i8x16.splat(32)), i8x16.splat(97)), i8x16.splat(26));
  const digit = i8x16.lt_u(i8x16.sub(v, i8x16.splat(48)), i8x16.splat(10));
  // A byte of a non-ASCII character has the bit that `bitmask` looks at.
  return <u32>i8x16.bitmask(v128.or(v, v128.or(letter, digit)));
}

// @ts-ignore: decorator
@inline function isWordByte(c: u32): bool { return (c | 32) - 97 < 26 || c - 48 < 10 || c >= 128; }

/** Finds the next word of [p, end). Returns its end, or 0 when there is none. Reads up to 32 bytes more. */
export function nextWord(p: usize, end: usize): usize {
  if (ASC_FEATURE_SIMD) {
    let bits: u32 = 0;
    while (p < end && !(bits = wordBits(p))) p += 16;
    p += ctz(bits);
    if (p >= end) return 0;
    start = p;
    let gaps: u32 = 0;
    while (p < end && !(gaps = ~wordBits(p) & 0xffff)) p += 16;
    return min(p + ctz(gaps), end);
  } else {
    while (p < end && !isWordByte(load<u8>(p))) p++;
    if (p >= end) return 0;
    start = p;
    while (p < end && isWordByte(load<u8>(p))) p++;
    return p;
  }
}
