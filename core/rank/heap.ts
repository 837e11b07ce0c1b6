// The index lives below the arena, in memory that it claims in pieces. Nothing in it is freed. The binding's merge
// removes the remains of replaced cards: it rebuilds the index in another instance and drops this one.

import { claim, unclaim } from "../arena";

/** The minimum to claim at once: the memory below each piece, with the arena of the claiming call, is lost. */
const PIECE: usize = 1 << 18;

let start: usize = 0;
let next: usize = 0;
let end: usize = 0;

/** Ensures that `allocate` can return `n` bytes, below 2^30, in parts of any size. False when there is no memory. */
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

/** The bytes that `allocate(n)` uses. */
// @ts-ignore: decorator
@inline export function spaceOf(n: usize): usize { return (n + 7) & ~7; }

/** Allocates `n` prepared bytes, 8-byte aligned. */
export function allocate(n: usize): usize {
  const p = next;
  next = p + spaceOf(n);
  return p;
}

/** The bytes of memory from the first piece to the last. */
export function heapSize(): usize { return end - start; }

/** Discards all allocations. */
export function clearHeap(): void {
  if (start) unclaim(start);
  start = 0;
  next = 0;
  end = 0;
}
