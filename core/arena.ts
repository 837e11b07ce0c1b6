// Linear memory, from low to high addresses:
//
//   statics | kept blobs | the arena of the current call: its input, followed by everything that the call builds
//
// Nothing is freed individually. `reserve` begins a call and discards the previous one; `keep` moves a finished blob
// below the arena; `release` discards all kept blobs at once. The permanent copy of a blob belongs to the embedder
// (docs/guide/abi.md), so no handle can leak.

/** Zero bytes after every input, so that scanners may read past its end. */
const PADDING: usize = 64;

/** Larger inputs are refused: 9 times as much, the most that reading can take, still fits 32-bit addresses. */
const LARGEST: u32 = 1 << 28;

/** Slack above `limit`, so that the widest store (and a 16-byte overshoot) after a check always stays in bounds. */
const SLACK: usize = 256;

const BASE: usize = (__heap_base + 15) & ~15;
let floor: usize = BASE;
let bump: usize = BASE;
let limit: usize = 0;

/** The result words of a call, in addition to its return value (docs/guide/abi.md names them). */
export const RESULT: usize = memory.data(64, 16);

/** Makes bytes up to `end` addressable. False when the host refuses more memory. */
function ensure(end: usize): bool {
  const have = <usize>memory.size() << 16;
  if (end + SLACK > have) {
    const pages = <i32>((end + SLACK - have + 0xffff) >> 16);
    // Grows by at least a quarter: growing page by page costs a system call for each page.
    if (memory.grow(max(pages, memory.size() >> 2)) < 0 && memory.grow(pages) < 0) return false;
  }
  limit = (<usize>memory.size() << 16) - SLACK;
  return true;
}

/** Begins a call: makes room for `n` input bytes and their padding. Returns the address for them, or 0. */
export function reserve(n: u32): usize {
  bump = floor;
  if (n > LARGEST || !ensure(floor + n + PADDING)) return 0;
  return floor;
}

/**
 * Declares that `n` bytes of input have been written. That may be fewer than were reserved: text is reserved at three
 * bytes per unit and is usually shorter. Zeroes the padding, starts the arena after it, and returns the input's
 * address.
 */
export function seal(n: u32): usize {
  const end = floor + n;
  // Plain stores: memory.fill is a call out of the module, which is noticeable for small documents.
  for (let p = end; p < end + PADDING; p += 8) store<u64>(p, 0);
  bump = (end + PADDING + 15) & ~15;
  return floor;
}

/** The first free byte. A call builds its results from here on; `setTop` declares where they end. */
// @ts-ignore: decorator
@inline export function top(): usize { return bump; }

// @ts-ignore: decorator
@inline export function setTop(p: usize): void { bump = p; }

/** True when `n` bytes from `p` may be written; grows the memory if necessary. */
// @ts-ignore: decorator
@inline export function room(p: usize, n: usize): bool { return p + n <= limit || ensure(p + n); }

/** Allocates `n` bytes in the arena, 16-byte aligned. Returns 0 when there is no memory. */
export function take(n: usize): usize {
  const p = (bump + 15) & ~15;
  if (!room(p, n)) return 0;
  bump = p + n;
  return p;
}

/** The owner of a whole instance may claim memory up to here; above it, every call still has room for its input. */
const HIGHEST: u64 = 0xe0000000;

/**
 * Permanently allocates `n` bytes above everything that this call has built; the arena continues after them. Returns
 * their address, or 0.
 */
export function claim(n: usize): usize {
  const at = (bump + 15) & ~15;
  if (<u64>at + n > HIGHEST || !ensure(at + n)) return 0;
  floor = bump = (at + n + 15) & ~15;
  return at;
}

/** Takes back all claims from `at` on, together with all kept blobs above it. */
export function unclaim(at: usize): void { floor = at; }

/** Copies a blob below the arena, where later calls do not overwrite it. Returns its address, or 0. */
export function keep(blob: usize, n: u32): usize {
  const to = floor;
  const end = (to + n + 15) & ~15;
  // The blob may overlap the target: memory.copy handles that, and nothing else in the arena is needed any more.
  if (!ensure(max(end, blob + n))) return 0;
  memory.copy(to, blob, n);
  floor = end;
  bump = end;
  return to;
}

/** Discards every kept blob. */
export function release(): void {
  floor = BASE;
  bump = BASE;
}

// Operations on short byte strings, eight bytes at a time. They read up to 7 bytes past the end of a string, where
// memory always exists.

/** The `n` low bytes of a word, for n from 1 to 8. */
// @ts-ignore: decorator
@inline export function lowBytes(n: usize): u64 { return <u64>-1 >> (64 - (<u64>n << 3)); }

/** True when the `n` bytes at `p` and `q` are equal. */
export function sameBytes(p: usize, q: usize, n: usize): bool {
  for (; n > 8; n -= 8) {
    if (load<u64>(p) != load<u64>(q)) return false;
    p += 8;
    q += 8;
  }
  return !n || !((load<u64>(p) ^ load<u64>(q)) & lowBytes(n));
}

/** True when `a` sorts before `b`. No two items may be equal: as a last resort, compare addresses. */
type Precedes = (a: usize, b: usize) => bool;

// @ts-ignore: decorator
@inline function at(list: usize, i: u32): usize { return list + (<usize>i << 2); }

/** Sorts `n` addresses in place with a heap. It only compares, so no input can make it slow, unlike a hash table. */
export function sortAddresses(list: usize, n: u32, precedes: Precedes): void {
  let root = n >> 1;
  while (n > 1) {
    let item: u32;
    if (root) item = load<u32>(at(list, --root));
    else {
      item = load<u32>(at(list, --n));
      store<u32>(at(list, n), load<u32>(list));
    }
    sink(list, n, root, item, precedes);
  }
}

/** Moves `item` down from `hole` to its place in the heap of `n` items. */
// @ts-ignore: decorator
@inline function sink(list: usize, n: u32, hole: u32, item: u32, precedes: Precedes): void {
  for (let child: u32; (child = hole * 2 + 1) < n; hole = child) {
    if (child + 1 < n && precedes(load<u32>(at(list, child)), load<u32>(at(list, child + 1)))) child++;
    if (!precedes(item, load<u32>(at(list, child)))) break;
    store<u32>(at(list, hole), load<u32>(at(list, child)));
  }
  store<u32>(at(list, hole), item);
}
