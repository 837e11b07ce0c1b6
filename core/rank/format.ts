// How a saved index is written: chunks of at most as many bytes as asked for, each
//
//    0 u32 "BZIX"
//    4 u16 version 1
//    6 u16 1 in the last chunk, else 0
//    8 u32 number of the chunk, from 0
//   12 u32 bytes of the body
//   16 u64 checksum of the previous chunk's checksum, these 16 bytes and the body
//   24     body
//
// The bodies one behind the other, where numbers without a size are varints (7 bits a byte, the lowest first):
//
//   u32 what text is made of (state.ts), u32 cards, u64 words in all of them, u32 terms
//   a card: bytes of the id, id, words, u8 2 when excluded, else 0, f64 reputation, f64 availability, f64 rating
//   a term: u8 kind, bytes, text, postings
//   a posting: (cards skipped since the last one) << 1 | (0 when the card has the term once, else 1 and then how often)
//
// A chunk ends behind a card, a term's head, or a posting. What else an index holds follows from these.

export const MAGIC: u32 = 0x58495a42;
export const VERSION: u32 = 1;
export const CHUNK_HEADER: usize = 24;
export const PREAMBLE: usize = 20;

/** No card, term head or posting is longer. */
export const LONGEST_UNIT: usize = 2200;

const PRIME: u64 = 0x9e3779b97f4a7c15;

/** The checksum of the chunk at `p` with its `body`; 8 zero bytes follow. Any change to 8 bytes in a row shows for certain. */
export function checksum(previous: u64, p: usize, body: u32): u64 {
  let h = mix(mix(previous, load<u64>(p)), load<u64>(p, 8));
  const end = p + CHUNK_HEADER + body;
  for (let q = p + CHUNK_HEADER; q < end; q += 8) h = mix(h, load<u64>(q));
  return h;
}

/** Different for different `h` and for different `word`: both the product with an odd number and the shift can be undone. */
// @ts-ignore: decorator
@inline function mix(h: u64, word: u64): u64 {
  h = (h ^ word) * PRIME;
  return h ^ (h >> 32);
}

/** Writes `x` at `p`; returns the end. */
// @ts-ignore: decorator
@inline export function writeVarint(p: usize, x: u32): usize {
  while (x >= 0x80) {
    store<u8>(p++, x | 0x80);
    x >>= 7;
  }
  store<u8>(p, x);
  return p + 1;
}
