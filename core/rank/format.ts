// The format of a saved index: chunks of at most a requested size, each with a head and a body.
//
// The bodies one behind the other, where numbers without a size are varints (7 bits a byte, the lowest first):
//
//   a card: bytes of the id, id, u8 2 when excluded, else 0, f64 reputation, f64 availability, f64 rating
//   a term: u8 kind, u8 bytes, text, how many cards have it, postings
//   a posting: (cards skipped since the last one) << 1 | (0 when the card has the term once, else 1 and then how often)
//
// A chunk ends behind a card, a term's head, or a posting. What else an index holds follows from these.

export const MAGIC: u32 = 0x31495a42;
/** The head of a chunk. */
// @ts-ignore: decorator
@unmanaged export class Chunk {
  /** Covers the previous chunk's checksum and everything that follows. */
  checksum: u64;
  /** "BZI1" */
  magic: u32;
  /** Number of the chunk, from 0, << 1 | (1 in the last one). */
  number: u32;
  /** The text members (state.ts). */
  members: u32;
  cards: u32;
}
export const HEADER: usize = offsetof<Chunk>();

/** The longest card, term head or posting. */
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
