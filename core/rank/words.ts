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

/** Lowers the ASCII letters of [p, end) where they stand. Before `nextWord`. */
export function lower(p: usize, end: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (; p + 16 <= end; p += 16) {
      const v = v128.load(p);
      const upper = i8x16.lt_u(i8x16.sub(v, i8x16.splat(65)), i8x16.splat(26));
      v128.store(p, v128.or(v, v128.and(upper, i8x16.splat(32))));
    }
  }
  for (; p < end; p++) {
    const c = <u32>load<u8>(p);
    if (c - 65 < 26) store<u8>(p, c | 32);
  }
}

/** A bit for each of the 16 bytes at `p` that is in a word. */
// @ts-ignore: decorator
@inline function wordBits(p: usize): u32 {
  const v = v128.load(p);
  const letter = i8x16.lt_u(i8x16.sub(v, i8x16.splat(97)), i8x16.splat(26));
  const digit = i8x16.lt_u(i8x16.sub(v, i8x16.splat(48)), i8x16.splat(10));
  // A byte of a non-ASCII character has the bit that `bitmask` looks at.
  return <u32>i8x16.bitmask(v128.or(v, v128.or(letter, digit)));
}

// @ts-ignore: decorator
@inline function isWordByte(c: u32): bool { return c - 97 < 26 || c - 48 < 10 || c >= 128; }

/** Finds the next word of the lowered text [p, end). Returns its end, or 0 when there is none. */
// @ts-ignore: decorator
@inline export function nextWord(p: usize, end: usize): usize {
  if (ASC_FEATURE_SIMD) {
    let bits = wordBits(p);
    while (!bits) {
      p += 16;
      if (p >= end) return 0;
      bits = wordBits(p);
    }
    const skipped = ctz(bits);
    start = p + skipped;
    if (start >= end) return 0;
    let gaps = ~(bits >> skipped) & (0xffff >> skipped);
    p = start;
    if (!gaps) {
      p = p + 16 - skipped;
      while (!(gaps = ~wordBits(p) & 0xffff) && p < end) p += 16;
    }
    return min(p + ctz(gaps), end);
  } else {
    while (p < end && !isWordByte(load<u8>(p))) p++;
    if (p >= end) return 0;
    start = p;
    while (p < end && isWordByte(load<u8>(p))) p++;
    return p;
  }
}
