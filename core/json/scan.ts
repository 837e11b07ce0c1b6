// The two scanners that process every byte of a document. Both read past the end of the input, where the zero padding
// stops them.

/**
 * The first byte from `p` that ends or interrupts plain text in a string: `"`, `\`, a control character, or non-ASCII.
 */
// @ts-ignore: decorator
@inline export function stringStop(p: usize): usize {
  if (ASC_FEATURE_SIMD) {
    for (;;) {
      const v = v128.load(p);
      // Signed comparison: bytes from 0x80 on are negative, so a single comparison finds both control characters and
      // non-ASCII.
      const stop = v128.or(v128.or(i8x16.eq(v, i8x16.splat(34)), i8x16.eq(v, i8x16.splat(92))), i8x16.lt_s(v, i8x16.splat(32)));
      const mask = i8x16.bitmask(stop);
      if (mask) return p + ctz(mask);
      p += 16;
    }
  } else {
    for (;;) {
      const v = load<u64>(p);
      const stop = (zeroBytes(v ^ 0x2222222222222222) | zeroBytes(v ^ 0x5c5c5c5c5c5c5c5c) | ((v - 0x2020202020202020) & ~v) | v) & 0x8080808080808080;
      if (stop) return p + <usize>(ctz(stop) >> 3);
      p += 8;
    }
  }
  return p;
}

/**
 * The high bit of each zero byte. Exact up to the lowest zero byte; above it a borrow can set wrong bits, which does
 * not matter to callers that need only the lowest.
 */
// @ts-ignore: decorator
@inline function zeroBytes(v: u64): u64 {
  return (v - 0x0101010101010101) & ~v & 0x8080808080808080;
}

/** The first byte from `p` that is not JSON white space. */
export function skipSpace(p: usize): usize {
  return load<u8>(p) > 32 ? p : skipRun(p);
}

/** `skipSpace` for a byte known to be at most 32. Inlined, because a call makes indented documents 6 % slower. */
// @ts-ignore: decorator
@inline export function skipRun(p: usize): usize {
  if (load<u8>(p) == 32 && load<u8>(p, 1) > 32) return p + 1;
  if (ASC_FEATURE_SIMD) {
    for (;;) {
      const v = v128.load(p);
      const space = v128.or(
        v128.or(i8x16.eq(v, i8x16.splat(32)), i8x16.eq(v, i8x16.splat(10))),
        v128.or(i8x16.eq(v, i8x16.splat(13)), i8x16.eq(v, i8x16.splat(9))),
      );
      const mask = i8x16.bitmask(space);
      if (mask != 0xffff) return p + ctz(~mask);
      p += 16;
    }
  } else {
    let c = load<u8>(p);
    while (c == 32 || c == 10 || c == 13 || c == 9) c = load<u8>(++p);
  }
  return p;
}
