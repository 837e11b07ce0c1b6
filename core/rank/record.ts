// A card as the index sees it, and the form of a query. Little-endian, without padding:
//
//   its head; a u32 length for each tag, a u32 length for each word
//   the id, the tags, the words, the text
//
// The words are ready-made, from a caller with better knowledge of the language; the text is split as in words.ts. Both
// count.

import { RESULT } from "../arena";
import { RANK_ID, RANK_RECORD, RANK_TAG } from "../faults";
import { LONGEST_ID } from "./cards";
import { LONGEST_TERM } from "./terms";

/** The most levels of a tag: itself and the paths above it. */
export const MOST_LEVELS: u32 = 16;

// @ts-ignore: decorator
@unmanaged export class Record {
  /** The length of the id in bytes; 0 for a query. */
  idLength: u32;
  tags: u32;
  words: u32;
  /** The length of the text in bytes. */
  textLength: u32;
}
export const HEADER: usize = offsetof<Record>();

let begin: usize = 0;
let bytes: usize = 0;
let end: usize = 0;

// @ts-ignore: decorator
@inline export function recordIdLength(): u32 { return changetype<Record>(begin).idLength; }
// @ts-ignore: decorator
@inline export function recordTags(): u32 { return changetype<Record>(begin).tags; }
/** The number of tags and words. */
// @ts-ignore: decorator
@inline export function recordItems(): u32 { return recordTags() + changetype<Record>(begin).words; }
/** The length of item `i` in bytes: first the tags, then the words. */
// @ts-ignore: decorator
@inline export function itemLength(i: u32): u32 { return load<u32>(begin + HEADER + (<usize>i << 2)); }
/** The address of the id; the items in order and the text follow it. */
// @ts-ignore: decorator
@inline export function recordBytes(): usize { return bytes; }
/** The address after the text. */
// @ts-ignore: decorator
@inline export function recordEnd(): usize { return end; }

/** Records the place of a fault and returns its code. */
export function failAt(code: i32, offset: usize): i32 {
  store<u32>(RESULT, <u32>offset, 4);
  store<i32>(RESULT, -1, 8);
  return code;
}

/** Reads the lengths of the record in [p, p + n). Returns RANK_RECORD when they do not add up to `n`, otherwise 0. */
export function openRecord(p: usize, n: u32): i32 {
  begin = p;
  const head = changetype<Record>(p);
  if (<usize>n < HEADER) return failAt(RANK_RECORD, n);
  const items = <u64>recordTags() + head.words;
  let total = HEADER + (items << 2);
  if (total > n) return failAt(RANK_RECORD, 4);
  bytes = p + <usize>total;
  total += <u64>recordIdLength() + head.textLength;
  for (let i: u32 = 0; i < <u32>items; i++) total += itemLength(i);
  if (total > n) return failAt(RANK_RECORD, n);
  end = p + <usize>total;
  return 0;
}

/** RANK_TAG for a tag that is too long or too deep, otherwise 0. `offset` is its place in the input. */
export function checkTag(p: usize, n: u32, offset: usize): i32 {
  let levels: u32 = 1;
  for (let i: u32 = 0; i < n; i++) levels += u32(load<u8>(p + i) == 0x2f);
  return n > LONGEST_TERM || levels > MOST_LEVELS ? failAt(RANK_TAG, offset) : 0;
}

/** RANK_ID for an id that is empty or too long, otherwise 0. */
export function checkId(n: u32, offset: usize): i32 {
  return n - 1 < LONGEST_ID ? 0 : failAt(RANK_ID, offset);
}
