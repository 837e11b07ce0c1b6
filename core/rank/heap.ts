// The index lives below the arena, in memory that it claims in pieces. Nothing in it is freed. The binding's merge
// removes the remains of replaced cards: it rebuilds the index in another instance and drops this one.
import { claim, unclaim, lowBytes } from "../arena";

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

// Hashes short byte strings. Reads up to 7 bytes past the end, where memory always exists.

let seedA: u32 = 0;
let seedB: u32 = 0;

/** Sets the secret key of the hash. Without it an attacker could write a card whose words all collide. */
export function seedHash(a: u32, b: u32): void {
  seedA = a;
  seedB = b;
}

/**
 * Mixes a secret into each half before multiplying, so that a change to one half cannot cancel a change to the other.
 */
// @ts-ignore: decorator
@inline export function hash(p: usize, n: usize, kind: u32): u32 {
  let a = seedA ^ <u32>n ^ (kind << 24);
  let b = seedB;
  for (; n > 8; n -= 8, p += 8) {
    const product = <u64>(a ^ load<u32>(p)) * <u64>(b ^ load<u32>(p, 4));
    a = <u32>product ^ seedB;
    b = <u32>(product >> 32) ^ seedA;
  }
  const rest = n ? load<u64>(p) & lowBytes(n) : 0;
  const product = <u64>(a ^ <u32>rest) * <u64>(b ^ <u32>(rest >> 32));
  const last = <u64>(<u32>product ^ 0x9e3779b9) * <u64>(<u32>(product >> 32) ^ 0x85ebca6b);
  return <u32>last ^ <u32>(last >> 32);
}
