// Finds the few cards that can be among the best, without computing exact scores. Works in scan units, which are 16-bit
// integers. The contributions of postings and signals are rounded up, so that a card's sum is never below its score,
// and above it by less than `slack`. A card whose sum is more than `slack` below the k-th highest sum cannot be among
// the best k.
//
// Processes the cards page by page, so that the sums stay in the processor's first-level cache: this halves the time of
// a query.
import { take } from "../arena";
import {
  PAGE_CARDS, cardsCount, pageOf, EXCLUDED, FLAGS, NEVER, SIGNALS_SIZE, cardAt, standingAt, compareIds,
} from "./cards";
import { POSTING, chunkBegin, chunkEnd, chunkNext, FIRST } from "./terms";
import { ASKED, TERM, askedBegin, askedEnd } from "./query";

/**
 * The highest possible score in scan units. Rounding adds 2 for each tag and word, which stays below 32,767 in any
 * case.
 */
export const FULL_SCORE: f64 = 30000;

// A source, within a term of the query (query.ts): u32 chunk or 0, u32 its next posting, u32 its end, u32 units for the
// full impact, in 256ths.
const CHUNK: usize = 24;
const NEXT: usize = 28;
const END: usize = 32;
const SHARE: usize = 36;

/** Sums are counted by height, in steps of 1 << STEP: the k-th highest is known to within a step. */
const STEP: u32 = 4;
const COUNTS: usize = 4 << (15 - STEP);

const SUMS: usize = <usize>PAGE_CARDS << 1;
let sums: usize = 0;
let counts: usize = 0;

// The candidates, 8 bytes each: u32 card, i32 sum.
let candidates: usize = 0;
let candidatesEnd: usize = 0;

/** The current step, the number of cards with a sum in this step or above, and the number required. */
let step: u32 = 0;
let reached: u32 = 0;
let wanted: u32 = 0;
let slack: i32 = 0;
/** Cards with sums up to this cannot be among the best. */
let threshold: i32 = 0;

/** Makes a tag or word a source that adds up to `most` units to each card that has it. */
export function addSource(asked: usize, most: f64): void {
  const term = <usize>load<u32>(asked, TERM);
  // A term whose card could not be added for lack of memory has no chunk.
  const chunk = term ? <usize>load<u32>(term, FIRST) : 0;
  store<u32>(asked, <u32>chunk, CHUNK);
  if (!chunk) return;
  store<u32>(asked, <u32>chunkBegin(chunk), NEXT);
  store<u32>(asked, <u32>chunkEnd(term, chunk), END);
  store<u32>(asked, max(<u32>ceil((most * 256) / 255), 1), SHARE);
}

/**
 * Collects the cards that can be among the best `k` with a sum above `least`; with `all`, includes cards that match no
 * source. False when there is no memory.
 */
export function scan(k: u32, least: i32, slackUnits: i32, all: bool): bool {
  const cards = cardsCount();
  sums = take(SUMS);
  counts = take(COUNTS);
  candidates = candidatesEnd = take(<usize>cards << 3);
  if (!sums || !counts || !candidates) return false;
  memory.fill(counts, 0, COUNTS);
  step = 0;
  reached = 0;
  wanted = k;
  slack = slackUnits;
  threshold = least;
  for (let first: u32 = 0; first < cards; first += PAGE_CARDS) {
    memory.fill(sums, 0, SUMS);
    // The end of the last page may be 2^24, whose postings would begin at 2^32.
    const last = ((first + PAGE_CARDS) << 8) - 1;
    for (let asked = askedBegin(); asked < askedEnd(); asked += ASKED) {
      if (load<u32>(asked, CHUNK)) addPage(asked, sums - (<usize>first << 1), last);
    }
    scanPage(first, all);
  }
  return true;
}

// @ts-ignore: decorator
@inline function addPosting(to: usize, posting: u32, share: u32): void {
  const sum = to + (<usize>(posting >> 8) << 1);
  store<u16>(sum, load<u16>(sum) + (((posting & 255) * share + 255) >> 8));
}

/** Adds the source's postings up to `last` to the sums. `to`: the address where the sum of card 0 would be. */
function addPage(source: usize, to: usize, last: u32): void {
  let p = <usize>load<u32>(source, NEXT), end = <usize>load<u32>(source, END);
  const share = load<u32>(source, SHARE);
  for (;;) {
    while (p + 3 * POSTING < end && load<u32>(p, 3 * POSTING) <= last) {
      addPosting(to, load<u32>(p), share);
      addPosting(to, load<u32>(p, POSTING), share);
      addPosting(to, load<u32>(p, 2 * POSTING), share);
      addPosting(to, load<u32>(p, 3 * POSTING), share);
      p += 4 * POSTING;
    }
    for (; p < end && load<u32>(p) <= last; p += POSTING) addPosting(to, load<u32>(p), share);
    if (p < end) break;
    const chunk = chunkNext(load<u32>(source, CHUNK));
    if (!chunk) break;
    p = chunkBegin(chunk);
    end = chunkEnd(load<u32>(source, TERM), chunk);
    store<u32>(source, <u32>chunk, CHUNK);
    store<u32>(source, <u32>end, END);
  }
  store<u32>(source, <u32>p, NEXT);
}

