// A query: a record without an id (record.ts), resolved against the dictionary, with the statistics that it goes by.

import { take } from "../arena";
import { NO_MEMORY, RANK_QUERY, RANK_STATISTICS } from "../faults";
import { cardsLive, cardsWords } from "./cards";
import { idfOf } from "./impact";
import { sameBytes } from "./hash";
import { failAt, itemLength, openRecord, recordBytes, recordEnd, recordIdLength, recordTags, recordTextLength, recordWords } from "./record";
import { liveCount } from "./removed";
import { LONGEST_TERM, TAG, WORD, findTerm } from "./terms";
import { copyLowered, nextWord, wordLength, wordStart } from "./words";

/** Tags of a query, one bit each. */
export const MOST_ASKED_TAGS: u32 = 32;
/** Different words of a query; more are left out. */
export const MOST_ASKED_WORDS: u32 = 256;
/** Bytes of a query. */
export const MOST_QUERY_BYTES: u32 = 65535;

/** Cards and words in statistics: above this, the idf of a word that all cards have would round to zero. */
const MOST: f64 = 1099511627776;

// What is asked for, 24 bytes:
//    0 u32 term    its record, 0 when no card has it
//    4 u32 text    address, and
//    8 u32 length
//   12 u32 bit     of a tag: 1 << its place in the query
//   16 f64 idf     of a word
const ASKED: usize = 24;

let tags: usize = 0;
let tagCount: u32 = 0;
let words: usize = 0;
let wordCount: u32 = 0;
let average: f64 = 0;

// @ts-ignore: decorator
@inline export function askedTags(): u32 { return tagCount; }
// @ts-ignore: decorator
@inline export function askedWords(): u32 { return wordCount; }
// @ts-ignore: decorator
@inline export function tagTerm(i: u32): usize { return load<u32>(tags + <usize>i * ASKED); }
// @ts-ignore: decorator
@inline export function tagBit(i: u32): u32 { return load<u32>(tags + <usize>i * ASKED, 12); }
// @ts-ignore: decorator
@inline export function wordTerm(i: u32): usize { return load<u32>(words + <usize>i * ASKED); }
// @ts-ignore: decorator
@inline export function wordIdf(i: u32): f64 { return load<f64>(words + <usize>i * ASKED, 16); }
// @ts-ignore: decorator
@inline export function setWordIdf(i: u32, idf: f64): void { store<f64>(words + <usize>i * ASKED, idf, 16); }
/** Words of a card, on average. */
// @ts-ignore: decorator
@inline export function averageLength(): f64 { return average; }

/** Reads the query in [p, p + n). Returns 0 or a fault. What is asked for twice counts once. */
export function readQuery(p: usize, n: u32): i32 {
  if (n > MOST_QUERY_BYTES) return failAt(RANK_QUERY, MOST_QUERY_BYTES);
  const fault = openRecord(p, n);
  if (fault) return fault;
  if (recordIdLength()) return failAt(RANK_QUERY, 0);
  if (recordTags() > MOST_ASKED_TAGS) return failAt(RANK_QUERY, 4);
  tags = take(<usize>MOST_ASKED_TAGS * ASKED);
  words = take(<usize>MOST_ASKED_WORDS * ASKED);
  if (!tags || !words) return failAt(NO_MEMORY, 0);
  tagCount = 0;
  wordCount = 0;
  let at = recordBytes();
  const items = recordTags() + recordWords();
  for (let i: u32 = 0; i < items; i++) {
    const length = itemLength(i);
    if (i < recordTags()) askTag(at, length, 1 << i);
    else askWord(at, length);
    at += length;
  }
  const end = at + recordTextLength();
  let lowered = take(<usize>n + 16);
  if (!lowered) return failAt(NO_MEMORY, 0);
  while ((at = nextWord(at, end))) {
    const length = wordLength(at);
    copyLowered(lowered, wordStart(), length);
    askWord(lowered, length);
    lowered += length;
  }
  return 0;
}

/** Where this is asked for already among the first `count`, or where it would be put. */
function placeOf(list: usize, count: u32, p: usize, n: u32): usize {
  let asked = list;
  for (const end = list + <usize>count * ASKED; asked < end; asked += ASKED) {
    if (load<u32>(asked, 8) == n && sameBytes(load<u32>(asked, 4), p, n)) break;
  }
  return asked;
}

function put(asked: usize, term: usize, p: usize, n: u32, bit: u32): void {
  store<u32>(asked, <u32>term);
  store<u32>(asked, <u32>p, 4);
  store<u32>(asked, n, 8);
  store<u32>(asked, bit, 12);
}

/** "nlp/*" asks for what begins with "nlp/" and for "nlp"; so does "nlp": cards are indexed under each path above their tags. */
function askTag(p: usize, n: u32, bit: u32): void {
  const asked = placeOf(tags, tagCount, p, n);
  if (asked != tags + <usize>tagCount * ASKED) return;
  tagCount++;
  const path = n > 2 && load<u16>(p + n - 2) == 0x2a2f ? n - 2 : n;
  put(asked, path && path <= LONGEST_TERM ? findTerm(p, path, TAG) : 0, p, n, bit);
}

function askWord(p: usize, n: u32): void {
  const asked = placeOf(words, wordCount, p, n);
  if (wordCount == MOST_ASKED_WORDS || asked != words + <usize>wordCount * ASKED) return;
  wordCount++;
  put(asked, n && n <= LONGEST_TERM ? findTerm(p, n, WORD) : 0, p, n, 0);
}

/**
 * Takes the average and each word's idf from the index, or from what follows the record when `given`: cards, words in all of them,
 * then for each word of the query how many cards have it, f64 each. RANK_STATISTICS when these cannot be right, else 0.
 */
export function weighWords(input: usize, n: u32, given: bool): i32 {
  const p = recordEnd();
  const offset = p - input;
  if (given ? <usize>n - offset != 16 + (<usize>wordCount << 3) : <usize>n != offset) return failAt(RANK_STATISTICS, offset);
  const cards = given ? load<f64>(p) : <f64>cardsLive();
  const total = given ? load<f64>(p, 8) : <f64>cardsWords();
  if (!(cards >= 0 && cards <= MOST && total >= 0 && total <= MOST)) return failAt(RANK_STATISTICS, offset);
  average = cards > 0 && total > 0 ? total / cards : 1;
  for (let i: u32 = 0; i < wordCount; i++) {
    const term = wordTerm(i);
    const having = given ? load<f64>(p + 16 + (<usize>i << 3)) : term ? <f64>liveCount(term) : 0;
    if (!(having >= 0 && having <= cards)) return failAt(RANK_STATISTICS, offset + 16 + (<usize>i << 3));
    setWordIdf(i, idfOf(cards, having));
  }
  return 0;
}

/** Writes the index's own statistics in the form that `weighWords` takes. Returns where, or 0 without memory. */
export function writeStatistics(): usize {
  const to = take(16 + (<usize>wordCount << 3));
  if (!to) return 0;
  store<f64>(to, <f64>cardsLive());
  store<f64>(to, <f64>cardsWords(), 8);
  for (let i: u32 = 0; i < wordCount; i++) {
    const term = wordTerm(i);
    store<f64>(to + 16 + (<usize>i << 3), term ? <f64>liveCount(term) : 0);
  }
  return to;
}
