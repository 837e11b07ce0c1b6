// The cards: numbered in order of arrival, stored in pages, and found by their ids. A replaced card gets a new number;
// its old one stays dead until the index is merged.
//
// A page: an i16 standing for each card (what the signals add to its score, in scan units: scan.ts), then the cards,
// 40 bytes each:
//    0 f64 reputation, f64 availability, f64 rating
//   24 u32 id        the address of its text in the dictionary
//   28 u32 length    the length of the id in bytes
//   32 u32 renumbered    its number in the current save (save.ts)
//   36 u16 words     the number of words in its text
//   38 u8  flags
import { Member, compareNames } from "../json/member";
import { allocate } from "./heap";
import { SLOT, findTerm, termLength, termOfText, termText, ID as ID_TERM, LONGEST_TERM } from "./terms";
import { RESULT, seal } from "../arena";
import {
  RANK_ID, RANK_RECORD, RANK_TAG, BAD_INPUT, NO_MEMORY, RANK_FULL, RANK_LARGE, RANK_SIGNAL, RANK_TAGS, RANK_WORD,
} from "../faults";
import { setSignals, takeSignals } from "./signals";
import { beginStage, commit, stageTag, stageText, stageWord, isLoading } from "./stage";

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
function findCard(id: usize, n: u32): u32 {
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

// A card as the index sees it, and the form of a query. Little-endian, without padding:
//
//   its head; a u32 length for each tag, a u32 length for each word
//   the id, the tags, the words, the text
//
// The words are ready-made, from a caller with better knowledge of the language; the text is split as in query.ts. Both
// count.

/** The most levels of a tag: itself and the paths above it. */
export const MOST_LEVELS: u32 = 16;

// @ts-ignore: decorator
@unmanaged export class Record {
  /** The length of the id in bytes; 0 for a query. */
  idLength: u32;
  tags: u32;
  words: u32;
  /** The length of the text in bytes. */
  textLength: u32;
}
export const HEADER: usize = offsetof<Record>();

let begin: usize = 0;
let bytes: usize = 0;
let end: usize = 0;

// @ts-ignore: decorator
@inline export function recordIdLength(): u32 { return changetype<Record>(begin).idLength; }
// @ts-ignore: decorator
@inline export function recordTags(): u32 { return changetype<Record>(begin).tags; }
/** The number of tags and words. */
// @ts-ignore: decorator
@inline export function recordItems(): u32 { return recordTags() + changetype<Record>(begin).words; }
/** The length of item `i` in bytes: first the tags, then the words. */
// @ts-ignore: decorator
@inline export function itemLength(i: u32): u32 { return load<u32>(begin + HEADER + (<usize>i << 2)); }
/** The address of the id; the items in order and the text follow it. */
// @ts-ignore: decorator
@inline export function recordBytes(): usize { return bytes; }
/** The address after the text. */
// @ts-ignore: decorator
@inline export function recordEnd(): usize { return end; }

/** Records the place of a fault and returns its code. */
export function failAt(code: i32, offset: usize): i32 {
  store<u32>(RESULT, <u32>offset, 4);
  store<i32>(RESULT, -1, 8);
  return code;
}

/** Reads the lengths of the record in [p, p + n). Returns RANK_RECORD when they do not add up to `n`, otherwise 0. */
export function openRecord(p: usize, n: u32): i32 {
  begin = p;
  const head = changetype<Record>(p);
  if (<usize>n < HEADER) return failAt(RANK_RECORD, n);
  const items = <u64>recordTags() + head.words;
  let total = HEADER + (items << 2);
  if (total > n) return failAt(RANK_RECORD, 4);
  bytes = p + <usize>total;
  total += <u64>recordIdLength() + head.textLength;
  for (let i: u32 = 0; i < <u32>items; i++) total += itemLength(i);
  if (total > n) return failAt(RANK_RECORD, n);
  end = p + <usize>total;
  return 0;
}

/** RANK_TAG for a tag that is too long or too deep, otherwise 0. `offset` is its place in the input. */
export function checkTag(p: usize, n: u32, offset: usize): i32 {
  let levels: u32 = 1;
  for (let i: u32 = 0; i < n; i++) levels += u32(load<u8>(p + i) == 0x2f);
  return n > LONGEST_TERM || levels > MOST_LEVELS ? failAt(RANK_TAG, offset) : 0;
}

/** RANK_ID for an id that is empty or too long, otherwise 0. */
export function checkId(n: u32, offset: usize): i32 {
  return n - 1 < LONGEST_ID ? 0 : failAt(RANK_ID, offset);
}

// Adds cards: as records (cards.ts), or as the bytes of an Agent Card, which card.ts converts to a record. Cards are
// identified by their ids.

/** The limit for a card is 65,535 bytes: https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-7.6 */
const MOST_BYTES: u32 = 65535;
/** The most tags of one card. */
export const MOST_TAGS: u32 = 256;

/** Checks an input of `length` bytes and its signals before the card is read. Returns 0 or a fault. */
export function beginAdding(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  if (isLoading()) return BAD_INPUT;
  if (length > MOST_BYTES) return failAt(RANK_LARGE, MOST_BYTES);
  if (!takeSignals(reputation, availability, rating, excluded)) return failAt(RANK_SIGNAL, 0);
  return cardsCount() == MOST_CARDS ? failAt(RANK_FULL, 0) : 0;
}

/**
 * Indexes the input, a record of `length` bytes (cards.ts), and replaces the card with the same id. Each signal is a
 * number from 0 to 1, or NaN to keep the replaced card's value (0 for a new card); `excluded` is 1, 0, or -1 to keep
 * it. Returns 1 when a card was replaced, 0 when not, or a fault, which leaves the index unchanged. Word 1: offset of
 * the fault.
 */
export function indexAddRecord(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  const fault = beginAdding(length, reputation, availability, rating, excluded);
  return fault ? fault : addRecord(seal(length), length);
}

/** Indexes the record in [p, p + n) with the current signals. */
function addRecord(p: usize, n: u32): i32 {
  let fault = openRecord(p, n);
  // Checks everything first: terms interned for a card that is then refused would never be freed.
  if (!fault) fault = checkId(recordIdLength(), recordBytes() - p);
  if (!fault && recordTags() > MOST_TAGS) fault = failAt(RANK_TAGS, 4);
  if (!fault) fault = walkItems(p, false);
  return fault ? fault : indexRecord(n);
}

/** Indexes the opened and checked record of `n` bytes. */
export function indexRecord(n: u32): i32 {
  if (!beginStage(n)) return NO_MEMORY;
  walkItems(0, true);
  return commit(recordBytes(), recordIdLength());
}

/** Checks or stages the tags and words; staging includes the text after them. */
function walkItems(input: usize, staging: bool): i32 {
  let p = recordBytes() + recordIdLength();
  for (let i: u32 = 0; i < recordItems(); i++) {
    const n = itemLength(i);
    let fault = 0;
    if (i < recordTags()) {
      if (staging) stageTag(p, n);
      else fault = checkTag(p, n, p - input);
    } else if (staging) stageWord(p, n);
    else if (n - 1 >= LONGEST_TERM) fault = failAt(RANK_WORD, p - input);
    if (fault) return fault;
    p += n;
  }
  if (staging) stageText(p, recordEnd());
  return 0;
}

/** The card with the id in the input. */
function cardAtInput(length: u32): u32 {
  return isLoading() ? NO_CARD : findCard(seal(length), length);
}

/** Returns 1 when the index has a card with the id in the input, of `length` bytes. */
export function indexHas(length: u32): i32 {
  return i32(cardAtInput(length) != NO_CARD);
}

/** Removes the card with the id in the input, of `length` bytes. Returns 1, or 0 when there is no such card. */
export function indexRemove(length: u32): i32 {
  const card = cardAtInput(length);
  if (card == NO_CARD) return 0;
  removeCard(card);
  return 1;
}

/**
 * Sets the signals of the card with the id in the input, of `length` bytes; see `indexAddRecord` for their values.
 * Returns 1, 0 when there is no such card, or RANK_SIGNAL.
 */
export function indexSignals(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  if (!takeSignals(reputation, availability, rating, excluded)) return failAt(RANK_SIGNAL, 0);
  const card = cardAtInput(length);
  if (card == NO_CARD) return 0;
  setSignals(card);
  return 1;
}
