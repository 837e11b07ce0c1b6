// Cards are added as records (record.ts), or as the bytes of an Agent Card, which card.ts turns into one. Their ids
// identify them.

import { seal } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_FULL, RANK_LARGE, RANK_SIGNAL, RANK_TAGS, RANK_WORD } from "../faults";
import { MOST_CARDS, NO_CARD, cardsCount, findCard, removeCard } from "./cards";
import { checkId, checkTag, failAt, itemLength, openRecord, recordBytes, recordEnd, recordIdLength, recordItems, recordTags } from "./record";
import { setSignals, takeSignals } from "./signals";
import { beginStage, commit, stageTag, stageText, stageWord } from "./stage";
import { isLoading } from "./state";
import { LONGEST_TERM } from "./terms";

/** A card has 65,535 bytes at the most: https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-7.6 */
const MOST_BYTES: u32 = 65535;
/** Tags of one card. */
export const MOST_TAGS: u32 = 256;

/** Checks that need no card: 0 or a fault for an input of `length` bytes with these signals. */
export function beginAdding(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  if (isLoading()) return BAD_INPUT;
  if (length > MOST_BYTES) return failAt(RANK_LARGE, MOST_BYTES);
  if (!takeSignals(reputation, availability, rating, excluded)) return failAt(RANK_SIGNAL, 0);
  return cardsCount() == MOST_CARDS ? failAt(RANK_FULL, 0) : 0;
}

/**
 * Indexes the record of `length` bytes at the input (record.ts), in place of the card with the same id. Each signal is a
 * number from 0 to 1, or NaN for what the replaced card had (0 for a new one); `excluded` 1, 0, or -1 for the same.
 * Returns 1 when a card was replaced, 0 when not, or a fault, which leaves the index as it was. Word 1: offset of the fault.
 */
export function indexAddRecord(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  const fault = beginAdding(length, reputation, availability, rating, excluded);
  return fault ? fault : addRecord(seal(length), length);
}

/** Indexes the record in [p, p + n) with the signals that were taken. */
export function addRecord(p: usize, n: u32): i32 {
  let fault = openRecord(p, n);
  // Nothing may be interned for a card that is refused afterwards: nobody would ever free it.
  if (!fault) fault = checkId(recordIdLength(), recordBytes() - p);
  if (!fault && recordTags() > MOST_TAGS) fault = failAt(RANK_TAGS, 4);
  if (!fault) fault = walkItems(p, false);
  return fault ? fault : indexRecord(n);
}

/** Indexes the record that was opened and checked, of `n` bytes. */
export function indexRecord(n: u32): i32 {
  if (!beginStage(n)) return NO_MEMORY;
  walkItems(0, true);
  return commit(recordBytes(), recordIdLength());
}

/** Checks, or stages, the tags and words; staging includes the text behind them. */
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

/** The card with the id at the input. */
function cardAtInput(length: u32): u32 {
  return isLoading() ? NO_CARD : findCard(seal(length), length);
}

/** 1 when a card with the id of `length` bytes at the input is in the index. */
export function indexHas(length: u32): i32 {
  return i32(cardAtInput(length) != NO_CARD);
}

/** Removes the card with the id of `length` bytes at the input. Returns 1, or 0 when there is none. */
export function indexRemove(length: u32): i32 {
  const card = cardAtInput(length);
  if (card == NO_CARD) return 0;
  removeCard(card);
  return 1;
}

/**
 * Sets the signals of the card with the id of `length` bytes at the input; see `indexAddRecord` for their values.
 * Returns 1, or 0 when there is no such card, or RANK_SIGNAL.
 */
export function indexSignals(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  if (!takeSignals(reputation, availability, rating, excluded)) return failAt(RANK_SIGNAL, 0);
  const card = cardAtInput(length);
  if (card == NO_CARD) return 0;
  setSignals(card);
  return 1;
}
