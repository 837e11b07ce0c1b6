// Finds the few cards that can be among the best, without computing a score exactly. All is done in scan units, whole numbers
// of 16 bits; what a posting or the signals add is rounded up, so that a card's sum is never below its score, and above it
// by less than `slack`. A card whose sum is more than `slack` below the k-th highest sum is not among the best k.
//
// The cards are taken in blocks whose sums stay in the processor's first cache: that halves the time of a query.

import { take } from "../arena";
import { forgetBest, lowestBest, offer } from "./best";
import { PAGE_CARDS, PAGE_SHIFT, cardsCount, pageAt } from "./cards";
import { POSTING, chunkBegin, chunkEnd, chunkNext } from "./postings";
import { FIRST } from "./terms";

/** What the highest possible score is worth. Rounding adds 2 for each tag and word: below 32,767 in any case. */
export const FULL_SCORE: f64 = 30000;

const BLOCK_CARDS: u32 = 8192;

// A term that adds to the sums, 20 bytes: u32 term, u32 chunk, u32 its next posting, u32 its end, u32 units for the full
// impact, in 256ths.
const SOURCE: usize = 20;

let sources: usize = 0;
let sourceCount: u32 = 0;
let sums: usize = 0;

// The candidates, 8 bytes each: u32 card, i32 sum.
let candidates: usize = 0;
let count: u32 = 0;

let slack: i32 = 0;
/** Sums up to this are out. */
let threshold: i32 = 0;

/** Begins a scan with up to `terms` sources. False when there is no memory. */
export function beginScan(terms: u32): bool {
  sourceCount = 0;
  count = 0;
  sources = take(<usize>terms * SOURCE);
  sums = take(<usize>BLOCK_CARDS << 1);
  candidates = take(<usize>cardsCount() << 3);
  return sources && sums && candidates;
}

/** Has the term add to each card that has it `share` 256ths of a unit for each 255th of impact. */
export function addSource(term: usize, share: u32): void {
  const chunk = <usize>load<u32>(term, FIRST);
  if (!chunk) return; // of a card that memory lacked for
  const source = sources + <usize>sourceCount * SOURCE;
  sourceCount++;
  store<u32>(source, <u32>term);
  store<u32>(source, <u32>chunk, 4);
  store<u32>(source, <u32>chunkBegin(chunk), 8);
  store<u32>(source, <u32>chunkEnd(term, chunk), 12);
  store<u32>(source, share, 16);
}

/** Collects who can be among the best (best.ts) with a sum above `least`; `all`: cards without any source, too. */
export function scan(least: i32, slackUnits: i32, all: bool): void {
  forgetBest();
  threshold = least;
  slack = slackUnits;
  const cards = cardsCount();
  for (let first: u32 = 0; first < cards; first += BLOCK_CARDS) {
    memory.fill(sums, 0, BLOCK_CARDS << 1);
    // The last block's end may be 2^24, whose postings would begin at 2^32.
    const last = ((first + BLOCK_CARDS) << 8) - 1;
    for (let i: u32 = 0; i < sourceCount; i++) addBlock(sources + <usize>i * SOURCE, sums - (<usize>first << 1), last);
    const end = min(first + BLOCK_CARDS, cards);
    for (let card = first; card < end; card += PAGE_CARDS) scanPage(card, sums + (<usize>(card - first) << 1), all);
  }
}

// @ts-ignore: decorator
@inline function addPosting(to: usize, posting: u32, share: u32): void {
  const sum = to + (<usize>(posting >> 8) << 1);
  store<u16>(sum, load<u16>(sum) + (((posting & 255) * share + 255) >> 8));
}

/** Adds the source's postings up to `last` to the sums. `to`: where the sum of card 0 would be. */
function addBlock(source: usize, to: usize, last: u32): void {
  let p = <usize>load<u32>(source, 8), end = <usize>load<u32>(source, 12);
  const share = load<u32>(source, 16);
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
    const chunk = chunkNext(load<u32>(source, 4));
    if (!chunk) break;
    p = chunkBegin(chunk);
    end = chunkEnd(load<u32>(source), chunk);
    store<u32>(source, <u32>chunk, 4);
    store<u32>(source, <u32>end, 12);
  }
  store<u32>(source, <u32>p, 8);
}

/** Considers the cards of the page that begins with card `first`, whose sums are at `to`. */
function scanPage(first: u32, to: usize, all: bool): void {
  const standings = pageAt(first >> PAGE_SHIFT);
  const bytes: usize = PAGE_CARDS << 1;
  if (ASC_FEATURE_SIMD) {
    let limit = i16x8.splat(<i16>threshold);
    for (let i: usize = 0; i < bytes; i += 32) {
      const a = v128.load(to + i), b = v128.load(to + i, 16);
      const overA = i16x8.gt_s(i16x8.add_sat_s(a, v128.load(standings + i)), limit);
      const overB = i16x8.gt_s(i16x8.add_sat_s(b, v128.load(standings + i, 16)), limit);
      if (!v128.any_true(v128.or(overA, overB))) continue;
      let lanes = i8x16.bitmask(i8x16.narrow_i16x8_s(overA, overB));
      if (!all) lanes &= i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.gt_s(a, i16x8.splat(0)), i16x8.gt_s(b, i16x8.splat(0))));
      for (; lanes; lanes &= lanes - 1) {
        const at = i + (<usize>ctz(lanes) << 1);
        consider(first + <u32>(at >> 1), <i32>load<i16>(to + at) + <i32>load<i16>(standings + at));
      }
      limit = i16x8.splat(<i16>threshold);
    }
  } else {
    for (let i: usize = 0; i < bytes; i += 2) {
      const sum = <i32>load<i16>(to + i);
      if (sum || all) consider(first + <u32>(i >> 1), sum + <i32>load<i16>(standings + i));
    }
  }
}

function consider(card: u32, sum: i32): void {
  if (sum <= threshold) return;
  const candidate = candidates + (<usize>count << 3);
  count++;
  store<u32>(candidate, card);
  store<i32>(candidate, sum, 4);
  offer(<f64>sum, 0, card, 0);
  threshold = max(threshold, <i32>lowestBest() - slack - 1);
}

/** The place from `i` on of the next candidate that the final threshold leaves, or `candidateEnd`. */
export function nextCandidate(i: u32): u32 {
  while (i < count && load<i32>(candidates + (<usize>i << 3), 4) <= threshold) i++;
  return i;
}

// @ts-ignore: decorator
@inline export function candidateEnd(): u32 { return count; }
// @ts-ignore: decorator
@inline export function candidateAt(i: u32): u32 { return load<u32>(candidates + (<usize>i << 3)); }
