// Adds cards: as records (record.ts), or as the bytes of an Agent Card, which card.ts converts to a record. Cards are
// identified by their ids.

import { seal } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_FULL, RANK_LARGE, RANK_SIGNAL, RANK_TAGS, RANK_WORD } from "../faults";
import { MOST_CARDS, NO_CARD, cardsCount, findCard, removeCard } from "./cards";
import { checkId, checkTag, failAt, itemLength, openRecord, recordBytes, recordEnd, recordIdLength, recordItems, recordTags } from "./record";
import { setSignals, takeSignals } from "./signals";
import { beginStage, commit, stageTag, stageText, stageWord } from "./stage";
import { isLoading } from "./state";
import { LONGEST_TERM } from "./terms";

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
 * Indexes the input, a record of `length` bytes (record.ts), and replaces the card with the same id. Each signal is a
 * number from 0 to 1, or NaN to keep the replaced card's value (0 for a new card); `excluded` is 1, 0, or -1 to keep
 * it. Returns 1 when a card was replaced, 0 when not, or a fault, which leaves the index unchanged. Word 1: offset of
 * the fault.
 */
export function indexAddRecord(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  const fault = beginAdding(length, reputation, availability, rating, excluded);
  return fault ? fault : addRecord(seal(length), length);
}

/** Indexes the record in [p, p + n) with the current signals. */
export function addRecord(p: usize, n: u32): i32 {
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
