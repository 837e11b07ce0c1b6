// The format of a saved index: chunks of at most a requested size, each with a head and a body.
//
// The bodies in sequence, where numbers without a size are varints (7 bits per byte, lowest first):
//
//   a card: length of the id, id, u8 2 when excluded, otherwise 0, f64 reputation, f64 availability, f64 rating
//   a term: u8 kind, u8 length, text, number of cards that have it, postings
//   a posting: (cards skipped since the previous one) << 1 | (0 when the card has the term once, otherwise 1, then how
// often)
//
// A chunk ends after a card, a term's head, or a posting. Everything else in an index is derived from these.

export const MAGIC: u32 = 0x31495a42;
/** The head of a chunk. */
// @ts-ignore: decorator
@unmanaged export class Chunk {
  /** Covers the previous chunk's checksum and everything that follows. */
  checksum: u64;
  /** "BZI1" */
  magic: u32;
  /** The number of the chunk, from 0, << 1 | (1 in the last chunk). */
  number: u32;
  /** The text members (state.ts). */
  members: u32;
  cards: u32;
}
export const HEADER: usize = offsetof<Chunk>();

/** The most bytes of a card, term head or posting. */
export const LONGEST_UNIT: usize = 2200;

/**
 * The checksum of the chunk [p, end), which must be followed by 8 zero bytes; `previous` is that of the chunk before.
 * Detects every change within 8 aligned bytes for certain, because multiplying by an odd number and shifting are both
 * invertible.
 */
export function checksum(previous: u64, p: usize, end: usize): u64 {
  while ((p += 8) < end) {
    previous = (previous ^ load<u64>(p)) * 0x9e3779b97f4a7c15;
    previous ^= previous >> 32;
  }
  return previous;
}
