// The cards that have a term, and how often: a chain of chunks for each term, cards ascending. Loading makes one chunk
// of the exact size. A chunk added later has room for as many postings as the term already has, from 2 to 2048, so that
// neither rare nor frequent words waste much.
//
// A chunk: u32 next, u32 end of its postings (for the last chunk, the term's `tail`), then postings of 6 bytes: u32 the
// card's number << 8 | its impact (impact.ts), u16 how often the card has the term.

import { DEAD as DEAD_CARD, FLAGS, cardAt, cardsRemoved } from "./cards";
import { allocate, spaceOf } from "./heap";
import { COUNT, DEAD, FIRST, LAST, LIMIT, SEEN, TAIL } from "./terms";

const HEADER: usize = 8;
export const POSTING: usize = 6;
const LARGEST: u32 = 2048;

// @ts-ignore: decorator
@inline export function chunkNext(chunk: usize): usize { return load<u32>(chunk); }
// @ts-ignore: decorator
@inline export function chunkBegin(chunk: usize): usize { return chunk + HEADER; }
// @ts-ignore: decorator
@inline export function chunkEnd(term: usize, chunk: usize): usize { return chunkNext(chunk) ? load<u32>(chunk, 4) : load<u32>(term, TAIL); }
// @ts-ignore: decorator
@inline export function postingCard(posting: usize): u32 { return load<u32>(posting) >> 8; }
// @ts-ignore: decorator
@inline export function postingFrequency(posting: usize): u32 { return load<u16>(posting, 4); }

// @ts-ignore: decorator
@inline export function chunkSpace(capacity: u32): usize { return spaceOf(HEADER + <usize>capacity * POSTING); }

// @ts-ignore: decorator
@inline function nextCapacity(term: usize): u32 { return min(load<u32>(term, COUNT) + 2, LARGEST); }

/** The bytes to prepare before `addPosting`. */
// @ts-ignore: decorator
@inline export function postingSpace(term: usize): usize {
  return load<u32>(term, TAIL) == load<u32>(term, LIMIT) ? chunkSpace(nextCapacity(term)) : 0;
}

/** Appends an empty chunk to the term's chain, whose last chunk is full. */
export function addChunk(term: usize, capacity: u32): void {
  const bytes = HEADER + <usize>capacity * POSTING;
  const chunk = allocate(bytes);
  const last = <usize>load<u32>(term, LAST);
  if (last) store<u32>(last, load<u32>(term, TAIL), 4);
  store<u32>(last ? last : term + FIRST, <u32>chunk);
  store<u32>(chunk, 0);
  store<u32>(term, <u32>chunk, LAST);
  store<u32>(term, <u32>(chunk + HEADER), TAIL);
  store<u32>(term, <u32>(chunk + bytes), LIMIT);
}

/** Appends a posting. Its card must have a higher number than all before, and its space must be prepared. */
// @ts-ignore: decorator
@inline export function addPosting(term: usize, card: u32, impact: u32, frequency: u32): void {
  if (load<u32>(term, TAIL) == load<u32>(term, LIMIT)) addChunk(term, nextCapacity(term));
  const tail = <usize>load<u32>(term, TAIL);
  store<u32>(tail, (card << 8) | impact);
  store<u16>(tail, frequency, 4);
  store<u32>(term, <u32>(tail + POSTING), TAIL);
  store<u32>(term, load<u32>(term, COUNT) + 1, COUNT);
}

/** The frequency of the term in the card; 0 without a term. */
export function frequencyOf(term: usize, card: u32): u32 {
  if (!term) return 0;
  const key = (card << 8) | 255;
  for (let chunk = <usize>load<u32>(term, FIRST); chunk; chunk = chunkNext(chunk)) {
    const end = chunkEnd(term, chunk);
    if (postingCard(end - POSTING) < card) continue;
    // The last posting not beyond the card, found without a branch: the outcome of each comparison is unpredictable.
    let p = chunkBegin(chunk);
    for (let n = <u32>(end - p) / <u32>POSTING; n > 1; ) {
      const half = n >> 1;
      const middle = p + <usize>half * POSTING;
      p = load<u32>(middle) <= key ? middle : p;
      n -= half;
    }
    return postingCard(p) == card ? postingFrequency(p) : 0;
  }
  return 0;
}

/** The number of live cards that have the term. Recounted on demand after a removal: 2 ns a posting. */
export function liveCount(term: usize): u32 {
  if (load<u32>(term, SEEN) != cardsRemoved()) {
    let dead: u32 = 0;
    for (let chunk = <usize>load<u32>(term, FIRST); chunk; chunk = chunkNext(chunk)) {
      const end = chunkEnd(term, chunk);
      for (let p = chunkBegin(chunk); p < end; p += POSTING) dead += load<u8>(cardAt(postingCard(p)), FLAGS) & DEAD_CARD;
    }
    store<u32>(term, dead, DEAD);
    store<u32>(term, cardsRemoved(), SEEN);
  }
  return load<u32>(term, COUNT) - load<u32>(term, DEAD);
}
