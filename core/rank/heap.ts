// The index lives below the arena, in memory that it claims piece by piece. Nothing in it is freed: the remains of
// replaced cards go when the binding merges, which rebuilds the index in another instance and drops this one.

import { claim, unclaim } from "../arena";

/** The least to claim at once: in front of each piece stays whatever the claiming call had in the arena. */
const PIECE: usize = 1 << 18;

let start: usize = 0;
let next: usize = 0;
let end: usize = 0;

/** Ensures that `allocate` can give `n` bytes, below 2^30, in pieces of any size. False when there is no memory. */
export function prepare(n: usize): bool {
  if (end - next >= n) return true;
  const piece = max(n, max(PIECE, heapSize() >> 3));
  const at = claim(piece);
  if (!at) return false;
  if (!start) start = at;
  next = at;
  end = at + piece;
  return true;
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

/** Bytes of memory from the first piece to the last. */
export function heapSize(): usize { return end - start; }

/** Forgets all that was allocated. */
export function clearHeap(): void {
  if (start) unclaim(start);
  start = 0;
  next = 0;
  end = 0;
}
