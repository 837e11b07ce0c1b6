// Brings the members of an object into canonical order and finds names that occur twice.

import { room, top } from "../arena";
import { JSON_DUPLICATE, NO_MEMORY } from "../faults";
import { sortAddresses } from "../sort";
import { fail, failBecause } from "./fault";
import { compareNames } from "./member";

/** Up to so many members are sorted by insertion: moving a few addresses costs less than keeping a heap. */
const FEW: usize = 32;

/** Sorts the chain that begins at `head`. Returns its new head, or 0 with a fault. */
export function orderMembers(head: usize, high: bool): usize {
  const list = (top() + 7) & ~7;
  let n: usize = 0;
  for (let r = head; r; r = <usize>load<u32>(r, 32)) {
    if (!(n & 255) && !room(list, (n + 256) << 2)) return fail(NO_MEMORY, load<u32>(head, 36));
    if (n < FEW) insert(list, list + (n << 2), r, high);
    else store<u32>(list + (n << 2), <u32>r);
    n++;
  }
  namesAreHigh = high;
  if (n > FEW) sortAddresses(list, <u32>n, comesFirst);
  return relink(list, n);
}

/** Puts the record `r` into the sorted list in [list, end). */
// @ts-ignore: decorator
@inline function insert(list: usize, end: usize, r: usize, high: bool): void {
  const prefix = load<u64>(r);
  while (end > list) {
    const other = <usize>load<u32>(end - 4);
    const otherPrefix = load<u64>(other);
    if (high || otherPrefix == prefix ? compareNames(other, r) <= 0 : otherPrefix < prefix) break;
    store<u32>(end, <u32>other);
    end -= 4;
  }
  store<u32>(end, <u32>r);
}

let namesAreHigh: bool = false;

/** Of equal names the first in the document comes first, as the records do. */
function comesFirst(a: usize, b: usize): bool {
  const x = load<u64>(a), y = load<u64>(b);
  if (x != y && !namesAreHigh) return x < y;
  const order = compareNames(a, b);
  return order ? order < 0 : a < b;
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
