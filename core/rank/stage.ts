// Adding a card has two halves. Staging lists its terms with their frequencies; it may stop at any point, for terms without
// postings mean nothing. Then all memory is prepared, and what follows cannot fail: a card is indexed whole or not at all.

import { take } from "../arena";
import { NO_MEMORY, RANK_FULL } from "../faults";
import { MOST_CARDS, NO_CARD, addCard, cardInSlot, cardSpace, cardsCount, expectCard, slotOfId } from "./cards";
import { REFUSED, prepare } from "./heap";
import { FULL, impactOf, refer, referenceLength } from "./impact";
import { addPosting, postingSpace } from "./postings";
import { MOST_LEVELS, failAt } from "./record";
import { remove, removedSpace } from "./removed";
import { inheritSignals, setSignals } from "./signals";
import { SLOT, TAG, WORD, expectTerms, internTerm, termKind, termsSpace } from "./terms";
import { copyLowered, nextWord, wordLength, wordStart } from "./words";

/** Tags of one card. */
export const MOST_TAGS: u32 = 256;

// An entry: u32 term, u32 frequency.
const ENTRY: u32 = 3;

/** The word that is being staged. */
const LOWERED: usize = memory.data(256 + 16);

let list: usize = 0;
let count: u32 = 0;
let length: u32 = 0;

/**
 * Prepares for interning what `n` bytes of tags and text can hold; call before the input is read, for it moves.
 * Returns how far, or REFUSED.
 */
export function prepareTerms(n: u32): usize {
  // At least two bytes a word or path; a tag's bytes stand in up to 16 paths.
  return prepare(termsSpace(n + 1, <usize>n * (MOST_LEVELS + 1)));
}

/** Begins a card whose tags and text have `n` bytes. False when there is no memory. */
export function beginStage(n: u32): bool {
  expectTerms(n + 1);
  count = 0;
  length = 0;
  list = take(<usize>(n + 1) << ENTRY);
  return list != 0;
}

function stageTerm(term: usize): void {
  const slot = load<u32>(term, SLOT);
  const entry = list + (<usize>slot << ENTRY);
  // The slot may be left from another card: it counts when the entry that it leads to names this term.
  if (slot < count && load<u32>(entry) == <u32>term) {
    if (termKind(term) == WORD) store<u32>(entry, load<u32>(entry, 4) + 1, 4);
    return;
  }
  const added = list + (<usize>count << ENTRY);
  store<u32>(added, <u32>term);
  store<u32>(added, 1, 4);
  store<u32>(term, count++, SLOT);
}

/**
 * A tag and every path above it: a query for "nlp" or "nlp/*" then is one look-up. Empty paths are none.
 * https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-3.6.1
 */
export function stageTag(p: usize, n: u32): void {
  for (let i: u32 = 1; i < n; i++) if (load<u8>(p + i) == 0x2f) stageTerm(internTerm(p, i, TAG));
  if (n) stageTerm(internTerm(p, n, TAG));
}

/** A word that came ready-made. */
export function stageWord(p: usize, n: u32): void {
  length++;
  stageTerm(internTerm(p, n, WORD));
}

/** The words of a text. */
export function stageText(p: usize, n: usize): void {
  const end = p + n;
  while ((p = nextWord(p, end))) {
    const length = wordLength(p);
    copyLowered(LOWERED, wordStart(), length);
    stageWord(LOWERED, length);
  }
}

/** Indexes what was staged in place of the card that has this id. Returns 1 when there was one, 0 when not, or a fault. */
export function commit(id: usize, n: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): i32 {
  if (cardsCount() == MOST_CARDS) return failAt(RANK_FULL, 0);
  let space = cardSpace(n) + removedSpace();
  const end = list + (<usize>count << ENTRY);
  for (let entry = list; entry < end; entry += 1 << ENTRY) space += postingSpace(load<u32>(entry));
  const moved = prepare(space);
  if (moved == REFUSED) return failAt(NO_MEMORY, 0);

  expectCard();
  const slot = slotOfId(id + moved, n);
  const old = cardInSlot(slot);
  if (old != NO_CARD) remove(old);
  if (!referenceLength() && length) refer(<f64>length);
  const card = addCard(slot, id + moved, n, length);
  for (let entry = list + moved; entry < end + moved; entry += 1 << ENTRY) {
    const term = <usize>load<u32>(entry);
    const frequency = load<u32>(entry, 4);
    addPosting(term, card, termKind(term) == WORD ? impactOf(frequency, length) : FULL, frequency);
  }
  // Signals belong to the agent rather than to its card.
  if (old != NO_CARD) inheritSignals(card, old);
  setSignals(card, reputation, availability, rating, excluded);
  return i32(old != NO_CARD);
}
