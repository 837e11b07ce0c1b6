// The dictionaries: every tag path, every word and every id is interned once. Ids have their own hash table, so that
// the one for words stays small enough for the processor's caches.
//
// A term's record, chained in order of creation. The fields used when a card is added are adjacent, at the end:
//    0 u32 next    the record created after it
//    4 u32 first   its postings: the first and the last chunk (terms.ts)
//    8 u32 last
//   12 u32 dead    the number of postings of removed cards, when `seen` cards had been removed
//   16 u32 seen
//   20 u32 count   the number of postings in all chunks, including those of removed cards
//   24 u32 tail    the end of the postings in the last chunk
//   28 u32 limit   the end of that chunk
//   32 u32 slot    its index in the list of the card being added (stage.ts); for an id: its card's number + 1, or 0
//   36 u32 hash
//   40 u16 length  the length of its text
//   42 u16 kind
//   44     text
import { sameBytes } from "../arena";
import { allocate, spaceOf, hash } from "./heap";
import { DEAD as DEAD_CARD, FLAGS, cardAt, cardsRemoved, WORDS } from "./cards";

/** A tag, or one of the paths above it. */
export const TAG: u32 = 0;
export const WORD: u32 = 1;
export const ID: u32 = 2;

/** The length limit of tags and words. */
export const LONGEST_TERM: u32 = 255;

export const FIRST: usize = 4;
const LAST: usize = 8;
const DEAD: usize = 12;
const SEEN: usize = 16;
export const COUNT: usize = 20;
const TAIL: usize = 24;
const LIMIT: usize = 28;
export const SLOT: usize = 32;
const HASH: usize = 36;
const LENGTH: usize = 40;
const KIND: usize = 42;
const TEXT: usize = 44;

// A dictionary: u32 table of record addresses, u32 number of slots - 1, u32 number of terms, u32 first term, u32 last
// term.
const DICTIONARY: usize = 20;
const MASK: usize = 4;
const TERMS: usize = 8;
const FIRST_TERM: usize = 12;
const LAST_TERM: usize = 16;
const dictionaries: usize = memory.data(40, 8);

// @ts-ignore: decorator
@inline function dictionaryOf(kind: u32): usize { return kind == ID ? dictionaries + DICTIONARY : dictionaries; }

/** The first tag or word. */
// @ts-ignore: decorator
@inline export function termsFirst(): usize { return load<u32>(dictionaries, FIRST_TERM); }
// @ts-ignore: decorator
@inline export function termNext(term: usize): usize { return load<u32>(term); }
// @ts-ignore: decorator
@inline export function termText(term: usize): usize { return term + TEXT; }
/** The record of the term whose text is at `p`. */
// @ts-ignore: decorator
@inline export function termOfText(p: usize): usize { return p - TEXT; }
// @ts-ignore: decorator
@inline export function termLength(term: usize): u32 { return load<u16>(term, LENGTH); }
// @ts-ignore: decorator
@inline export function termKind(term: usize): u32 { return load<u16>(term, KIND); }

/** The number of slots for `more` terms: at most half of the slots are used. */
function slotsFor(dictionary: usize, more: u32): u32 {
  const used = (load<u32>(dictionary, TERMS) + more) << 1;
  let slots = max(load<u32>(dictionary, MASK) + 1, 1024);
  while (slots <= used) slots <<= 1;
  return slots;
}

/** The bytes to prepare before `expectTerms` and then interning `more` terms of `bytes` bytes in total. */
export function termsSpace(kind: u32, more: u32, bytes: usize): usize {
  const dictionary = dictionaryOf(kind);
  const slots = slotsFor(dictionary, more);
  return <usize>more * (TEXT + 8) + bytes + (slots > load<u32>(dictionary, MASK) + 1 ? <usize>slots << 2 : 0);
}

/** Grows the table so that `more` terms fit. */
export function expectTerms(kind: u32, more: u32): void {
  const dictionary = dictionaryOf(kind);
  const mask = slotsFor(dictionary, more) - 1;
  if (mask == load<u32>(dictionary, MASK)) return;
  const bytes = (<usize>mask + 1) << 2;
  const table = allocate(bytes);
  memory.fill(table, 0, bytes);
  store<u32>(dictionary, <u32>table);
  store<u32>(dictionary, mask, MASK);
  for (let term = <usize>load<u32>(dictionary, FIRST_TERM); term; term = termNext(term)) {
    let slot = load<u32>(term, HASH);
    while (load<u32>(table + (<usize>(slot & mask) << 2))) slot++;
    store<u32>(table + (<usize>(slot & mask) << 2), <u32>term);
  }
}

/** The record of the `n` bytes at `p`, or 0. */
export function findTerm(p: usize, n: u32, kind: u32): usize {
  return load<u32>(dictionaryOf(kind)) ? <usize>load<u32>(slotOf(p, n, kind, hash(p, n, kind))) : 0;
}

/** The slot of the term, or the free slot for it. The table must exist. */
// @ts-ignore: decorator
@inline function slotOf(p: usize, n: u32, kind: u32, h: u32): usize {
  const dictionary = dictionaryOf(kind);
  const table = <usize>load<u32>(dictionary), mask = load<u32>(dictionary, MASK);
  for (let slot = h; table; slot++) {
    const at = table + (<usize>(slot & mask) << 2);
    const term = <usize>load<u32>(at);
    if (!term) return at;
    if (load<u32>(term, HASH) == h && load<u32>(term, LENGTH) == (n | (kind << 16)) && sameBytes(termText(term), p, n)) return at;
  }
  return 0;
}

