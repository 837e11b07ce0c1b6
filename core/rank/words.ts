// Splits text into words: runs of ASCII letters, ASCII digits and bytes of non-ASCII characters, with ASCII letters
// lower-cased. Callers that want other words (Unicode segmentation, stems) pass them ready-made (record.ts).

import { LONGEST_TERM } from "./terms";

let start: usize = 0;

/** The start of the word that `nextWord` found. */
// @ts-ignore: decorator
@inline export function wordStart(): usize { return start; }

/** The length of that word; of a longer one, only the first LONGEST_TERM bytes count. */
// @ts-ignore: decorator
@inline export function wordLength(end: usize): u32 { return min(<u32>(end - start), LONGEST_TERM); }

/** Lower-cases the ASCII letters of [p, end) in place. Call it before `nextWord`. */
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

/** The first place in [p, end) inside a word (`inside` 0) or outside one (`inside` -1); otherwise `end`. */
// @ts-ignore: decorator
@inline function find(p: usize, end: usize, inside: i32): usize {
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 16) {
      const v = v128.load(p);
      const letter = i8x16.lt_u(i8x16.sub(v, i8x16.splat(97)), i8x16.splat(26));
      const digit = i8x16.lt_u(i8x16.sub(v, i8x16.splat(48)), i8x16.splat(10));
      // A byte of a non-ASCII character has its top bit set, which `bitmask` reads.
      const bits = (i8x16.bitmask(v128.or(v, v128.or(letter, digit))) ^ inside) & 0xffff;
      if (bits) return min(p + ctz(bits), end);
    }
  } else {
    for (; p < end; p++) {
      const c = <u32>load<u8>(p);
      if ((c - 97 < 26 || c - 48 < 10 || c >= 128) != bool(inside)) break;
    }
  }
  return end < p ? end : p;
}

/**
 * Finds the next word of the lower-cased text [p, end). Returns its end, or 0 when there is none. Reads up to 15 bytes
 * past the end.
 */
export function nextWord(p: usize, end: usize): usize {
  start = find(p, end, 0);
  return start < end ? find(start, end, -1) : 0;
}
