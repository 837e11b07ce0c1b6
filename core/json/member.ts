// The records of a container whose text is not canonical: a chain with one record for each member or run of elements.
// Every value is a slice of the source, a slice of the arena where its spelling had to change, or a container recorded
// in the same way.

import { setTop, top } from "../arena";

// @ts-ignore: decorator
@unmanaged export class Member {
  /** The first 8 bytes of the name, big-endian: they decide most comparisons. */
  prefix: u64;
  /** The decoded name. */
  name: usize;
  nameLength: u32;
  /** The name as it will be written, quotes included. */
  text: usize;
  textLength: u32;
  /** The address of a slice, or of a container's first record. */
  value: usize;
  /** The length of the slice, or, from NOT_SLICE on, the kind of container. */
  length: u32;
  next: usize;
  /** The place of the name in the document. */
  source: usize;
}
export const MEMBER_SIZE: usize = offsetof<Member>();

/** An element of an array, or a run of elements; the fields are the same as a member's. */
// @ts-ignore: decorator
@unmanaged export class Element {
  value: usize;
  length: u32;
  next: usize;
}
/** A size that keeps members at multiples of 8. */
export const ELEMENT_SIZE: usize = 16;

/** From here on, values are kinds instead of lengths. */
export const NOT_SLICE: u32 = 0xfffffffd;
/** A member that is left out of the canonical form. */
export const REMOVED: u32 = 0xfffffffd;
export const ARRAY: u32 = 0xfffffffe;
export const OBJECT: u32 = 0xffffffff;

/** The 8 bytes at `p` as a big-endian number. */
// @ts-ignore: decorator
@inline function bigEndian(p: usize): u64 {
  if (ASC_FEATURE_SIMD) {
    // WebAssembly has no byte swap: a shuffle is one instruction, bswap takes a dozen.
    const v = v128.load_zero<u64>(p);
    return i64x2.extract_lane(i8x16.shuffle(v, v, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
  } else {
    return bswap(load<u64>(p));
  }
}

/** The first 8 bytes of a name as a big-endian number; bytes past the end of a shorter name count as zero. */
// @ts-ignore: decorator
@inline function namePrefix(name: usize, length: u32): u64 {
  const prefix = bigEndian(name);
  if (length >= 8) return prefix;
  return length ? prefix & (<u64>-1 << (64 - (length << 3))) : 0;
}

/** Records a member without its value; there must be room. Returns its record. */
export function noteMember(name: usize, nameLength: u32, text: usize, textLength: u32, source: usize): usize {
  const record = top();
  setTop(record + MEMBER_SIZE);
  const member = changetype<Member>(record);
  member.prefix = namePrefix(name, nameLength);
  member.name = name;
  member.nameLength = nameLength;
  member.text = text;
  member.textLength = textLength;
  member.next = 0;
  member.source = source;
  return record;
}

/** Compares two member names in UTF-16 code unit order (RFC 8785 section 3.2.3), reading their UTF-8. */
export function compareNames(a: Member, b: Member): i32 {
  const lengthA = a.nameLength, lengthB = b.nameLength;
  const nameA = a.name, nameB = b.name;
  const n = <usize>min(lengthA, lengthB);
  let i: usize = 0;
  while (i + 8 <= n && load<u64>(nameA + i) == load<u64>(nameB + i)) i += 8;
  for (; i < n; i++) {
    let x = <i32>load<u8>(nameA + i), y = <i32>load<u8>(nameB + i);
    if (x != y) {
      // UTF-8 keeps code point order. UTF-16 differs in one way: U+E000..FFFF (first byte EE, EF) sort after the
      // surrogates of code points from U+10000 on (F0..F4).
      if (x >= 0xee && y >= 0xee) {
        if (x < 0xf0) x += 0x10;
        if (y < 0xf0) y += 0x10;
      }
      return x - y;
    }
  }
  return <i32>lengthA - <i32>lengthB;
}

/** True when `a` sorts before `b`. `high`: a name of this object has a character for which byte order is not enough. */
// @ts-ignore: decorator
@inline export function precedes(a: Member, b: Member, high: bool): bool {
  if (!high) {
    const x = a.prefix, y = b.prefix;
    if (x != y) return x < y;
  }
  return compareNames(a, b) < 0;
}
