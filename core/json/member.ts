// What reading notes of a container that is not canonical as it stands: a chain of records, one a member or a
// run of elements. Every value is a slice of the source, or of the arena where its spelling had to change,
// or a container noted in the same way.

// A member, 40 bytes; the fields of an element are the last four.
//    0 u64 prefix   the name's first 8 bytes, big-endian: most comparisons end here
//    8 u32 name     the name decoded: address and length
//   12 u32 nameLength
//   16 u32 text     the name as it will be written, quotes included
//   20 u32 textLength
//   24 u32 value    address of a slice, or of a container's first record
//   28 u32 length   of the slice; or what kind of container, from NOT_SLICE on
//   32 u32 next
//   36 u32 source   where the name stands in the document
export const MEMBER_SIZE: usize = 40;
// An element, 16 bytes: value, length, next.
export const ELEMENT_SIZE: usize = 16;

/** Lengths from here on are no lengths. */
export const NOT_SLICE: u32 = 0xfffffffd;
/** A member that is left out of the canonical form. */
export const REMOVED: u32 = 0xfffffffd;
export const ARRAY: u32 = 0xfffffffe;
export const OBJECT: u32 = 0xffffffff;

/** The 8 bytes at `p` as a big-endian number. */
// @ts-ignore: decorator
@inline function bigEndian(p: usize): u64 {
  if (ASC_FEATURE_SIMD) {
    // WebAssembly has no byte swap: a shuffle is one instruction, bswap a dozen.
    const v = v128.load_zero<u64>(p);
    return i64x2.extract_lane(i8x16.shuffle(v, v, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
  } else {
    return bswap(load<u64>(p));
  }
}

/** The first 8 bytes of a name as a big-endian number; behind a shorter name the bytes count as zero. */
// @ts-ignore: decorator
@inline export function namePrefix(name: usize, length: u32): u64 {
  const prefix = bigEndian(name);
  if (length >= 8) return prefix;
  return length ? prefix & (<u64>-1 << (64 - (length << 3))) : 0;
}

/** Compares two member names in UTF-16 code unit order (RFC 8785 section 3.2.3), reading their UTF-8. */
export function compareNames(a: usize, b: usize): i32 {
  const lengthA = load<u32>(a, 12), lengthB = load<u32>(b, 12);
  const nameA = <usize>load<u32>(a, 8), nameB = <usize>load<u32>(b, 8);
  const n = <usize>min(lengthA, lengthB);
  let i: usize = 0;
  while (i + 8 <= n && load<u64>(nameA + i) == load<u64>(nameB + i)) i += 8;
  for (; i < n; i++) {
    let x = <i32>load<u8>(nameA + i), y = <i32>load<u8>(nameB + i);
    if (x != y) {
      // UTF-8 keeps code point order; UTF-16 differs from it in one thing: U+E000..FFFF (first byte EE, EF) come after
      // the surrogates that code points from U+10000 on (F0..F4) begin with.
      if (x >= 0xee && y >= 0xee) {
        if (x < 0xf0) x += 0x10;
        if (y < 0xf0) y += 0x10;
      }
      return x - y;
    }
  }
  return <i32>lengthA - <i32>lengthB;
}

/** `a` before `b`. `high`: a name of this object has a character for which byte order is not enough. */
// @ts-ignore: decorator
@inline export function precedes(a: usize, b: usize, high: bool): bool {
  if (!high) {
    const x = load<u64>(a), y = load<u64>(b);
    if (x != y) return x < y;
  }
  return compareNames(a, b) < 0;
}
