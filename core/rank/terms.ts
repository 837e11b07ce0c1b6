// The dictionaries: every tag path, every word and every id is interned once. Ids have their own hash table, so that
// the one for words stays small enough for the processor's caches.
//
// A term's record, chained in order of creation. The fields used when a card is added are adjacent, at the end:
//    0 u32 next    the record created after it
//    4 u32 first   its postings: the first and the last chunk (postings.ts)
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

import { sameBytes } from "../bytes";
import { allocate, spaceOf } from "./heap";
import { hash } from "./hash";

/** A tag, or one of the paths above it. */
export const TAG: u32 = 0;
export const WORD: u32 = 1;
export const ID: u32 = 2;

/** The length limit of tags and words. */
export const LONGEST_TERM: u32 = 255;

export const FIRST: usize = 4;
export const LAST: usize = 8;
export const DEAD: usize = 12;
export const SEEN: usize = 16;
export const COUNT: usize = 20;
export const TAIL: usize = 24;
export const LIMIT: usize = 28;
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
