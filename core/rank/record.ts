// The narrow waist: the index's view of a card, and the form of a query. Little-endian, without padding:
//
//   its head; u32 bytes of each tag, u32 bytes of each word
//   the id, the tags, the words, the text
//
// The words come ready-made, from whoever knows a language better; the text is split as words.ts says. Both count.

import { RESULT } from "../arena";
import { RANK_ID, RANK_RECORD, RANK_TAG } from "../faults";
import { LONGEST_ID } from "./cards";
import { LONGEST_TERM } from "./terms";

/** A tag and the paths above it. */
export const MOST_LEVELS: u32 = 16;

// @ts-ignore: decorator
@unmanaged export class Record {
  /** Bytes of the id; a query has none. */
  idLength: u32;
  tags: u32;
  words: u32;
  /** Bytes of the text. */
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
/** Tags and words. */
// @ts-ignore: decorator
@inline export function recordItems(): u32 { return recordTags() + changetype<Record>(begin).words; }
/** Bytes of item `i`: the tags, then the words. */
// @ts-ignore: decorator
@inline export function itemLength(i: u32): u32 { return load<u32>(begin + HEADER + (<usize>i << 2)); }
/** The id; behind it the items in order, then the text. */
// @ts-ignore: decorator
@inline export function recordBytes(): usize { return bytes; }
/** Behind the text. */
// @ts-ignore: decorator
@inline export function recordEnd(): usize { return end; }

/** Notes the place of a fault. */
export function failAt(code: i32, offset: usize): i32 {
  store<u32>(RESULT, <u32>offset, 4);
  store<i32>(RESULT, -1, 8);
  return code;
}

/** Reads the frame of the record in [p, p + n). RANK_RECORD when its lengths do not fit into `n`, else 0. */
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

/** RANK_TAG for a tag that is too long or too deep, else 0. `offset` is where it stands in the input. */
export function checkTag(p: usize, n: u32, offset: usize): i32 {
  let levels: u32 = 1;
  for (let i: u32 = 0; i < n; i++) levels += u32(load<u8>(p + i) == 0x2f);
  return n > LONGEST_TERM || levels > MOST_LEVELS ? failAt(RANK_TAG, offset) : 0;
}

/** RANK_ID for an id that is empty or too long, else 0. */
export function checkId(n: u32, offset: usize): i32 {
  return n - 1 < LONGEST_ID ? 0 : failAt(RANK_ID, offset);
}
