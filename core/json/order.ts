// Sorts the members of an object into canonical order and finds duplicate names.
import { room, sortAddresses, top } from "../arena";
import { JSON_DUPLICATE, NO_MEMORY } from "../faults";
import { Member, compareNames, precedes } from "./member";
import { fail, failBecause } from "./reader";

/** Up to this many members are sorted by insertion: moving a few addresses costs less than maintaining a heap. */
const FEW: usize = 32;

// Most objects of a document have the names of an earlier one, in the same order. Each slot keeps how one object was
// sorted: its number of members, then for each place the number that the member had. Trying that costs one comparison
// for each member. Any content of a slot is safe, because it is a permutation and the result is checked.
// Fewer members are sorted as fast: the slots cost small objects 5 %.
const SEVERAL: usize = 12;
const SLOT_BITS: u64 = 6;
const SLOT_SIZE: usize = 64;
const SLOTS: usize = memory.data(64 << 6, 16);

// @ts-ignore: decorator
@inline function memberAt(list: usize, i: usize): Member {
  return changetype<Member>(<usize>load<u32>(list + (i << 2)));
}

/** Sorts the chain that begins at `head`. Returns its new head, or 0 with a fault. */
export function orderMembers(head: usize, high: bool): usize {
  const list = (top() + 7) & ~7;
  let n: usize = 0;
  for (let r = head; r; r = changetype<Member>(r).next) {
    if (!(n & 255) && !room(list, (n + 256) << 2)) return fail(NO_MEMORY, changetype<Member>(head).source);
    store<u32>(list + (n++ << 2), <u32>r);
  }
  let slot: usize = 0;
  if (n >= SEVERAL && n < SLOT_SIZE) {
    const names = (memberAt(list, 0).prefix + n) * 31 + memberAt(list, n - 1).prefix;
    slot = SLOTS + <usize>(names * 0x9e3779b97f4a7c15 >> 64 - SLOT_BITS) * SLOT_SIZE;
    if (<usize>load<u8>(slot) == n) {
      const first = firstInOrder(list, n, slot, high);
      if (first) return first;
    }
    store<u8>(slot, <u8>n);
  }
  for (let i: usize = 0; i < n; i++) {
    const member = memberAt(list, i);
    member.next = i; // its number, until `relink`
    if (n <= FEW) insert(list, list + (i << 2), member, high);
  }
  namesAreHigh = high;
  if (n > FEW) sortAddresses(list, <u32>n, comesFirst);
  return relink(list, n, slot);
}

/** Chains the records in the order of the slot. Returns the first, or 0 when that is not the canonical order. */
function firstInOrder(list: usize, n: usize, slot: usize, high: bool): usize {
  const first = memberAt(list, load<u8>(slot, 1));
  let previous = first;
  for (let i: usize = 2; i <= n; i++) {
    const member = memberAt(list, load<u8>(slot + i));
    if (!precedes(previous, member, high)) return 0;
    previous.next = changetype<usize>(member);
    previous = member;
  }
  previous.next = 0;
  return changetype<usize>(first);
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
 * Chains the records in the order of the list, and keeps that order in the slot, if there is one. If there are several
 * duplicates, reports the first one in the document.
 */
function relink(list: usize, n: usize, slot: usize): usize {
  const head = <usize>load<u32>(list);
  let previous = changetype<Member>(head);
  let first: usize = 0, second: usize = 0;
  if (slot) store<u8>(slot, previous.next, 1);
  for (let i: usize = 1; i < n; i++) {
    const member = memberAt(list, i);
    if (slot) store<u8>(slot + i, member.next, 1);
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
