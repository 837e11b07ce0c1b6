// Adding a card has two phases. Staging lists its terms with their frequencies; it may stop at any point, because terms
// without postings have no effect. Then all memory is prepared, and nothing after that can fail: a card is indexed
// completely or not at all.
import { take } from "../arena";
import { NO_MEMORY } from "../faults";
import { FLAGS, NO_CARD, addCard, addWords, cardAt, cardSpace, removeCard, MOST_LEVELS } from "./cards";
import { prepare } from "./heap";
import {
  FULL, impactOf, refer, referenceLength, addPosting, postingSpace, ID, SLOT, TAG, WORD, expectTerms, internTerm,
  termKind, termsSpace,
} from "./terms";
import { copySignals, setSignals } from "./signals";
import { lower, nextWord, wordLength, wordStart } from "./query";

// @ts-ignore: decorator
@unmanaged class Staged {
  term: usize;
  frequency: u32;
}
const STAGED: usize = offsetof<Staged>();

let list: usize = 0;
let count: u32 = 0;
let length: u32 = 0;

/** Begins the card of a record of `n` bytes. False when there is no memory. */
export function beginStage(n: u32): bool {
  // A word or path takes at least two bytes; the bytes of a tag occur in up to 16 paths.
  const terms = n >> 1;
  if (!prepare(termsSpace(WORD, terms, <usize>n * (MOST_LEVELS + 1)) + termsSpace(ID, 1, n))) return false;
  expectTerms(WORD, terms);
  expectTerms(ID, 1);
  count = 0;
  length = 0;
  list = take(<usize>terms * STAGED);
  return list != 0;
}

function stageTerm(p: usize, n: u32, kind: u32): void {
  const term = internTerm(p, n, kind);
  const slot = load<u32>(term, SLOT);
  const entry = changetype<Staged>(list + <usize>slot * STAGED);
  // A word adds to the length, a tag does not: their kinds are 1 and 0.
  length += kind;
  // The slot may be left over from another card: it is valid only if its entry refers to this term.
  const known = slot < count ? entry : changetype<Staged>(list);
  if (known.term == term && slot < count) {
    entry.frequency += kind;
    return;
  }
  const added = changetype<Staged>(list + <usize>count * STAGED);
  added.term = term;
  added.frequency = 1;
  store<u32>(term, count++, SLOT);
}

/**
 * Stages a tag and every path above it, so that a query for "nlp" or "nlp/*" takes one look-up. Skips empty paths.
 * https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-3.6.1
 */
export function stageTag(p: usize, n: u32): void {
  for (let i: u32 = 1; i <= n; i++) if (i == n || load<u8>(p + i) == 0x2f) stageTerm(p, i, TAG);
}

/** Stages a ready-made word. */
// @ts-ignore: decorator
@inline export function stageWord(p: usize, n: u32): void { stageTerm(p, n, WORD); }

/** Stages the words of a text, which is lower-cased in place. */
export function stageText(p: usize, end: usize): void {
  lower(p, end);
  while ((p = nextWord(p, end))) stageTerm(wordStart(), wordLength(p), WORD);
}

/**
 * Indexes the staged card and replaces the one with this id. Returns 1 when a card was replaced, 0 when not, or a
 * fault.
 */
export function commit(p: usize, n: u32): i32 {
  const id = internTerm(p, n, ID);
  let space = cardSpace();
  const end = list + <usize>count * STAGED;
  for (let entry = list; entry < end; entry += STAGED) space += postingSpace(changetype<Staged>(entry).term);
  if (!prepare(space)) return NO_MEMORY;

  const old = load<u32>(id, SLOT) - 1;
  const flags = old == NO_CARD ? 0 : <u32>load<u8>(cardAt(old), FLAGS);
  if (old != NO_CARD) removeCard(old);
  if (!referenceLength() && length) refer(<f64>length);
  const card = addCard(id);
  addWords(card, length);
  for (let entry = list; entry < end; entry += STAGED) {
    const term = changetype<Staged>(entry).term;
    const frequency = changetype<Staged>(entry).frequency;
    addPosting(term, card, termKind(term) == WORD ? impactOf(frequency, length) : FULL, frequency);
  }
  // Signals belong to the agent, not to its card, so a replaced card passes them on.
  if (old != NO_CARD) copySignals(card, cardAt(old), flags);
  setSignals(card);
  return i32(old != NO_CARD);
}

// The configuration of an index, and whether it is still loading.

export const NAME_TEXT: u32 = 1;
export const DESCRIPTION_TEXT: u32 = 2;
export const SKILLS_TEXT: u32 = 4;
export const TOOLS_TEXT: u32 = 8;

let loading = false;
let texts: u32 = DESCRIPTION_TEXT | SKILLS_TEXT;

/** The members that make up a card's text. */
// @ts-ignore: decorator
@inline export function textMembers(): u32 { return texts; }
export function setTextMembers(members: u32): void { texts = members; }

/** Between its first chunk and its last, an index accepts only chunks. */
// @ts-ignore: decorator
@inline export function isLoading(): bool { return loading; }
export function setLoading(is: bool): void { loading = is; }
