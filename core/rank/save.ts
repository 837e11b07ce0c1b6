// Writes the index down, chunk by chunk (format.ts). Removed cards are left out and the others numbered anew,
// so that loading a saved index is also how an index is merged.

import { RESULT, seal, take } from "../arena";
import { BAD_INPUT, NO_MEMORY } from "../faults";
import {
  AVAILABILITY, DEAD, FLAGS, ID, ID_LENGTH, NO_CARD, RATING, REPUTATION, WORDS, cardAt, cardsCount, cardsLive, cardsWords,
} from "./cards";
import { CHUNK_HEADER, LONGEST_UNIT, MAGIC, VERSION, checksum, writeVarint } from "./format";
import { POSTING, chunkBegin, chunkEnd, chunkNext, postingCard, postingFrequency } from "./postings";
import { failAt } from "./record";
import { liveCount } from "./removed";
import { isLoading, textMembers } from "./state";
import { FIRST, termKind, termLength, termNext, termText, termsFirst } from "./terms";

/** The smallest chunk that may be asked for, and the largest. */
const SMALLEST: u32 = 4096;
const LARGEST: u32 = 1 << 24;

// Where the save stands.
let number: u32 = 0;
let chain: u64 = 0;
let card: u32 = 0;
let term: usize = 0;
/** Postings of `term` that are yet to be written, where the next of them is, and the new number of the last one's card. */
let left: u32 = 0;
let chunk: usize = 0;
let place: usize = 0;
let last: u32 = 0;

/** New numbers of all cards, NO_CARD for those that were removed. */
let numbers: usize = 0;

/**
 * Writes the next chunk, of `bytes` at the most (4096 to 16 MiB); the first one when `begin`. Nothing may change in between.
 * Returns its length; word 0: address, word 1: 1 when it is the last.
 */
export function indexSave(bytes: u32, begin: i32): i32 {
  if (isLoading() || bytes < SMALLEST || bytes > LARGEST) return BAD_INPUT;
  seal(0);
  const to = take(<usize>bytes + 16);
  if (!to || !renumber()) return failAt(NO_MEMORY, 0);
  const end = to + bytes - LONGEST_UNIT;
  let p = to + CHUNK_HEADER;
  if (begin) p = writePreamble(p);
  while (p < end && card < cardsCount()) p = writeCard(p);
  while (p < end && term) p = left ? writePostings(p, end) : writeTerm(p);
  const done = !term && card == cardsCount();
  const body = <u32>(p - to - CHUNK_HEADER);
  store<u32>(to, MAGIC);
  store<u16>(to, VERSION, 4);
  store<u16>(to, u16(done), 6);
  store<u32>(to, number++, 8);
  store<u32>(to, body, 12);
  store<u64>(p, 0);
  chain = checksum(chain, to, body);
  store<u64>(to, chain, 16);
  store<u32>(RESULT, <u32>to);
  store<u32>(RESULT, u32(done), 4);
  return <i32>(p - to);
}

function renumber(): bool {
  const cards = cardsCount();
  numbers = take(<usize>cards << 2);
  if (!numbers) return false;
  let next: u32 = 0;
  for (let i: u32 = 0; i < cards; i++) store<u32>(numbers + (<usize>i << 2), load<u8>(cardAt(i), FLAGS) & DEAD ? NO_CARD : next++);
  return true;
}

function writePreamble(p: usize): usize {
  number = 0;
  chain = 0;
  card = 0;
  left = 0;
  let terms: u32 = 0;
  for (let t = termsFirst(); t; t = termNext(t)) terms += u32(liveCount(t) != 0);
  term = skipDead(termsFirst());
  store<u32>(p, textMembers());
  store<u32>(p, cardsLive(), 4);
  store<u64>(p, cardsWords(), 8);
  store<u32>(p, terms, 16);
  return p + 20;
}

/** The first term from `t` on that a live card has. */
function skipDead(t: usize): usize {
  while (t && !liveCount(t)) t = termNext(t);
  return t;
}

function writeCard(p: usize): usize {
  const at = cardAt(card++);
  const flags = <u32>load<u8>(at, FLAGS);
  if (flags & DEAD) return p;
  const n = load<u32>(at, ID_LENGTH);
  p = writeVarint(p, n);
  memory.copy(p, load<u32>(at, ID), n);
  p = writeVarint(p + n, load<u16>(at, WORDS));
  store<u8>(p, flags);
  store<f64>(p, load<f64>(at, REPUTATION), 1);
  store<f64>(p, load<f64>(at, AVAILABILITY), 9);
  store<f64>(p, load<f64>(at, RATING), 17);
  return p + 25;
}

function writeTerm(p: usize): usize {
  const n = termLength(term);
  store<u8>(p++, termKind(term));
  p = writeVarint(p, n);
  memory.copy(p, termText(term), n);
  left = liveCount(term);
  chunk = load<u32>(term, FIRST);
  place = chunkBegin(chunk);
  last = NO_CARD;
  return writeVarint(p + n, left);
}

/** Writes postings of `term` while there is room, and goes on to the next term behind the last one. */
function writePostings(p: usize, end: usize): usize {
  while (left) {
    for (const behind = chunkEnd(term, chunk); place < behind && left; place += POSTING) {
      if (p >= end) return p;
      const to = load<u32>(numbers + (<usize>postingCard(place) << 2));
      if (to == NO_CARD) continue;
      const frequency = postingFrequency(place);
      // NO_CARD + 1 is 0: the first card skips none before it.
      p = writeVarint(p, ((to - last - 1) << 1) | u32(frequency > 1));
      if (frequency > 1) p = writeVarint(p, frequency);
      last = to;
      left--;
    }
    chunk = chunkNext(chunk);
    if (!chunk) break;
    place = chunkBegin(chunk);
  }
  left = 0;
  term = skipDead(termNext(term));
  return p;
}