/** Considers the cards of the page that begins with card `first`. */
function scanPage(first: u32, all: bool): void {
  const standings = pageOf(first);
  if (ASC_FEATURE_SIMD) {
    let limit = i16x8.splat(<i16>threshold);
    const least = i16x8.splat(all ? -1 : 0);
    for (let i: usize = 0; i < SUMS; i += 32) {
      const a = v128.load(sums + i), b = v128.load(sums + i, 16);
      const overA = i16x8.gt_s(i16x8.add_sat_s(a, v128.load(standings + i)), limit);
      const overB = i16x8.gt_s(i16x8.add_sat_s(b, v128.load(standings + i, 16)), limit);
      if (!v128.any_true(v128.or(overA, overB))) continue;
      const matchA = v128.and(overA, i16x8.gt_s(a, least)), matchB = v128.and(overB, i16x8.gt_s(b, least));
      for (let lanes = i8x16.bitmask(i8x16.narrow_i16x8_s(matchA, matchB)); lanes; lanes &= lanes - 1) {
        consider(first, i + (<usize>ctz(lanes) << 1), standings);
      }
      limit = i16x8.splat(<i16>threshold);
    }
  } else {
    for (let i: usize = 0; i < SUMS; i += 2) if (all || load<i16>(sums + i)) consider(first, i, standings);
  }
}

function consider(first: u32, i: usize, standings: usize): void {
  const sum = <i32>load<i16>(sums + i) + load<i16>(standings + i);
  if (sum <= threshold) return;
  store<u32>(candidatesEnd, first + <u32>(i >> 1));
  store<i32>(candidatesEnd, sum, 4);
  candidatesEnd += 8;
  const own = <u32>sum >> STEP;
  const count = counts + (<usize>own << 2);
  store<u32>(count, load<u32>(count) + 1);
  if (own < step) return;
  reached++;
  while (reached - load<u32>(counts + (<usize>step << 2)) >= wanted) reached -= load<u32>(counts + (<usize>(step++) << 2));
  if (reached >= wanted) threshold = max(threshold, <i32>(step << STEP) - slack - 1);
}

/**
 * The first candidate from `p` on (0: from the start) above the final threshold, or 0. Its card is stored at that
 * address.
 */
export function nextCandidate(p: usize): usize {
  for (p = p ? p + 8 : candidates; p < candidatesEnd; p += 8) if (load<i32>(p, 4) > threshold) return p;
  return 0;
}

// The best k hits, in order: by score, and for equal scores by id in UTF-16 code unit order.

// A hit, 56 bytes: f64 score in millionths, f64 for each factor (tags, text, reputation, availability, rating), u32
// bits of the matched tags, u32 card.
export const HIT: usize = 56;
export const FACTORS: usize = 8;
export const MATCHED: usize = 48;
export const CARD: usize = 52;

/** The addresses of the hits, best first. */
let list: usize = 0;
let hits: usize = 0;
let capacity: u32 = 0;
let count: u32 = 0;

// @ts-ignore: decorator
@inline export function bestCount(): u32 { return count; }
// @ts-ignore: decorator
@inline export function bestAt(i: u32): usize { return load<u32>(list + (<usize>i << 2)); }

/** Makes room for the best `k`. False when there is no memory. */
export function beginBest(k: u32): bool {
  capacity = k;
  count = 0;
  list = take(<usize>(k + 1) << 2);
  hits = take(<usize>k * HIT);
  return list && hits;
}

/** Considers a card. Returns its hit, whose factors the caller must write, or 0 when it is not among the best. */
export function offer(score: f64, card: u32): usize {
  let low: u32 = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = load<f64>(bestAt(middle));
    const behind = other != score ? other > score : compareIds(load<u32>(bestAt(middle), CARD), card) < 0;
    if (behind) low = middle + 1;
    else high = middle;
  }
  if (low == capacity) return 0;
  const found = count < capacity ? hits + <usize>(count++) * HIT : bestAt(count - 1);
  const place = list + (<usize>low << 2);
  memory.copy(place + 4, place, <usize>(count - 1 - low) << 2);
  store<u32>(place, <u32>found);
  store<f64>(found, score);
  store<u32>(found, card, CARD);
  return found;
}