/** The record of the `n` bytes at `p`, created if necessary. Needs a preceding `expectTerms`. */
export function internTerm(p: usize, n: u32, kind: u32): usize {
  const h = hash(p, n, kind);
  const at = slotOf(p, n, kind, h);
  const known = <usize>load<u32>(at);
  return known ? known : addTerm(at, p, n, kind, h);
}

function addTerm(at: usize, p: usize, n: u32, kind: u32, h: u32): usize {
  const dictionary = dictionaryOf(kind);
  const term = allocate(TEXT + n);
  memory.fill(term, 0, TEXT);
  store<u32>(term, h, HASH);
  store<u32>(term, n | (kind << 16), LENGTH);
  memory.copy(termText(term), p, n);
  const last = <usize>load<u32>(dictionary, LAST_TERM);
  store<u32>(last ? last : dictionary + FIRST_TERM, <u32>term);
  store<u32>(dictionary, <u32>term, LAST_TERM);
  store<u32>(dictionary, load<u32>(dictionary, TERMS) + 1, TERMS);
  store<u32>(at, <u32>term);
  return term;
}

/** Removes all terms. */
export function clearTerms(): void { memory.fill(dictionaries, 0, 2 * DICTIONARY); }

// The natural logarithm, only for idf: WebAssembly has none, and the compiler's own adds 5 KB of tables.

const SQRT2: f64 = 1.4142135623730951;
const LN2: f64 = 0.6931471805599453;

/**
 * ln x for a normal positive x, within 2 units in the last place: x = 2^e * m with m around 1, then ln m = 2 atanh(s) =
 * 2 s (1 + s^2/3 + s^4/5 + ...) for s = (m - 1) / (m + 1), whose absolute value is at most 0.172.
 */
function ln(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  let e = <i32>(bits >> 52) - 1023;
  let m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > SQRT2) {
    m *= 0.5;
    e++;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let sum: f64 = 0;
  for (let k: f64 = 23; k > 1; k -= 2) sum = z * (sum + 1 / k);
  return <f64>e * LN2 + 2 * s * (1 + sum);
}

// The cards that have a term, and how often: a chain of chunks for each term, cards ascending. Loading makes one chunk
// of the exact size. A chunk added later has room for as many postings as the term already has, from 2 to 2048, so that
// neither rare nor frequent words waste much.
//
// A chunk: u32 next, u32 end of its postings (for the last chunk, the term's `tail`), then postings of 6 bytes: u32 the
// card's number << 8 | its impact (terms.ts), u16 how often the card has the term.

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

// BM25, exactly and as an upper bound.
//
// Each posting has a byte that bounds its contribution from above: frequency / (frequency + norm) in 255ths, with the
// norm taken at a reference average length. The average of a query differs a little, which the scan allows for
// (search.ts). When it differs by more than a tenth, all bytes are recomputed.

export const K1: f64 = 1.2;
const B: f64 = 0.75;

/** The largest allowed ratio between the average and the reference. */
export const DRIFT: f64 = 1.1;

/** The impact of a tag: a card either has it or not. */
export const FULL: u32 = 255;

let reference: f64 = 0;

// @ts-ignore: decorator
@inline export function referenceLength(): f64 { return reference; }

/** The part of BM25's saturation that depends on a card's length. */
export function norm(length: u32, average: f64): f64 { return K1 * (1 - B + (B * <f64>length) / average); }

/**
 * Cached impacts of words that occur up to 4 times in a card of fewer than 256 words. That is nearly all words, and
 * saves two divisions for each.
 */
const USUAL: usize = memory.data(1024);

/** The impact byte of a word that occurs `frequency` times in a card of `length` words. */
export function impactOf(frequency: u32, length: u32): u32 {
  return frequency <= 4 && length < 256 ? <u32>load<u8>(USUAL + ((<usize>frequency - 1) << 8) + length) : computeImpact(frequency, length);
}

function computeImpact(frequency: u32, length: u32): u32 {
  const f = <f64>frequency;
  return max(<u32>ceil((255 * f) / (f + norm(length, reference))), 1);
}

/** Sets the reference without updating the impacts of existing postings. */
export function refer(average: f64): void {
  reference = average;
  for (let i: u32 = 0; i < 1024; i++) store<u8>(USUAL + i, computeImpact((i >> 8) + 1, i & 255));
}

/** Makes `average` the reference if the current one is too far from it. */
export function follow(average: f64): void {
  if (!(average <= reference * DRIFT && reference <= average * DRIFT)) rebase(average);
}

/** Sets the reference and recomputes all impacts of words: 4 ns a posting. */
export function rebase(average: f64): void {
  refer(average);
  for (let term = termsFirst(); term; term = termNext(term)) {
    if (termKind(term) != WORD) continue;
    for (let chunk = <usize>load<u32>(term, FIRST); chunk; chunk = chunkNext(chunk)) {
      const end = chunkEnd(term, chunk);
      for (let p = chunkBegin(chunk); p < end; p += POSTING) {
        store<u8>(p, impactOf(postingFrequency(p), load<u16>(cardAt(postingCard(p)), WORDS)));
      }
    }
  }
}

/** The weight of a word that `having` out of `cards` cards contain. Always positive. */
export function idfOf(cards: f64, having: f64): f64 { return ln(1 + (cards - having + 0.5) / (having + 0.5)); }
