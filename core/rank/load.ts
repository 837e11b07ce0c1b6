// Reads a saved index (save.ts). No byte is trusted: a chunk with a correct checksum may still come from an attacker.

import { seal } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_CHECKSUM, RANK_CHUNK, RANK_CONTENT, RANK_ORDER } from "../faults";
import {
  EXCLUDED, LONGEST_ID, MOST_CARDS, NO_CARD, SIGNALS_SIZE, WORDS, addCard, addWords, cardAt, cardSpace, cardsCount,
  cardsWords, clearCards, failAt,
} from "./cards";
import { Chunk, HEADER, MAGIC, checksum } from "./save";
import { clearHeap, prepare } from "./heap";
import {
  FULL, rebase, addChunk, addPosting, chunkSpace, COUNT, ID, LONGEST_TERM, SLOT, WORD, clearTerms, expectTerms,
  internTerm, termKind, termsSpace,
} from "./terms";
import { areSignals, copySignals } from "./signals";
import { isLoading, setLoading, setTextMembers } from "./stage";

let p: usize = 0;
let end: usize = 0;

let number: u32 = 0;
let chain: u64 = 0;
let cards: u32 = 0;

/** The current term, the number of its postings still to read, and the card of the last one. */
let term: usize = 0;
let left: u32 = 0;
let last: u32 = 0;

/**
 * Loads the next chunk of a saved index, `length` bytes in the input, into an index without cards. Returns 1 after the
 * last chunk, 0 when more must follow, or a fault, after which the index is empty. Word 1: offset of the fault in the
 * chunk.
 */
export function indexLoad(length: u32): i32 {
  if (!isLoading()) {
    if (cardsCount()) return BAD_INPUT;
    number = 0;
    chain = 0;
    left = 0;
    setLoading(true);
  }
  const input = seal(length);
  p = input;
  end = input + length;
  let fault = openChunk();
  while (!fault && p < end) fault = cardsCount() < cards ? readCard() : left ? readPosting() : readTerm();
  const isLast = changetype<Chunk>(input).number & 1;
  // After the last chunk, everything that was announced must have been read.
  if (!fault && isLast && (cardsCount() != cards || left)) fault = RANK_CONTENT;
  if (fault) {
    clearTerms();
    clearCards();
    clearHeap();
    failAt(fault, min(p, end) - input);
  } else if (isLast) rebase(cardsWords() ? <f64>cardsWords() / <f64>cards : 1);
  if (fault || isLast) setLoading(false);
  return fault ? fault : <i32>isLast;
}

function openChunk(): i32 {
  const head = changetype<Chunk>(p);
  if (end - p < HEADER || head.magic != MAGIC) return RANK_CHUNK;
  if (head.number >> 1 != number) return RANK_ORDER;
  chain = checksum(chain, p, end);
  if (head.checksum != chain) return RANK_CHECKSUM;
  if (!number++) {
    setTextMembers(head.members);
    cards = head.cards;
  }
  if (head.cards != cards || cards > MOST_CARDS) return RANK_CONTENT;
  p += HEADER;
  return 0;
}

/** Reads at most 5 bytes, which the padding always provides. */
function readVarint(): u32 {
  let x: u32 = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = <u32>load<u8>(p++);
    x |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return x;
}

function readCard(): i32 {
  const n = readVarint();
  const signals = p + n + 1;
  if (n - 1 >= LONGEST_ID || signals + SIGNALS_SIZE > end) return RANK_CONTENT;
  const flags = <u32>load<u8>(signals - 1);
  if ((flags | EXCLUDED) != EXCLUDED || !areSignals(signals)) return RANK_CONTENT;
  if (!prepare(termsSpace(ID, 1, n) + cardSpace())) return NO_MEMORY;
  expectTerms(ID, 1);
  const id = internTerm(p, n, ID);
  if (load<u32>(id, SLOT)) return RANK_CONTENT; // duplicate id
  copySignals(addCard(id), signals, flags);
  p = signals + SIGNALS_SIZE;
  return 0;
}

function readTerm(): i32 {
  const kind = <u32>load<u8>(p), n = <u32>load<u8>(p, 1);
  const text = p + 2;
  p = text + n;
  left = readVarint();
  if (p > end || kind > WORD || !n || !left || left > cards) return RANK_CONTENT;
  if (!prepare(termsSpace(WORD, 1, n) + chunkSpace(left))) return NO_MEMORY;
  expectTerms(WORD, 1);
  term = internTerm(text, n, kind);
  if (load<u32>(term, COUNT)) return RANK_CONTENT; // duplicate term
  addChunk(term, left);
  last = NO_CARD;
  return 0;
}

function readPosting(): i32 {
  const skipped = readVarint();
  const frequency = skipped & 1 ? readVarint() : 1;
  // Cannot overflow: the number of the last card has 24 bits, or is NO_CARD, which makes the sum `skipped`.
  const card = last + 1 + (skipped >> 1);
  if (p > end || card >= cards || !frequency) return RANK_CONTENT;
  if (termKind(term) == WORD) {
    if (frequency > 0xffff - <u32>load<u16>(cardAt(card), WORDS)) return RANK_CONTENT;
    addWords(card, frequency);
  } else if (frequency != 1) return RANK_CONTENT;
  addPosting(term, card, FULL, frequency);
  last = card;
  left--;
  return 0;
}
