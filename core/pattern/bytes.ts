// Short byte strings: finding a byte, hashing, folding. All functions may read up to 16 bytes past either end of their
// range and ignore what they find there: static data precedes it, and the arena keeps slack after it.

import { lowBytes } from "../bytes";

const MULTIPLIER: u64 = 0x9e3779b97f4a7c15;

/** The first `byte` in [p, end), or `end`. */
export function firstByte(p: usize, end: usize, byte: u32): usize {
  if (ASC_FEATURE_SIMD) {
    const wanted = i8x16.splat(<i8>byte);
    for (; p < end; p += 16) {
      const mask = i8x16.bitmask(i8x16.eq(v128.load(p), wanted));
      if (mask) return min(p + ctz(mask), end);
    }
    return end;
  } else {
    while (p < end && <u32>load<u8>(p) != byte) p++;
    return p;
  }
}

/** True when `separator` divides [p, end) into `count` texts; empty input counts as one text or as zero. */
export function divides(p: usize, end: usize, separator: u32, count: u32): bool {
  if (separator > 0xff) return false;
  if (p == end && !count) return true;
  for (; count && p <= end; count--) p = firstByte(p, end, separator) + 1;
  return !count && p > end;
}

/** The address after the last `byte` in [start, p), or `start`. */
export function behindLastByte(start: usize, p: usize, byte: u32): usize {
  if (ASC_FEATURE_SIMD) {
    const wanted = i8x16.splat(<i8>byte);
    for (; p > start; p -= 16) {
      const mask = i8x16.bitmask(i8x16.eq(v128.load(p - 16), wanted));
      if (mask) return max(p - 16 + (32 - clz(mask)), start);
    }
    return start;
  } else {
    while (p > start && <u32>load<u8>(p - 1) != byte) p--;
    return p;
  }
}

/** A 32-bit hash of the bytes at `p`. */
export function hashBytes(p: usize, n: u32): u32 {
  let hash: u64 = n;
  for (; n > 8; n -= 8) {
    hash = (hash ^ load<u64>(p)) * MULTIPLIER;
    hash ^= hash >> 29;
    p += 8;
  }
  if (n) hash = (hash ^ (load<u64>(p) & lowBytes(n))) * MULTIPLIER;
  return <u32>(hash >> 32); // a product's high bits depend on all bits of its factors
}

/** The bit, out of 64, that a key sets in its group's filter. */
// @ts-ignore: decorator
@inline export function filterBit(key: u64): u64 { return <u64>1 << ((key * MULTIPLIER) >> 58); }

/** Lower-cases ASCII capitals in place, and up to 15 bytes after `end` as well, so those must need folding too. */
export function foldCase(p: usize, end: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 16) {
      const bytes = v128.load(p);
      const capital = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
      v128.store(p, v128.or(bytes, v128.and(capital, i8x16.splat(0x20))));
    }
  } else {
    for (; p < end; p++) {
      const byte = <u32>load<u8>(p);
      if (byte - 0x41 < 26) store<u8>(p, byte | 0x20);
    }
  }
}
