// The dictionary: every tag path and every word is interned once, in one hash table of record addresses.
//
// A term's record, chained in the order of creation. What adding a card touches lies together, behind the rest:
//    0 u32 next    the record created after it
//    4 u32 first   its postings: the first and the last chunk (postings.ts)
//    8 u32 last
//   12 u32 dead    postings of the first `seen` cards that were removed (removed.ts)
//   16 u32 seen
//   20 u32 count   postings in all chunks, those of removed cards too
//   24 u32 tail    where the next posting goes in the last chunk, and
//   28 u32 limit   the end of that chunk
//   32 u32 slot    where the card being added lists it (stage.ts)
//   36 u32 hash
//   40 u16 length  then its bytes
//   42 u8  kind
//   43 u8  step    logarithm of the next chunk's size
//   44     text

import { allocate, spaceOf } from "./heap";
import { hash, sameBytes } from "./hash";

/** A tag or one of the paths above it. */
export const TAG: u32 = 0;
export const WORD: u32 = 1;

/** The longest term that is taken. */
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
export const STEP: usize = 43;
const TEXT: usize = 44;

let table: usize = 0;
let mask: u32 = 0;
let terms: u32 = 0;
let firstTerm: usize = 0;
let lastTerm: usize = 0;

// @ts-ignore: decorator
@inline export function termsCount(): u32 { return terms; }
// @ts-ignore: decorator
@inline export function termsFirst(): usize { return firstTerm; }
// @ts-ignore: decorator
@inline export function termNext(term: usize): usize { return load<u32>(term); }
// @ts-ignore: decorator
@inline export function termText(term: usize): usize { return term + TEXT; }
// @ts-ignore: decorator
@inline export function termLength(term: usize): u32 { return load<u16>(term, LENGTH); }
// @ts-ignore: decorator
@inline export function termKind(term: usize): u32 { return load<u8>(term, KIND); }

/** Bytes to prepare before `more` terms of `bytes` bytes together are interned. */
export function termsSpace(more: u32, bytes: usize): usize {
  return <usize>more * (TEXT + 8) + bytes + (tableFits(more) ? 0 : spaceOf(<usize>slotsFor(more) << 2));
}

// @ts-ignore: decorator
@inline function tableFits(more: u32): bool { return ((terms + more) << 1) <= mask; }

/** At most half of the slots are ever used. */
function slotsFor(more: u32): u32 {
  let slots: u32 = 1024;
  while (slots <= (terms + more) << 1) slots <<= 1;
  return slots;
}

/** Grows the table so that `more` terms fit; their space was prepared. */
export function expectTerms(more: u32): void {
  if (tableFits(more)) return;
  mask = slotsFor(more) - 1;
  const bytes = (<usize>mask + 1) << 2;
  table = allocate(bytes);
  memory.fill(table, 0, bytes);
  for (let term = firstTerm; term; term = termNext(term)) {
    let slot = load<u32>(term, HASH) & mask;
    while (load<u32>(table + (<usize>slot << 2))) slot = (slot + 1) & mask;
    store<u32>(table + (<usize>slot << 2), <u32>term);
  }
}

/** The slot that holds the term, or the free one where it belongs. */
// @ts-ignore: decorator
@inline function slotOf(p: usize, n: u32, kind: u32, h: u32): usize {
  let slot = h & mask;
  for (;;) {
    const at = table + (<usize>slot << 2);
    const term = <usize>load<u32>(at);
    if (!term) return at;
    if (load<u32>(term, HASH) == h && termLength(term) == n && termKind(term) == kind && sameBytes(termText(term), p, n)) return at;
    slot = (slot + 1) & mask;
  }
  return 0;
}

/** The record of the `n` bytes at `p`, or 0. */
export function findTerm(p: usize, n: u32, kind: u32): usize {
  return terms ? <usize>load<u32>(slotOf(p, n, kind, hash(p, n, kind))) : 0;
}

/** The record of the `n` bytes at `p`, made when there is none. At most LONGEST_TERM bytes; `expectTerms` went before. */
export function internTerm(p: usize, n: u32, kind: u32): usize {
  const h = hash(p, n, kind);
  const at = slotOf(p, n, kind, h);
  const known = <usize>load<u32>(at);
  return known ? known : addTerm(at, p, n, kind, h);
}

function addTerm(at: usize, p: usize, n: u32, kind: u32, h: u32): usize {
  const term = allocate(TEXT + n);
  memory.fill(term, 0, TEXT);
  store<u32>(term, h, HASH);
  store<u16>(term, n, LENGTH);
  store<u8>(term, kind, KIND);
  memory.copy(termText(term), p, n);
  if (lastTerm) store<u32>(lastTerm, <u32>term);
  else firstTerm = term;
  lastTerm = term;
  store<u32>(at, <u32>term);
  terms++;
  return term;
}

/** Forgets all terms. */
export function clearTerms(): void {
  terms = 0;
  mask = 0;
  firstTerm = 0;
  lastTerm = 0;
}
