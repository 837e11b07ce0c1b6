// Reads a saved index (format.ts). Every byte is suspect: a chunk that passes its checksum may have been made by an enemy.

import { seal } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_CHECKSUM, RANK_CHUNK, RANK_CONTENT, RANK_ORDER } from "../faults";
import {
  EXCLUDED, MOST_CARDS, NO_CARD, WORDS, addCard, cardAt, cardInSlot, cardSpace, cardsCount, cardsWords, clearCards, expectCard, slotOfId,
  standingAt,
} from "./cards";
import { CHUNK_HEADER, MAGIC, PREAMBLE, VERSION, checksum } from "./format";
import { REFUSED, clearHeap, prepare } from "./heap";
import { FULL, impactOf, refer } from "./impact";
import { POSTING, addChunk, chunkSpace } from "./postings";
import { checkId, failAt } from "./record";
import { areSignals, setSignals } from "./signals";
import { isLoading, setLoading, setTextMembers } from "./state";
import { COUNT, LONGEST_TERM, TAIL, WORD, clearTerms, expectTerms, internTerm, termsSpace } from "./terms";

let input: usize = 0;
let p: usize = 0;
let end: usize = 0;

let number: u32 = 0;
let chain: u64 = 0;
let cards: u32 = 0;
let words: u64 = 0;
let terms: u32 = 0;

/** The term that is being read, how many of its postings are yet to come, and the card of the last one. */
let term: usize = 0;
let kind: u32 = 0;
let left: u32 = 0;
let last: u32 = 0;

/**
 * Takes the next chunk of a saved index, `length` bytes at the input, into an index that has no card. Returns 1 when it was the last,
 * 0 when there are more, or a fault, after which the index is empty. Word 1: offset of the fault in the chunk.
 */
export function indexLoad(length: u32): i32 {
  input = seal(length);
  if (!isLoading()) {
    if (cardsCount()) return BAD_INPUT;
    number = 0;
    chain = 0;
    left = 0;
    setLoading(true);
  }
  let fault = openChunk(length);
  const isLast = load<u16>(input, 6) != 0;
  if (!fault && !number++) fault = readPreamble();
  while (!fault && p < end) fault = readUnit();
  if (!fault && isLast) fault = finish();
  if (fault) clear();
  if (fault || isLast) setLoading(false);
  return fault ? fault : i32(isLast);
}

function fail(code: i32): i32 { return failAt(code, p - input); }

function openChunk(length: u32): i32 {
  p = input;
  end = input + length;
  if (<usize>length < CHUNK_HEADER || load<u32>(p) != MAGIC || load<u16>(p, 4) != VERSION || load<u16>(p, 6) > 1) return fail(RANK_CHUNK);
  const body = load<u32>(p, 12);
  if (<usize>body != end - p - CHUNK_HEADER) return fail(RANK_CHUNK);
  if (load<u32>(p, 8) != number) return fail(RANK_ORDER);
  chain = checksum(chain, p, body);
  if (load<u64>(p, 16) != chain) return fail(RANK_CHECKSUM);
  p += CHUNK_HEADER;
  return 0;
}

function readPreamble(): i32 {
  if (end - p < PREAMBLE) return fail(RANK_CONTENT);
  setTextMembers(load<u32>(p));
  cards = load<u32>(p, 4);
  words = load<u64>(p, 8);
  terms = load<u32>(p, 16);
  if (cards > MOST_CARDS || (!cards && (words || terms))) return fail(RANK_CONTENT);
  p += PREAMBLE;
  return 0;
}

function readUnit(): i32 {
  if (cardsCount() < cards) return readCard();
  if (left) return readPostings();
  return terms ? readTerm() : fail(RANK_CONTENT);
}

/** Prepares memory, following the chunk when it moves. */
function prepareUnit(space: usize): bool {
  const moved = prepare(space);
  if (moved == REFUSED) return false;
  input += moved;
  p += moved;
  end += moved;
  return true;
}

