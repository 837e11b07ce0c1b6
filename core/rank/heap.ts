// The index lives below the arena, in memory it claims piece by piece. Nothing in it is freed: what replaced cards leave
// behind goes when the binding merges, which builds the index again in another instance and drops this one.

import { claim } from "../arena";

/** Claimed at once at the least: each claim moves the input of the call. */
const PIECE: usize = 1 << 18;

/** Where the last uninterrupted run of claims begins. */
let start: usize = 0;
let next: usize = 0;
let end: usize = 0;
let claimed: usize = 0;

/** `prepare` found no memory. */
export const REFUSED: usize = -1;

/**
 * Makes sure that `allocate` can give `n` bytes, below 2^30, in pieces of any size.
 * Returns how far everything that the call has in the arena moved up, or REFUSED.
 */
export function prepare(n: usize): usize {
  if (end - next >= n) return 0;
  const piece = (max(n, max(PIECE, claimed >> 3)) + 15) & ~15;
  const at = claim(piece);
  if (!at) return REFUSED;
  if (at != end) start = next = at;
  end = at + piece;
  claimed += piece;
  return piece;
}

/** Bytes that `allocate(n)` uses. */
// @ts-ignore: decorator
@inline export function spaceOf(n: usize): usize { return (n + 7) & ~7; }

/** Takes `n` bytes, 8-byte aligned, that were prepared. */
export function allocate(n: usize): usize {
  const p = next;
  next = p + spaceOf(n);
  return p;
}

/** Bytes claimed so far. */
export function heapSize(): usize { return claimed; }

/** Forgets all that was allocated. */
export function clearHeap(): void { next = start; }
