// Splits text into words: runs of ASCII letters, ASCII digits and bytes of non-ASCII characters, with ASCII letters
// lower-cased. Callers that want other words (Unicode segmentation, stems) pass them ready-made (cards.ts).
import { LONGEST_TERM, K1, idfOf, liveCount, TAG, WORD, findTerm } from "./terms";
import { take, sameBytes } from "../arena";
import { NO_MEMORY, RANK_QUERY, RANK_STATISTICS } from "../faults";
import {
  cardsLive, cardsWords, failAt, itemLength, openRecord, recordBytes, recordEnd, recordIdLength, recordItems,
  recordTags,
} from "./cards";

let start: usize = 0;

/** The start of the word that `nextWord` found. */
// @ts-ignore: decorator
@inline export function wordStart(): usize { return start; }

/** The length of that word; of a longer one, only the first LONGEST_TERM bytes count. */
// @ts-ignore: decorator
@inline export function wordLength(end: usize): u32 { return min(<u32>(end - start), LONGEST_TERM); }

/** Lower-cases the ASCII letters of [p, end) in place. Call it before `nextWord`. */
export function lower(p: usize, end: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (; p + 16 <= end; p += 16) {
      const v = v128.load(p);
      const upper = i8x16.lt_u(i8x16.sub(v, i8x16.splat(65)), i8x16.splat(26));
      v128.store(p, v128.or(v, v128.and(upper, i8x16.splat(32))));
    }
  }
  for (; p < end; p++) {
    const c = <u32>load<u8>(p);
    if (c - 65 < 26) store<u8>(p, c | 32);
  }
}

/** The first place in [p, end) inside a word (`inside` 0) or outside one (`inside` -1); otherwise `end`. */
// @ts-ignore: decorator
@inline function find(p: usize, end: usize, inside: i32): usize {
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 16) {
      const v = v128.load(p);
      const letter = i8x16.lt_u(i8x16.sub(v, i8x16.splat(97)), i8x16.splat(26));
      const digit = i8x16.lt_u(i8x16.sub(v, i8x16.splat(48)), i8x16.splat(10));
      // A byte of a non-ASCII character has its top bit set, which `bitmask` reads.
      const bits = (i8x16.bitmask(v128.or(v, v128.or(letter, digit))) ^ inside) & 0xffff;
      if (bits) return min(p + ctz(bits), end);
    }
  } else {
    for (; p < end; p++) {
      const c = <u32>load<u8>(p);
      if ((c - 97 < 26 || c - 48 < 10 || c >= 128) != bool(inside)) break;
    }
  }
  return end < p ? end : p;
}

/**
 * Finds the next word of the lower-cased text [p, end). Returns its end, or 0 when there is none. Reads up to 15 bytes
 * past the end.
 */
export function nextWord(p: usize, end: usize): usize {
  start = find(p, end, 0);
  return start < end ? find(start, end, -1) : 0;
}

// A query: a record without an id (cards.ts), looked up in the dictionary, with its statistics.

/** The most tags of a query, one bit each. */
const MOST_TAGS: u32 = 32;
/** The most different words of a query; further ones are ignored. */
const MOST_WORDS: u32 = 256;
/** The most bytes of a query. */
const MOST_BYTES: u32 = 65535;

/** The limit of cards and words in statistics: above it, the idf of a word that all cards have would round to zero. */
const MOST: f64 = 1099511627776;

// A tag or word of the query, 40 bytes; two of the same kind and text count once:
//    0 u32 term    its record; 0 when no card has it
//    4 u32 text    the address of its text
//    8 u32 length  the length of the text
//   12 u32 bit     for a tag, 1 << its index in the query; for a word, 0
//   16 f64 idf     for a word
//   24     its state as a source of the scan (scan.ts)
export const ASKED: usize = 40;
export const TERM: usize = 0;
const TEXT: usize = 4;
const LENGTH: usize = 8;
export const BIT: usize = 12;
export const IDF: usize = 16;

let begin: usize = 0;
let end: usize = 0;
let tagCount: u32 = 0;
let wordCount: u32 = 0;
let average: f64 = 0;
let mostText: f64 = 0;

