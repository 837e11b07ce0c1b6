// Sorts the members of an object into canonical order and finds duplicate names.

import { room, top } from "../arena";
import { JSON_DUPLICATE, NO_MEMORY } from "../faults";
import { sortAddresses } from "../sort";
import { fail, failBecause } from "./fault";
import { Member, compareNames } from "./member";

/** Up to this many members are sorted by insertion: moving a few addresses costs less than maintaining a heap. */
const FEW: usize = 32;

/** Sorts the chain that begins at `head`. Returns its new head, or 0 with a fault. */
export function orderMembers(head: usize, high: bool): usize {
  const list = (top() + 7) & ~7;
  let n: usize = 0;
  for (let r = head; r; r = changetype<Member>(r).next) {
    if (!(n & 255) && !room(list, (n + 256) << 2)) return fail(NO_MEMORY, changetype<Member>(head).source);
    if (n < FEW) insert(list, list + (n << 2), changetype<Member>(r), high);
    else store<u32>(list + (n << 2), <u32>r);
    n++;
  }
  namesAreHigh = high;
  if (n > FEW) sortAddresses(list, <u32>n, comesFirst);
  return relink(list, n);
}

/** Inserts the member into the sorted list in [list, end). */
// @ts-ignore: decorator
@inline function insert(list: usize, end: usize, member: Member, high: bool): void {
  const prefix = member.prefix;
  while (end > list) {
    const other = changetype<Member>(<usize>load<u32>(end - 4));
    const otherPrefix = other.prefix;
    if (high || otherPrefix == prefix ? compareNames(other, member) <= 0 : otherPrefix < prefix) break;
    store<u32>(end, <u32>changetype<usize>(other));
    end -= 4;
  }
  store<u32>(end, <u32>changetype<usize>(member));
}

let namesAreHigh: bool = false;

/** Equal names keep their document order, which is the order of the records' addresses. */
function comesFirst(a: usize, b: usize): bool {
  const x = changetype<Member>(a).prefix, y = changetype<Member>(b).prefix;
  if (x != y && !namesAreHigh) return x < y;
  const order = compareNames(changetype<Member>(a), changetype<Member>(b));
  return order ? order < 0 : a < b;
}

/**
 * Chains the records in the order of the list. If there are several duplicates, reports the first one in the document.
 */
function relink(list: usize, n: usize): usize {
  const head = <usize>load<u32>(list);
  let previous = changetype<Member>(head);
  let first: usize = 0, second: usize = 0;
  for (let i: usize = 1; i < n; i++) {
    const member = changetype<Member>(<usize>load<u32>(list + (i << 2)));
    if (previous.prefix == member.prefix && compareNames(previous, member) == 0) {
      const at = member.source;
      if (!second || at < second) {
        first = previous.source;
        second = at;
      }
    }
    previous.next = changetype<usize>(member);
    previous = member;
  }
  previous.next = 0;
  return second ? failBecause(JSON_DUPLICATE, second, first) : head;
}
