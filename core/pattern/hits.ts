// The patterns that match one subject: either all of them as a bitmap, which also sorts them, or only the first.

import { take } from "../arena";
import { NO_MEMORY } from "../faults";

/** No pattern. */
export const NO_HIT: u32 = 0xffffffff;

let bits: usize = 0; // 64 patterns per word; 0 when only the first is wanted
let low: usize = 0;
let high: usize = 0;
let first: u32 = NO_HIT;

/** The lowest index of a matching pattern, or NO_HIT. Tracked only when not all hits are wanted. */
// @ts-ignore: decorator
@inline export function firstHit(): u32 { return first; }

/** Makes room for all hits among `patterns` patterns; with 0, tracks only the first hit. Returns 0 or a fault. */
export function openHits(patterns: u32): i32 {
  const size = ((<usize>patterns + 63) >> 6) << 3;
  bits = size ? take(size) : 0;
  if (size && !bits) return NO_MEMORY;
  memory.fill(bits, 0, size);
  high = 0;
  return 0;
}

/** Clears the hits of the last subject; `takeHits` has already cleared the bitmap. */
export function clearHits(): void {
  first = NO_HIT;
  low = usize.MAX_VALUE;
  high = 0;
}

/** Adds the patterns in `order` from `from` to `to`. */
export function addHits(order: usize, from: u32, to: u32): void {
  if (from == to) return;
  const end = order + (<usize>to << 2);
  let p = order + (<usize>from << 2);
  if (!bits) {
    first = min(first, load<u32>(p)); // equal patterns are sorted by their numbers
    return;
  }
  for (; p < end; p += 4) {
    const pattern = load<u32>(p);
    const word = bits + (<usize>(pattern >> 6) << 3);
    store<u64>(word, load<u64>(word) | (<u64>1 << (pattern & 63)));
    low = min(low, word);
    high = max(high, word);
  }
}

/** Writes the numbers of all hits in ascending order and clears them. Returns the end of the output. */
export function takeHits(out: usize): usize {
  for (let word = low; word <= high; word += 8) {
    let left = load<u64>(word);
    if (!left) continue;
    store<u64>(word, 0);
    const base = <u32>((word - bits) << 3);
    do {
      store<u32>(out, base + <u32>ctz(left));
      out += 4;
      left &= left - 1;
    } while (left);
  }
  return out;
}
