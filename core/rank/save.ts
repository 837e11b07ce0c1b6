// Saves the index chunk by chunk (format.ts). Leaves out removed cards and renumbers the others, so loading a saved
// index also merges it.

import { RESULT, seal, take } from "../arena";
import { BAD_INPUT, NO_MEMORY } from "../faults";
import { FLAGS, DEAD, ID, ID_LENGTH, NO_CARD, RENUMBERED, SIGNALS_SIZE, cardAt, cardsCount, cardsLive, cardsRevision } from "./cards";
import { Chunk, HEADER, LONGEST_UNIT, MAGIC, checksum } from "./format";
import { POSTING, chunkBegin, chunkEnd, chunkNext, liveCount, postingCard, postingFrequency } from "./postings";
import { isLoading, textMembers } from "./state";
import { FIRST, termKind, termLength, termNext, termText, termsFirst } from "./terms";

/** The limits for the chunk size. */
const SMALLEST: u32 = 4096;
const LARGEST: u32 = 1 << 24;

// The progress of the save.
let revision: u32 = 0;
let number: u32 = 0;
let chain: u64 = 0;
let card: u32 = 0;
let term: usize = 0;
/** The number of postings of `term` still to write, the next one, and the new number of the last one's card. */
let left: u32 = 0;
let chunk: usize = 0;
let place: usize = 0;
let last: u32 = 0;

/** The address of the next byte. */
let out: usize = 0;

/**
 * Writes the next chunk, of at most `bytes` (4096 to 16 MiB); starts over when `begin`. Returns BAD_INPUT when cards
 * were added or removed since then, otherwise the length of the chunk; word 0: address, word 1: 1 for the last chunk.
 */
export function indexSave(bytes: u32, begin: i32): i32 {
  if (begin) revision = cardsRevision();
  if (isLoading() || bytes < SMALLEST || bytes > LARGEST || revision != cardsRevision()) return BAD_INPUT;
  seal(0);
  const to = take(<usize>bytes + 16);
  if (!to) return NO_MEMORY;
  if (begin) rewind();
  const end = to + bytes - LONGEST_UNIT;
  out = to + HEADER;
  while (out < end && card < cardsCount()) writeCard();
  while (out < end && term) {
    if (left) writePostings(end);
    else writeTerm();
    if (!left) term = skipDead(termNext(term));
  }
  const done = u32(!term && card == cardsCount());
  const head = changetype<Chunk>(to);
  head.magic = MAGIC;
  head.number = (number++ << 1) | done;
  head.members = textMembers();
  head.cards = cardsLive();
  store<u64>(out, 0);
  chain = checksum(chain, to, out);
  head.checksum = chain;
  store<u32>(RESULT, <u32>to);
  store<u32>(RESULT, done, 4);
  return <i32>(out - to);
}

function rewind(): void {
  number = 0;
  chain = 0;
  card = 0;
  left = 0;
  term = skipDead(termsFirst());
  let live: u32 = 0;
  for (let i: u32 = 0; i < cardsCount(); i++) store<u32>(cardAt(i), load<u8>(cardAt(i), FLAGS) & DEAD ? NO_CARD : live++, RENUMBERED);
}

/** The first term from `t` on that a live card has. */
function skipDead(t: usize): usize {
  while (t && !liveCount(t)) t = termNext(t);
  return t;
}

function writeByte(byte: u32): void { store<u8>(out++, byte); }

function writeBytes(p: usize, n: usize): void {
  memory.copy(out, p, n);
  out += n;
}

function writeVarint(x: u32): void {
  for (; x >= 0x80; x >>= 7) writeByte(x | 0x80);
  writeByte(x);
}

function writeCard(): void {
  const at = cardAt(card++);
  const flags = <u32>load<u8>(at, FLAGS);
  if (flags & DEAD) return;
  const n = load<u32>(at, ID_LENGTH);
  writeVarint(n);
  writeBytes(load<u32>(at, ID), n);
  writeByte(flags);
  writeBytes(at, SIGNALS_SIZE);
}

function writeTerm(): void {
  const n = termLength(term);
  writeByte(termKind(term));
  writeByte(n);
  writeBytes(termText(term), n);
  left = liveCount(term);
  writeVarint(left);
  chunk = load<u32>(term, FIRST);
  place = chunkBegin(chunk);
  last = NO_CARD;
}

/** Writes postings of `term` while there are any left, and room. */
function writePostings(end: usize): void {
  while (left && out < end) {
    if (place == chunkEnd(term, chunk)) {
      chunk = chunkNext(chunk);
      place = chunkBegin(chunk);
    }
    const to = load<u32>(cardAt(postingCard(place)), RENUMBERED), frequency = postingFrequency(place);
    place += POSTING;
    if (to == NO_CARD) continue;
    // NO_CARD + 1 is 0: before the first card none is skipped.
    writeVarint(((to - last - 1) << 1) | u32(frequency > 1));
    if (frequency > 1) writeVarint(frequency);
    last = to;
    left--;
  }
}
