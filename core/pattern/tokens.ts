// Numbers the distinct segments of a set: literals by hash, then globs by group and key.

import { take } from "../arena";
import { FIRST_TOKEN } from "./blob";
import {
  LITERAL_GROUP, SEGMENT, SEGMENT_GROUP, SEGMENT_KEY, SEGMENT_LENGTH, SEGMENT_TEXT, SEGMENT_TOKEN, WILDCARDS,
} from "./segments";
import { sortAddresses } from "../sort";

let distinct: usize = 0;
let literals: u32 = 0;
let globs: u32 = 0;

/** The address of the list of distinct segments in token order, and the numbers of literals and globs. */
export function distinctSegments(): usize { return distinct; }
export function literalCount(): u32 { return literals; }
export function globCount(): u32 { return globs; }

/** Assigns a token to each segment in [segments, end). False when there is no memory. */
export function numberSegments(segments: usize, end: usize): bool {
  distinct = take((end - segments) / SEGMENT * 4);
  if (!distinct) return false;
  let n: u32 = 0;
  for (let p = segments; p < end; p += SEGMENT) {
    if (load<u32>(p, SEGMENT_GROUP) == WILDCARDS) continue;
    store<u32>(distinct + (<usize>n << 2), <u32>p);
    n++;
  }
  sortAddresses(distinct, n, precedes);
  literals = 0;
  globs = 0;
  let last: usize = 0;
  for (let i: u32 = 0; i < n; i++) {
    const p = <usize>load<u32>(distinct + (<usize>i << 2));
    if (!last || order(last, p)) {
      store<u32>(distinct + (<usize>(literals + globs) << 2), <u32>p);
      if (load<u32>(p, SEGMENT_GROUP) == LITERAL_GROUP) literals++;
      else globs++;
    }
    store<u32>(p, FIRST_TOKEN + literals + globs - 1, SEGMENT_TOKEN);
    last = p;
  }
  return true;
}

function precedes(a: usize, b: usize): bool {
  const sign = order(a, b);
  return sign ? sign < 0 : a < b;
}

/** Negative when segment `a` sorts before `b`, zero when they are the same. */
function order(a: usize, b: usize): i32 {
  const group = load<u32>(a, SEGMENT_GROUP), otherGroup = load<u32>(b, SEGMENT_GROUP);
  if (group != otherGroup) return group < otherGroup ? -1 : 1;
  const key = load<u64>(a, SEGMENT_KEY), otherKey = load<u64>(b, SEGMENT_KEY);
  if (key != otherKey) return key < otherKey ? -1 : 1;
  const length = load<u32>(a, SEGMENT_LENGTH), otherLength = load<u32>(b, SEGMENT_LENGTH);
  if (length != otherLength) return length - otherLength;
  let text = <usize>load<u32>(a, SEGMENT_TEXT), otherText = <usize>load<u32>(b, SEGMENT_TEXT);
  const end = text + length;
  while (text < end) {
    const difference = <i32>load<u8>(text++) - <i32>load<u8>(otherText++);
    if (difference) return difference;
  }
  return 0;
}
