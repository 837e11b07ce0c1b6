// The format of a saved index: chunks of at most a requested size, each with a head and a body.
//
// The bodies in sequence, where numbers without a size are varints (7 bits per byte, lowest first):
//
//   a card: length of the id, id, u8 2 when excluded, otherwise 0, f64 reputation, f64 availability, f64 rating
//   a term: u8 kind, u8 length, text, number of cards that have it, postings
//   a posting: (cards skipped since the previous one) << 1 | (0 when the card has the term once, otherwise 1, then how
// often)
//
// A chunk ends after a card, a term's head, or a posting. Everything else in an index is derived from these.
import { RESULT, seal, take } from "../arena";
import { BAD_INPUT, NO_MEMORY } from "../faults";
import {
  FLAGS, DEAD, ID, ID_LENGTH, NO_CARD, RENUMBERED, SIGNALS_SIZE, cardAt, cardsCount, cardsLive, cardsRevision,
} from "./cards";
import {
  POSTING, chunkBegin, chunkEnd, chunkNext, liveCount, postingCard, postingFrequency, FIRST, termKind, termLength,
  termNext, termText, termsFirst,
} from "./terms";
import { isLoading, textMembers } from "./stage";

export const MAGIC: u32 = 0x31495a42;
/** The head of a chunk. */
// @ts-ignore: decorator
@unmanaged export class Chunk {
  /** Covers the previous chunk's checksum and everything that follows. */
  checksum: u64;
  /** "BZI1" */
  magic: u32;
  /** The number of the chunk, from 0, << 1 | (1 in the last chunk). */
  number: u32;
  /** The text members (stage.ts). */
  members: u32;
  cards: u32;
}
export const HEADER: usize = offsetof<Chunk>();

/** The most bytes of a card, term head or posting. */
const LONGEST_UNIT: usize = 2200;

/**
 * The checksum of the chunk [p, end), which must be followed by 8 zero bytes; `previous` is that of the chunk before.
 * Detects every change within 8 aligned bytes for certain, because multiplying by an odd number and shifting are both
 * invertible.
 */
export function checksum(previous: u64, p: usize, end: usize): u64 {
  while ((p += 8) < end) {
    previous = (previous ^ load<u64>(p)) * 0x9e3779b97f4a7c15;
    previous ^= previous >> 32;
  }
  return previous;
}

// Saves the index chunk by chunk (save.ts). Leaves out removed cards and renumbers the others, so loading a saved
// index also merges it.

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