/** Reads at most 5 bytes; behind the input there are as many. */
// @ts-ignore: decorator
@inline function readVarint(): u32 {
  let byte = <u32>load<u8>(p++);
  let x = byte & 0x7f;
  for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
    byte = load<u8>(p++);
    x |= (byte & 0x7f) << shift;
  }
  return x;
}

function readCard(): i32 {
  const n = readVarint();
  if (<usize>n > end - p || checkId(n, 0)) return fail(RANK_CONTENT);
  if (!prepareUnit(cardSpace(n))) return fail(NO_MEMORY);
  const id = p;
  p += n;
  const length = readVarint();
  const flags = <u32>load<u8>(p);
  const reputation = load<f64>(p, 1), availability = load<f64>(p, 9), rating = load<f64>(p, 17);
  p += 25;
  if (p > end || length > 0xffff || (flags | EXCLUDED) != EXCLUDED || !areSignals(reputation, availability, rating, 0)) return fail(RANK_CONTENT);
  expectCard();
  const slot = slotOfId(id, n);
  if (cardInSlot(slot) != NO_CARD) return fail(RANK_CONTENT); // the id came before
  const card = addCard(slot, id, n, length);
  setSignals(card, reputation, availability, rating, i32(flags != 0));
  // Until the end, `standing` counts the words that postings are yet to account for.
  store<u16>(standingAt(card), length);
  if (card + 1 < cards) return 0;
  refer(words ? <f64>words / <f64>cards : 1);
  return cardsWords() == words ? 0 : fail(RANK_CONTENT);
}

function readTerm(): i32 {
  kind = load<u8>(p++);
  const n = readVarint();
  if (kind > WORD || !n || n > LONGEST_TERM || <usize>n > end - p) return fail(RANK_CONTENT);
  const text = p - input;
  p += n;
  left = readVarint();
  if (p > end || !left || left > cards) return fail(RANK_CONTENT);
  if (!prepareUnit(termsSpace(1, n) + chunkSpace(left))) return fail(NO_MEMORY);
  expectTerms(1);
  term = internTerm(input + text, n, kind);
  if (load<u32>(term, COUNT)) return fail(RANK_CONTENT); // the term came before
  store<u32>(term, left, COUNT);
  addChunk(term, left);
  last = NO_CARD;
  terms--;
  return 0;
}

function readPostings(): i32 {
  let to = <usize>load<u32>(term, TAIL);
  while (left && p < end) {
    const skipped = readVarint();
    const frequency = skipped & 1 ? readVarint() : 1;
    // No overflow: the number of the last card has 24 bits, or is NO_CARD, which makes the sum `skipped`.
    const card = last + 1 + (skipped >> 1);
    if (p > end || card >= cards || !frequency) return fail(RANK_CONTENT);
    last = card;
    let impact = FULL;
    if (kind == WORD) {
      const unaccounted = <u32>load<u16>(standingAt(card));
      if (frequency > unaccounted) return fail(RANK_CONTENT);
      store<u16>(standingAt(card), unaccounted - frequency);
      impact = impactOf(frequency, load<u16>(cardAt(card), WORDS));
    } else if (frequency != 1) return fail(RANK_CONTENT);
    store<u32>(to, (card << 8) | impact);
    store<u16>(to, frequency, 4);
    to += POSTING;
    left--;
  }
  store<u32>(term, <u32>to, TAIL);
  return 0;
}

/** All that was announced must have come, and each word of each card be accounted for. */
function finish(): i32 {
  if (cardsCount() != cards || terms || left) return fail(RANK_CONTENT);
  for (let card: u32 = 0; card < cards; card++) {
    if (load<u16>(standingAt(card))) return fail(RANK_CONTENT);
    setSignals(card, NaN, NaN, NaN, -1);
  }
  return 0;
}

function clear(): void {
  clearTerms();
  clearCards();
  clearHeap();
}
