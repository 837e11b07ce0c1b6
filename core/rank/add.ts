// Cards come in as records (record.ts) or as the bytes of an Agent Card (card.ts), and go by their ids.

import { seal } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_LARGE, RANK_SIGNAL, RANK_TAGS, RANK_WORD } from "../faults";
import { NO_CARD, findCard } from "./cards";
import { REFUSED, prepare } from "./heap";
import {
  checkId, checkTag, failAt, itemLength, openRecord, recordBytes, recordIdLength, recordTags, recordTextLength, recordWords,
} from "./record";
import { remove, removedSpace } from "./removed";
import { areSignals, setSignals } from "./signals";
import { MOST_TAGS, beginStage, commit, prepareTerms, stageTag, stageText, stageWord } from "./stage";
import { isLoading } from "./state";
import { LONGEST_TERM } from "./terms";

/** A card has 65,535 bytes at the most: https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-7.6 */
const MOST_BYTES: u32 = 65535;

let input: usize = 0;

/** Where the input is: making memory for what it may add to the index can move it. */
// @ts-ignore: decorator
@inline export function inputAt(): usize { return input; }

/** Begins to add the card at the input. Returns 0 or a fault. */
export function beginAdding(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  if (isLoading()) return BAD_INPUT;
  input = seal(length);
  if (length > MOST_BYTES) return failAt(RANK_LARGE, MOST_BYTES);
  if (!areSignals(reputation, availability, rating, excluded)) return failAt(RANK_SIGNAL, 0);
  const moved = prepareTerms(length);
  input += moved;
  return moved == REFUSED || !beginStage(length) ? failAt(NO_MEMORY, 0) : 0;
}

/**
 * Indexes the record of `length` bytes at the input (record.ts), in place of the card with the same id. Each signal is a
 * number from 0 to 1, or NaN for what the replaced card had (0 for a new one); `excluded` 1, 0, or -1 for the same.
 * Returns 1 when a card was replaced, 0 when not, or a fault, which leaves the index as it was. Word 1: offset of the fault.
 */
export function indexAddRecord(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  let fault = beginAdding(length, reputation, availability, rating, excluded);
  if (!fault) fault = openRecord(input, length);
  // Nothing may be interned for a card that is refused in the end: nobody would ever free it.
  if (!fault) fault = checkRecord();
  if (fault) return fault;
  const tags = recordTags(), items = tags + recordWords();
  let p = recordBytes() + recordIdLength();
  for (let i: u32 = 0; i < items; i++) {
    const n = itemLength(i);
    if (i < tags) stageTag(p, n);
    else stageWord(p, n);
    p += n;
  }
  stageText(p, recordTextLength());
  return commit(recordBytes(), recordIdLength(), reputation, availability, rating, excluded);
}

function checkRecord(): i32 {
  const id = recordBytes(), tags = recordTags(), items = tags + recordWords();
  let p = id + recordIdLength();
  let fault = checkId(recordIdLength(), id - input);
  if (!fault && tags > MOST_TAGS) fault = failAt(RANK_TAGS, 4);
  for (let i: u32 = 0; i < items && !fault; i++) {
    const n = itemLength(i);
    if (i < tags) fault = checkTag(p, n, p - input);
    else if (n - 1 >= LONGEST_TERM) fault = failAt(RANK_WORD, p - input);
    p += n;
  }
  return fault;
}

/** The card with the id at the input. */
function cardAtInput(length: u32): u32 {
  return isLoading() ? NO_CARD : findCard(seal(length), length);
}

/** Whether a card with the id of `length` bytes at the input is in the index. */
export function indexHas(length: u32): i32 {
  return i32(cardAtInput(length) != NO_CARD);
}

/** Removes the card with the id of `length` bytes at the input. Returns 1, or 0 when there is none, or NO_MEMORY. */
export function indexRemove(length: u32): i32 {
  const card = cardAtInput(length);
  if (card == NO_CARD) return 0;
  if (prepare(removedSpace()) == REFUSED) return failAt(NO_MEMORY, 0);
  remove(card);
  return 1;
}

/**
 * Sets the signals of the card with the id of `length` bytes at the input; see `indexAddRecord` for their values.
 * Returns 1, or 0 when there is no such card, or RANK_SIGNAL.
 */
export function indexSignals(length: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  if (!areSignals(reputation, availability, rating, excluded)) return failAt(RANK_SIGNAL, 0);
  const card = cardAtInput(length);
  if (card == NO_CARD) return 0;
  setSignals(card, reputation, availability, rating, excluded);
  return 1;
}
