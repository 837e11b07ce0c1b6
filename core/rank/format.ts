// How a saved index is written: chunks of at most as many bytes as asked for, each
//
//    0 u64 checksum of the previous chunk's checksum and of all that follows
//    8 u32 "BZI1"
//   12 u32 number of the chunk, from 0, << 1 | (1 in the last one)
//   16 u32 what text is made of (state.ts)
//   20 u32 cards
//   24     body
//
// The bodies one behind the other, where numbers without a size are varints (7 bits a byte, the lowest first):
//
//   a card: bytes of the id, id, u8 2 when excluded, else 0, f64 reputation, f64 availability, f64 rating
//   a term: u8 kind, u8 bytes, text, how many cards have it, postings
//   a posting: (cards skipped since the last one) << 1 | (0 when the card has the term once, else 1 and then how often)
//
// A chunk ends behind a card, a term's head, or a posting. What else an index holds follows from these.

export const MAGIC: u32 = 0x31495a42;
export const HEADER: usize = 24;

/** No card, term head or posting is longer. */
export const LONGEST_UNIT: usize = 2200;

/**
 * The checksum of the chunk [p, end), behind which 8 bytes are zero, when `previous` is the one before. Any change to 8 bytes in
 * a row shows for certain: both the product with an odd number and the shift can be undone.
 */
export function checksum(previous: u64, p: usize, end: usize): u64 {
  while ((p += 8) < end) {
    previous = (previous ^ load<u64>(p)) * 0x9e3779b97f4a7c15;
    previous ^= previous >> 32;
  }
  return previous;
}
