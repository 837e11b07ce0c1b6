// Finds the tokens that match a segment of a subject: its literal by hash, and its globs by their keys.

import { lowBytes, sameBytes } from "../bytes";
import {
  BUCKETS, FIRST_TOKEN, GLOB, GLOB_TABLE, GLOBS, GROUP, GROUP_COUNT, GROUP_FILTER, GROUP_FIRST, GROUP_TABLE, GROUPS,
  LITERAL, LITERAL_LENGTH, LITERAL_TABLE, LITERAL_TEXT, LITERALS, NO_KEY, SHIFT, SUFFIX_KEYS,
} from "./blob";
import { filterBit, hashBytes } from "./bytes";
import { globMatches } from "./glob";
import { spend } from "./work";

let blob: usize = 0;
let literals: u32 = 0;
let globTable: usize = 0;

let found: usize = 0;
let foundEnd: usize = 0;
let mask: u64 = 0;

/** The tokens of the last segment, in [foundTokens(), foundTokensEnd()), and a mask with bit `token & 63` for each. */
// @ts-ignore: decorator
@inline export function foundTokens(): usize { return found; }
// @ts-ignore: decorator
@inline export function foundTokensEnd(): usize { return foundEnd; }
// @ts-ignore: decorator
@inline export function foundMask(): u64 { return mask; }

/** The bytes that `openTokens` needs for the tokens of a segment: its literal and all globs. */
export function tokenRoom(set: usize): usize { return (<usize>load<u32>(set, GLOBS) + 1) << 2; }

/** Selects the set in which segments are looked up. */
export function openTokens(set: usize, tokens: usize): void {
  blob = set;
  literals = load<u32>(set, LITERALS);
  globTable = set + load<u32>(set, GLOB_TABLE);
  found = tokens;
}

/** Finds the tokens of the segment [start, end). */
export function classify(start: usize, end: usize): void {
  foundEnd = found;
  mask = 0;
  if (literals) findLiteral(start, <u32>(end - start));
  let group = blob + load<u32>(blob, GROUP_TABLE);
  for (let left = load<u32>(blob, GROUPS); left; left--) {
    findGlobs(group, start, end);
    group += GROUP;
  }
}

// @ts-ignore: decorator
@inline function add(token: u32): void {
  store<u32>(foundEnd, token);
  foundEnd += 4;
  mask |= <u64>1 << (token & 63);
}

function findLiteral(start: usize, length: u32): void {
  const hash = hashBytes(start, length);
  const bucket = blob + load<u32>(blob, BUCKETS) + (<usize>(hash >> load<u32>(blob, SHIFT)) << 2);
  const first = load<u32>(bucket), end = load<u32>(bucket, 4);
  spend(end - first);
  for (let i = first; i < end; i++) {
    const literal = blob + load<u32>(blob, LITERAL_TABLE) + i * LITERAL;
    if (load<u32>(literal) == hash && load<u32>(literal, LITERAL_LENGTH) == length
      && sameBytes(start, blob + load<u32>(literal, LITERAL_TEXT), length)) {
      add(FIRST_TOKEN + i);
      return;
    }
  }
}

function findGlobs(group: usize, start: usize, end: usize): void {
  const size = load<u32>(group);
  const first = load<u32>(group, GROUP_FIRST), last = first + load<u32>(group, GROUP_COUNT);
  if (size == NO_KEY) {
    for (let i = first; i < last; i++) tryGlob(i, start, end);
    return;
  }
  const suffix = size > SUFFIX_KEYS;
  const bytes = suffix ? size - SUFFIX_KEYS : size;
  if (<u32>(end - start) < bytes) return;
  const key = load<u64>(suffix ? end - bytes : start) & lowBytes(bytes);
  if (!(load<u64>(group, GROUP_FILTER) & filterBit(key))) return;
  for (let i = lowerBound(key, first, last); i < last && load<u64>(globTable + i * GLOB) == key; i++) tryGlob(i, start, end);
}

/** The first glob in [low, high) whose key is at least `key`, or `high`. */
function lowerBound(key: u64, low: u32, high: u32): u32 {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u64>(globTable + middle * GLOB) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function tryGlob(i: u32, start: usize, end: usize): void {
  if (globMatches(blob, globTable + i * GLOB, start, end)) add(FIRST_TOKEN + literals + i);
}
