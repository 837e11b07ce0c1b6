// Cuts patterns into segments, in the order in which a subject's are looked at.

import { room, setTop, top } from "../arena";
import {
  BELOW_TOKEN, GLOBSTAR_TOKEN, HOST, NO_KEY, NO_SEPARATOR, separatorOf, STAR_TOKEN, SUFFIX_KEYS, TAG,
} from "./blob";
import { behindLastByte, firstByte, hashBytes, lowBytes } from "./bytes";

/** A segment of a pattern: which group it is sorted into, its token, its key, where it stands. */
export const SEGMENT: u32 = 24;
export const SEGMENT_GROUP: usize = 0;
export const SEGMENT_TOKEN: usize = 4;
export const SEGMENT_KEY: usize = 8; // u64
export const SEGMENT_TEXT: usize = 16;
export const SEGMENT_LENGTH: usize = 20;

/** Groups below those of globs (blob.ts: GROUP_KEY): wildcards have their token from the start, literals their hash as key. */
export const WILDCARDS: u32 = 0x100;
export const LITERAL_GROUP: u32 = 0;

/** A pattern: the address of its first segment, and how many there are. */
export const ROW: u32 = 8;
export const ROW_COUNT: usize = 4;

const STAR: u32 = 0x2a;
const GLOBSTAR: u16 = 0x2a2a;

/** Appends the segments of a pattern to the arena and fills its row. False when there is no memory. */
export function cutPattern(row: usize, pattern: usize, end: usize, kind: u32): bool {
  const first = top();
  // Every segment but the first takes a separator of the pattern.
  if (!room(first, (<usize>(end - pattern) + 1) * SEGMENT)) return false;
  let at = first;
  if (kind == TAG) at = cutTag(at, pattern, end);
  else if (end - pattern == 1 && load<u8>(pattern) == STAR) at = wildcard(at, BELOW_TOKEN); // "matching everything"
  else if (kind == HOST) at = cutBackwards(at, pattern, end);
  else at = cutForwards(at, pattern, end, separatorOf(kind));
  setTop(at);
  store<u32>(row, <u32>first);
  store<u32>(row, <u32>((at - first) / SEGMENT), ROW_COUNT);
  return true;
}

/** Labels from the last to the first: the names of a domain share how they end. */
function cutBackwards(at: usize, pattern: usize, end: usize): usize {
  let start = end + 1;
  do {
    end = start - 1;
    start = behindLastByte(pattern, end, 0x2e);
    at = segment(at, start, end);
  } while (start > pattern);
  return at;
}

function cutForwards(at: usize, pattern: usize, end: usize, separator: u32): usize {
  const first = at;
  let p = pattern;
  do {
    const stop = separator == NO_SEPARATOR ? end : firstByte(p, end, separator);
    if (stop - p == 2 && load<u16>(p) == GLOBSTAR) {
      if (stop == end) return trailingGlobstar(at, first);
      // Zero or more segments, twice, are zero or more segments.
      if (!follows(at, first, GLOBSTAR_TOKEN)) at = wildcard(at, GLOBSTAR_TOKEN);
    } else at = segment(at, p, stop);
    p = stop + 1;
  } while (p <= end);
  return at;
}

/** `a/**`, and `a/**` again behind itself: one segment or more, any of which may be empty. */
function trailingGlobstar(at: usize, first: usize): usize {
  return wildcard(follows(at, first, GLOBSTAR_TOKEN) ? at - SEGMENT : at, BELOW_TOKEN);
}

function follows(at: usize, first: usize, token: u32): bool {
  return at > first && load<u32>(at - SEGMENT, SEGMENT_GROUP) == WILDCARDS && load<u32>(at - SEGMENT, SEGMENT_TOKEN) == token;
}

/** A tag matches what is below it too, so that `nlp` and `nlp/*` say the same, and `*` is no segment at all. */
function cutTag(at: usize, pattern: usize, end: usize): usize {
  if (load<u8>(end - 1) == STAR) {
    if (end - pattern == 1) return at;
    end -= 2;
  }
  return cutForwards(at, pattern, end, separatorOf(TAG));
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
  if (prefix == length) {
    store<u32>(at, LITERAL_GROUP);
    store<u64>(at, hashBytes(p, length), SEGMENT_KEY);
    return at + SEGMENT;
  }
  const suffix = <u32>(end - behindLastByte(p, end, STAR));
  if (prefix) key(at, min(prefix, 8), 0, load<u64>(p));
  else if (suffix) key(at, min(suffix, 8), SUFFIX_KEYS, load<u64>(end - min(suffix, 8)));
  else key(at, NO_KEY, 0, 0);
  return at + SEGMENT;
}

function key(at: usize, size: u32, side: u32, bytes: u64): void {
  store<u32>(at, size + side);
  store<u64>(at, size == NO_KEY ? 0 : bytes & lowBytes(size), SEGMENT_KEY);
}
