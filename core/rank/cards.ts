// The cards: numbered in the order they came, in pages of 1024, and found by their ids. A replaced card gets a new
// number and its old one stays dead until the index is merged.
//
// A page: i16 standing each (what the signals add to the score, in scan units: signals.ts), then the cards, 40 bytes each:
//    0 f64 reputation
//    8 u32 id        its address, and
//   12 u32 length    its bytes: where json/member.ts has a name and its length, for `compareNames`
//   16 f64 availability
//   24 f64 rating
//   32 u16 words    in the card's text
//   34 u8  flags

import { allocate, spaceOf } from "./heap";
import { hash, sameBytes } from "./hash";

export const PAGE_SHIFT: u32 = 10;
export const PAGE_CARDS: u32 = 1 << PAGE_SHIFT;
/** A posting has 24 bits for the card's number. */
export const MOST_CARDS: u32 = 1 << 24;
/** The longest id that is taken, in bytes. */
export const LONGEST_ID: u32 = 2048;
export const NO_CARD: u32 = 0xffffffff;

export const REPUTATION: usize = 0;
export const ID: usize = 8;
export const ID_LENGTH: usize = 12;
export const AVAILABILITY: usize = 16;
export const RATING: usize = 24;
export const WORDS: usize = 32;
export const FLAGS: usize = 34;
const CARD: usize = 40;
const PAGE: usize = <usize>PAGE_CARDS * (2 + CARD);

export const DEAD: u32 = 1;
export const EXCLUDED: u32 = 2;

/** Far below any threshold: `standing` of who is removed, excluded, or beyond the last card. */
export const NEVER: i32 = -32768;

const ID_KIND: u32 = 2;

/** A slot of the table of ids: u32 the card's number + 1 or 0, u32 the hash of its id. */
const SLOT: usize = 8;

let pages: usize = 0;
let pagesCapacity: u32 = 0;
let cards: u32 = 0;
let live: u32 = 0;
let words: u64 = 0;
let table: usize = 0;
let mask: u32 = 0;

/** Numbers given so far. */
// @ts-ignore: decorator
@inline export function cardsCount(): u32 { return cards; }
/** Cards that were not removed. */
// @ts-ignore: decorator
@inline export function cardsLive(): u32 { return live; }
/** Words in all of them. */
// @ts-ignore: decorator
@inline export function cardsWords(): u64 { return words; }

// @ts-ignore: decorator
@inline export function pageAt(page: u32): usize { return load<u32>(pages + (<usize>page << 2)); }
export function standingAt(card: u32): usize { return pageAt(card >> PAGE_SHIFT) + (<usize>(card & (PAGE_CARDS - 1)) << 1); }
export function cardAt(card: u32): usize {
  return pageAt(card >> PAGE_SHIFT) + (<usize>PAGE_CARDS << 1) + <usize>(card & (PAGE_CARDS - 1)) * CARD;
}

/** Bytes to prepare before `expectCard` and `addCard`. */
export function cardSpace(lengthOfId: u32): usize {
  return spaceOf(lengthOfId)
    + (cards & (PAGE_CARDS - 1) ? 0 : PAGE + spaceOf(<usize>pagesCapacity * 8 + 256))
    + (tableFits() ? 0 : (max(<usize>mask + 1, 512) << 1) * SLOT);
}

/** The table is half full at the most. Ids of removed cards keep their slots until it grows. */
// @ts-ignore: decorator
@inline function tableFits(): bool { return ((cards + 1) << 1) <= mask; }

/** Makes a free slot and a page for one more card. Slots found before are void. */
export function expectCard(): void {
  if (!tableFits()) growTable();
  if (cards & (PAGE_CARDS - 1)) return;
  const page = cards >> PAGE_SHIFT;
  if (page == pagesCapacity) {
    pagesCapacity = pagesCapacity << 1 | 64;
    const longer = allocate(<usize>pagesCapacity << 2);
    memory.copy(longer, pages, <usize>page << 2);
    pages = longer;
  }
  const at = allocate(PAGE);
  memory.fill(at, 0, PAGE);
  for (let i: usize = 0; i < PAGE_CARDS << 1; i += 2) store<i16>(at + i, <i16>NEVER);
  store<u32>(pages + (<usize>page << 2), <u32>at);
}

function growTable(): void {
  let from = table;
  const end = from + (mask ? (<usize>mask + 1) * SLOT : 0);
  mask = (max(mask + 1, 512) << 1) - 1;
  const bytes = (<usize>mask + 1) * SLOT;
  table = allocate(bytes);
  memory.fill(table, 0, bytes);
  for (; from < end; from += SLOT) {
    const card = load<u32>(from) - 1;
    if (card == NO_CARD || load<u8>(cardAt(card), FLAGS) & DEAD) continue;
    let slot = load<u32>(from, 4) & mask;
    while (load<u32>(table + <usize>slot * SLOT)) slot = (slot + 1) & mask;
    store<u64>(table + <usize>slot * SLOT, load<u64>(from));
  }
}

/** The slot of the id: that of the last card which had it, or the free one where it belongs. There is a table. */
export function slotOfId(id: usize, n: u32): usize {
  const h = hash(id, n, ID_KIND);
  let slot = h & mask;
  for (;;) {
    const at = table + <usize>slot * SLOT;
    const card = load<u32>(at) - 1;
    if (card == NO_CARD) store<u32>(at, h, 4); // for `addCard`
    if (card == NO_CARD || (load<u32>(at, 4) == h && hasId(cardAt(card), id, n))) return at;
    slot = (slot + 1) & mask;
  }
  return 0;
}

// @ts-ignore: decorator
@inline function hasId(at: usize, id: usize, n: u32): bool {
  return load<u32>(at, ID_LENGTH) == n && sameBytes(load<u32>(at, ID), id, n);
}

/** The live card in the slot, or NO_CARD. */
export function cardInSlot(slot: usize): u32 {
  const card = load<u32>(slot) - 1;
  return card == NO_CARD || load<u8>(cardAt(card), FLAGS) & DEAD ? NO_CARD : card;
}

/** The live card with this id, or NO_CARD. */
export function findCard(id: usize, n: u32): u32 {
  return cards ? cardInSlot(slotOfId(id, n)) : NO_CARD;
}

/** Gives a number to a card with this id, whose slot has no live card. Its signals are 0; `expectCard` went before. */
export function addCard(slot: usize, id: usize, n: u32, length: u32): u32 {
  const copy = allocate(n);
  memory.copy(copy, id, n);
  const card = cards++;
  const at = cardAt(card);
  store<u32>(at, <u32>copy, ID);
  store<u32>(at, n, ID_LENGTH);
  store<u16>(at, length, WORDS);
  store<u32>(slot, card + 1);
  live++;
  words += length;
  return card;
}

/** Marks a live card as removed. */
export function buryCard(card: u32): void {
  const at = cardAt(card);
  store<u8>(at, load<u8>(at, FLAGS) | DEAD, FLAGS);
  store<i16>(standingAt(card), <i16>NEVER);
  live--;
  words -= load<u16>(at, WORDS);
}

/** Forgets all cards. */
export function clearCards(): void {
  cards = 0;
  live = 0;
  words = 0;
  mask = 0;
  pagesCapacity = 0;
}