/** The address of the first tag or word. */
// @ts-ignore: decorator
@inline export function askedBegin(): usize { return begin; }
/** The address after the last one. */
// @ts-ignore: decorator
@inline export function askedEnd(): usize { return end; }
// @ts-ignore: decorator
@inline export function askedTags(): u32 { return tagCount; }
// @ts-ignore: decorator
@inline export function askedWords(): u32 { return wordCount; }
/** The average number of words in a card. */
// @ts-ignore: decorator
@inline export function averageLength(): f64 { return average; }
/** The divisor of the text factor: the sum for a card that matches perfectly. */
// @ts-ignore: decorator
@inline export function mostOfText(): f64 { return mostText; }

/** Reads the query in [p, p + n). Returns 0 or a fault. */
export function readQuery(p: usize, n: u32): i32 {
  if (n > MOST_BYTES) return failAt(RANK_QUERY, MOST_BYTES);
  const fault = openRecord(p, n);
  if (fault) return fault;
  if (recordIdLength()) return failAt(RANK_QUERY, 0);
  const tags = recordTags();
  if (tags > MOST_TAGS) return failAt(RANK_QUERY, 4);
  begin = end = take(<usize>(MOST_TAGS + MOST_WORDS) * ASKED);
  if (!begin) return NO_MEMORY;
  tagCount = 0;
  wordCount = 0;
  let at = recordBytes();
  for (let i: u32 = 0; i < recordItems(); i++) {
    const length = itemLength(i);
    ask(at, length, i < tags ? 1 << i : 0);
    at += length;
  }
  const behind = recordEnd();
  lower(at, behind);
  while ((at = nextWord(at, behind))) ask(wordStart(), wordLength(at), 0);
  return 0;
}

/**
 * "nlp/*" matches tags below "nlp/" and "nlp" itself. So does "nlp", because cards are indexed under each path above
 * their tags.
 */
function ask(p: usize, n: u32, bit: u32): void {
  for (let asked = begin; asked < end; asked += ASKED) {
    if (load<u32>(asked, LENGTH) == n && !load<u32>(asked, BIT) == !bit && sameBytes(load<u32>(asked, TEXT), p, n)) return;
  }
  if (!bit && wordCount == MOST_WORDS) return;
  const path = bit && n > 2 && load<u16>(p + n - 2) == 0x2a2f ? n - 2 : n;
  store<u32>(end, path - 1 < LONGEST_TERM ? <u32>findTerm(p, path, bit ? TAG : WORD) : 0, TERM);
  store<u32>(end, <u32>p, TEXT);
  store<u32>(end, n, LENGTH);
  store<u32>(end, bit, BIT);
  end += ASKED;
  if (bit) tagCount++;
  else wordCount++;
}

/**
 * The index's own statistics: f64 cards, f64 words in all of them, then for each different word of the query, in its
 * order, f64 cards that contain it. Returns their address, or 0 without memory.
 */
export function ownStatistics(): usize {
  const statistics = take(16 + (<usize>wordCount << 3));
  if (!statistics) return 0;
  store<f64>(statistics, <f64>cardsLive());
  store<f64>(statistics, <f64>cardsWords(), 8);
  let to = statistics + 16;
  for (let asked = begin; asked < end; asked += ASKED) {
    if (load<u32>(asked, BIT)) continue;
    const term = <usize>load<u32>(asked, TERM);
    store<f64>(to, term ? <f64>liveCount(term) : 0);
    to += 8;
  }
  return statistics;
}

/**
 * Reads the average and each word's idf from statistics at `p`, which are at `offset` in the input. Returns
 * RANK_STATISTICS when they cannot be correct, otherwise 0.
 */
export function weighWords(p: usize, offset: usize): i32 {
  const cards = load<f64>(p), words = load<f64>(p, 8);
  if (!(cards >= 0 && cards <= MOST && words >= 0 && words <= MOST)) return failAt(RANK_STATISTICS, offset);
  average = cards > 0 && words > 0 ? words / cards : 1;
  mostText = 0;
  const from = p;
  p += 16;
  for (let asked = begin; asked < end; asked += ASKED) {
    if (load<u32>(asked, BIT)) continue;
    const having = load<f64>(p);
    if (!(having >= 0 && having <= cards)) return failAt(RANK_STATISTICS, offset + (p - from));
    const idf = idfOf(cards, having);
    store<f64>(asked, idf, IDF);
    mostText += idf * (K1 + 1);
    p += 8;
  }
  return 0;
}
