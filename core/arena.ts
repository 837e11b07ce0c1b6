// Linear memory, from low to high:
//
//   statics | kept blobs | the arena of the call in progress: its input first, then what the call makes
//
// Nothing is ever freed one by one. `reserve` starts a call and forgets the last one; `keep` moves a
// finished blob below the arena, `release` forgets all kept blobs at once. The embedder's copy of a
// blob is the lasting one (docs/ABI.md), so no handle can leak.


/** Bytes behind every input that a scanner may read and finds to be zero. */
export const PADDING: usize = 64;

/** An input above this is refused: 9 times as much (the most that reading can take) still fits 32-bit addresses. */
const LARGEST: u32 = 1 << 28;

/** Slack above `limit`, so that the widest store (and a 16-byte overshoot) behind a check is always in bounds. */
const SLACK: usize = 256;

const BASE: usize = (__heap_base + 15) & ~15;
let floor: usize = BASE;
let bump: usize = BASE;
let limit: usize = 0;

/** The result words of each call, beside the number it returns (docs/ABI.md names them). */
export const RESULT: usize = memory.data(64, 16);

/** Makes bytes up to `end` addressable. False when the host has no more memory to give. */
export function ensure(end: usize): bool {
  const have = <usize>memory.size() << 16;
  if (end + SLACK > have) {
    const pages = <i32>((end + SLACK - have + 0xffff) >> 16);
    // Grow by a quarter at least: growing page by page costs a system call each.
    if (memory.grow(max(pages, memory.size() >> 2)) < 0 && memory.grow(pages) < 0) return false;
  }
  limit = (<usize>memory.size() << 16) - SLACK;
  return true;
}

/** Begins a call: room for `n` input bytes and their padding. Returns where to write them, or 0. */
export function reserve(n: u32): usize {
  bump = floor;
  if (n > LARGEST || !ensure(floor + n + PADDING)) return 0;
  return floor;
}

/**
 * Announces that `n` bytes of input were written, at most as many as were reserved: text is reserved at three bytes a
 * unit and usually comes out shorter. Zeroes the padding, starts the arena behind it, returns the input.
 */
export function seal(n: u32): usize {
  const end = floor + n;
  // Plain stores: memory.fill is a call out of the module, which a small document would notice.
  for (let p = end; p < end + PADDING; p += 8) store<u64>(p, 0);
  bump = (end + PADDING + 15) & ~15;
  return floor;
}

/** The first free byte. What a call builds begins here; `setTop` says where it ended. */
// @ts-ignore: decorator
@inline export function top(): usize { return bump; }

// @ts-ignore: decorator
@inline export function setTop(p: usize): void { bump = p; }

/** True when `n` bytes from `p` may be written, growing the memory if it must. */
// @ts-ignore: decorator
@inline export function room(p: usize, n: usize): bool { return p + n <= limit || ensure(p + n); }

/** Takes `n` bytes, 16-byte aligned, from the arena. 0 when there is no memory. */
export function take(n: usize): usize {
  const p = (bump + 15) & ~15;
  if (!room(p, n)) return 0;
  bump = p + n;
  return p;
}

/** The owner of a whole instance may claim memory up to here: above it, any call still has room for its input. */
const HIGHEST: u64 = 0xe0000000;

/**
 * Permanently gives away `n` bytes above everything that this call has made; the arena continues behind them. Returns
 * their address, or 0.
 */
export function claim(n: usize): usize {
  const at = (bump + 15) & ~15;
  if (<u64>at + n > HIGHEST || !ensure(at + n)) return 0;
  floor = bump = (at + n + 15) & ~15;
  return at;
}

/** Takes back all claims from `at` on, and all kept blobs above it. */
export function unclaim(at: usize): void { floor = at; }

/** Copies a blob below the arena, where later calls leave it alone. Returns its place, or 0. */
export function keep(blob: usize, n: u32): usize {
  const to = floor;
  const end = (to + n + 15) & ~15;
  // The blob may lie where the kept copy goes to: memory.copy handles overlap, and nothing else of the arena is needed.
  if (!ensure(max(end, blob + n))) return 0;
  memory.copy(to, blob, n);
  floor = end;
  bump = end;
  return to;
}

/** Forgets every kept blob. */
export function release(): void {
  floor = BASE;
  bump = BASE;
}
