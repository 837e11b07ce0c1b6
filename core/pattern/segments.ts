// Splits patterns into segments, in the order in which a subject's segments are visited.

import { room, setTop, top } from "../arena";
import { lowBytes } from "../bytes";
import {
  BELOW_TOKEN, GLOBSTAR_TOKEN, HOST, NO_KEY, separatorOf, STAR_TOKEN, SUFFIX_KEYS, TAG,
} from "./blob";
import { behindLastByte, firstByte, hashBytes } from "./bytes";

/** A segment of a pattern: its sort group, its token, its key, its place. */
export const SEGMENT: u32 = 24;
export const SEGMENT_GROUP: usize = 0;
export const SEGMENT_TOKEN: usize = 4;
export const SEGMENT_KEY: usize = 8; // u64
export const SEGMENT_TEXT: usize = 16;
export const SEGMENT_LENGTH: usize = 20;

/**
 * Groups that sort before those of globs (blob.ts: GROUP_KEY). Wildcards have fixed tokens; the key of a literal is its
 * hash.
 */
export const WILDCARDS: u32 = 0x100;
export const LITERAL_GROUP: u32 = 0;

/** A pattern: the address of its first segment, and the number of segments. */
export const ROW: u32 = 8;
export const ROW_COUNT: usize = 4;

const STAR: u32 = 0x2a;
const GLOBSTAR: u16 = 0x2a2a;

/** Appends the segments of a pattern to the arena and fills its row. False when there is no memory. */
export function cutPattern(row: usize, pattern: usize, end: usize, kind: u32): bool {
  const first = top();
  // Every segment except the first needs a separator in the pattern.
  if (!room(first, (<usize>(end - pattern) + 1) * SEGMENT)) return false;
  setTop(cut(first, pattern, end, kind));
  store<u32>(row, <u32>first);
  store<u32>(row, <u32>((top() - first) / SEGMENT), ROW_COUNT);
  return true;
}

/**
 * Visits the labels of a host from last to first, because names of one domain have their ends in common. Returns the
 * end of the segments.
 */
function cut(at: usize, start: usize, end: usize, kind: u32): usize {
  const separator = separatorOf(kind);
  const star = <u32>load<u8>(end - 1) == STAR;
  if (end - start == 1 && star) return kind == TAG ? at : wildcard(at, BELOW_TOKEN); // "matching everything"
  // A tag also matches the tags below it, so `nlp` and `nlp/*` mean the same.
  if (kind == TAG && star) end -= 2;
  let many = false; // the previous segment was `**`
  for (let last = false; !last; ) {
    const from = kind == HOST ? behindLastByte(start, end, separator) : start;
    const to = kind == HOST ? end : firstByte(start, end, separator);
    last = from == start && to == end;
    if (to - from == 2 && load<u16>(from) == GLOBSTAR) {
      // Zero or more segments twice is the same as once. At the end, `**` means one or more segments, each of which may
      // be empty.
      if (many) at -= SEGMENT;
      at = wildcard(at, last ? BELOW_TOKEN : GLOBSTAR_TOKEN);
      many = true;
    } else {
      at = segment(at, from, to);
      many = false;
    }
    if (kind == HOST) end = from - 1;
    else start = to + 1;
  }
  return at;
}

function wildcard(at: usize, token: u32): usize {
  store<u32>(at, WILDCARDS);
  store<u32>(at, token, SEGMENT_TOKEN);
  return at + SEGMENT;
}

function segment(at: usize, p: usize, end: usize): usize {
  const length = <u32>(end - p);
  const prefix = <u32>(firstByte(p, end, STAR) - p);
  if (length == 1 && prefix == 0) return wildcard(at, STAR_TOKEN);
  store<u32>(at, <u32>p, SEGMENT_TEXT);
  store<u32>(at, length, SEGMENT_LENGTH);
  const suffix = <u32>(end - behindLastByte(p, end, STAR));
  let group = LITERAL_GROUP, key: u64;
  if (prefix == length) key = hashBytes(p, length);
  else if (prefix) {
    group = min(prefix, 8);
    key = load<u64>(p) & lowBytes(group);
  } else if (suffix) {
    group = min(suffix, 8);
    key = load<u64>(end - group) & lowBytes(group);
    group += SUFFIX_KEYS;
  } else {
    group = NO_KEY;
    key = 0;
  }
  store<u32>(at, group);
  store<u64>(at, key, SEGMENT_KEY);
  return at + SEGMENT;
}
