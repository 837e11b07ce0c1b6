// The cards: numbered in order of arrival, stored in pages, and found by their ids. A replaced card gets a new number;
// its old one stays dead until the index is merged.
//
// A page: an i16 standing for each card (what the signals add to its score, in scan units: signals.ts), then the cards,
// 40 bytes each:
//    0 f64 reputation, f64 availability, f64 rating
//   24 u32 id        the address of its text in the dictionary
//   28 u32 length    the length of the id in bytes
//   32 u32 renumbered    its number in the current save (save.ts)
//   36 u16 words     the number of words in its text
//   38 u8  flags

import { Member, compareNames } from "../json/member";
import { allocate } from "./heap";
import { SLOT, findTerm, termLength, termOfText, termText, ID as ID_TERM } from "./terms";

const PAGE_SHIFT: u32 = 12;
export const PAGE_CARDS: u32 = 1 << PAGE_SHIFT;
/** A posting has 24 bits for the card's number. */
export const MOST_CARDS: u32 = 1 << 24;
/** The length limit of ids in bytes. */
export const LONGEST_ID: u32 = 2048;
export const NO_CARD: u32 = 0xffffffff;

export const SIGNALS_SIZE: usize = 24;
export const ID: usize = 24;
export const ID_LENGTH: usize = 28;
export const RENUMBERED: usize = 32;
export const WORDS: usize = 36;
export const FLAGS: usize = 38;
const CARD: usize = 40;
const PAGE: usize = <usize>PAGE_CARDS * (2 + CARD);

export const DEAD: u32 = 1;
export const EXCLUDED: u32 = 2;

/**
 * The `standing` of removed and excluded cards, and of unused places after the last card: far below any threshold.
 * Consists of two equal bytes.
 */
export const NEVER: i16 = -32640;

/** The addresses of all possible pages. */
const pages: usize = memory.data(16384, 4);

let cards: u32 = 0;
let live: u32 = 0;
let words: u64 = 0;
let removals: u32 = 0;

/** The number of cards ever added. */
// @ts-ignore: decorator
@inline export function cardsCount(): u32 { return cards; }
/** The number of cards that were not removed. */
// @ts-ignore: decorator
@inline export function cardsLive(): u32 { return live; }
/** The number of words in all of them. */
// @ts-ignore: decorator
@inline export function cardsWords(): u64 { return words; }
/** Changes when a card is removed. */
// @ts-ignore: decorator
@inline export function cardsRemoved(): u32 { return removals; }
/** Changes when a card is added or removed. */
// @ts-ignore: decorator
@inline export function cardsRevision(): u32 { return cards + removals; }

export function pageOf(card: u32): usize { return load<u32>(pages + (<usize>(card >> PAGE_SHIFT) << 2)); }
export function standingAt(card: u32): usize { return pageOf(card) + (<usize>(card & (PAGE_CARDS - 1)) << 1); }
export function cardAt(card: u32): usize { return pageOf(card) + (<usize>PAGE_CARDS << 1) + <usize>(card & (PAGE_CARDS - 1)) * CARD; }

/** The bytes to prepare before `addCard`. */
// @ts-ignore: decorator
@inline export function cardSpace(): usize { return cards & (PAGE_CARDS - 1) ? 0 : PAGE; }

/** Adds a card whose id, a term, no live card has; its signals and words are 0. Returns its number. */
export function addCard(id: usize): u32 {
  const card = cards;
  if (!(card & (PAGE_CARDS - 1))) {
    const page = allocate(PAGE);
    memory.fill(page, 0, PAGE);
    memory.fill(page, <u8>NEVER, <usize>PAGE_CARDS << 1);
    store<u32>(pages + (<usize>(card >> PAGE_SHIFT) << 2), <u32>page);
  }
  cards++;
  live++;
  const at = cardAt(card);
  store<u32>(at, <u32>termText(id), ID);
  store<u32>(at, termLength(id), ID_LENGTH);
  store<u32>(id, cards, SLOT);
  return card;
}

/** Adds to a card's number of words, at most 65,535 in total. */
export function addWords(card: u32, more: u32): void {
  const at = cardAt(card);
  store<u16>(at, load<u16>(at, WORDS) + more, WORDS);
  words += more;
}

/** The live card with this id, or NO_CARD. */
export function findCard(id: usize, n: u32): u32 {
  const term = n - 1 < LONGEST_ID ? findTerm(id, n, ID_TERM) : 0;
  return term ? load<u32>(term, SLOT) - 1 : NO_CARD;
}

/** Removes a live card; its postings stay. */
export function removeCard(card: u32): void {
  const at = cardAt(card);
  store<u8>(at, DEAD, FLAGS);
  store<i16>(standingAt(card), NEVER);
  store<u32>(termOfText(load<u32>(at, ID)), 0, SLOT);
  live--;
  words -= load<u16>(at, WORDS);
  removals++;
}

/** A card's id in the form of a member's name: both store the address first and then the length. */
// @ts-ignore: decorator
@inline function named(card: u32): Member { return changetype<Member>(cardAt(card) + (ID - offsetof<Member>("name"))); }

/** Compares the ids of two cards in UTF-16 code unit order. */
export function compareIds(a: u32, b: u32): i32 { return compareNames(named(a), named(b)); }

/** Removes all cards. */
export function clearCards(): void {
  removals += cards + 1;
  cards = 0;
  live = 0;
  words = 0;
}
