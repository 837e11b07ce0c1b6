// Brings the members of an object into canonical order and finds names that occur twice.

import { room, top } from "../arena";
import { JSON_DUPLICATE, NO_MEMORY } from "../faults";
import { fail, failBecause } from "./fault";
import { compareNames, precedes } from "./member";

/** Runs of this length are sorted by insertion: moving a few pointers costs less than merging them. */
const RUN: usize = 16;

/** Sorts the chain that begins at `head`. Returns its new head, or 0 with a fault. */
export function orderMembers(head: usize, high: bool): usize {
  const list = (top() + 7) & ~7;
  let n: usize = 0;
  for (let r = head; r; r = <usize>load<u32>(r, 32)) {
    // Room for twice the list so far, which is what merging needs.
    if (!(n & 255) && !room(list, (n + 256) << 3)) return fail(NO_MEMORY, load<u32>(head, 36));
    insert(list + ((n & ~(RUN - 1)) << 2), list + (n << 2), r, high);
    n++;
  }
  return relink(n > RUN ? mergeRuns(list, n, high) : list, n);
}

/** Puts the record `r` into the sorted run in [run, end). */
// @ts-ignore: decorator
@inline function insert(run: usize, end: usize, r: usize, high: bool): void {
  const prefix = load<u64>(r);
  while (end > run) {
    const other = <usize>load<u32>(end - 4);
    const otherPrefix = load<u64>(other);
    if (high || otherPrefix == prefix ? compareNames(other, r) <= 0 : otherPrefix < prefix) break;
    store<u32>(end, <u32>other);
    end -= 4;
  }
  store<u32>(end, <u32>r);
}

/** Merges sorted runs of `n` record addresses at `list`, with as much room behind. Stable. Returns where the result lies. */
function mergeRuns(list: usize, n: usize, high: bool): usize {
  let from = list, to = list + (n << 2);
  for (let width = RUN; width < n; width <<= 1) {
    for (let low: usize = 0; low < n; low += width << 1) {
      const middle = min(low + width, n), end = min(middle + width, n);
      merge(from + (low << 2), from + (middle << 2), from + (end << 2), to + (low << 2), high);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}

function merge(a: usize, b: usize, end: usize, o: usize, high: bool): void {
  const middle = b;
  while (a < middle && b < end) {
    const x = load<u32>(a), y = load<u32>(b);
    if (precedes(y, x, high)) {
      store<u32>(o, y);
      b += 4;
    } else {
      store<u32>(o, x);
      a += 4;
    }
    o += 4;
  }
  memory.copy(o, a, middle - a);
  memory.copy(o + (middle - a), b, end - b);
}

/** Chains the records in the order of the list. Of several duplicates the one that comes first in the document counts. */
function relink(list: usize, n: usize): usize {
  const head = <usize>load<u32>(list);
  let previous = head;
  let first: usize = 0, second: usize = 0;
  for (let i: usize = 1; i < n; i++) {
    const r = <usize>load<u32>(list + (i << 2));
    if (load<u64>(previous) == load<u64>(r) && compareNames(previous, r) == 0) {
      const at = <usize>load<u32>(r, 36);
      if (!second || at < second) {
        first = load<u32>(previous, 36);
        second = at;
      }
    }
    store<u32>(previous, <u32>r, 32);
    previous = r;
  }
  store<u32>(previous, 0, 32);
  return second ? failBecause(JSON_DUPLICATE, second, first) : head;
}
