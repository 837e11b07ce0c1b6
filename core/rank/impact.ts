// BM25, exactly and as an upper bound.
//
// Each posting has a byte that bounds its contribution from above: frequency / (frequency + norm) in 255ths, with the
// norm taken at a reference average length. The average of a query differs a little, which the scan allows for
// (search.ts). When it differs by more than a tenth, all bytes are recomputed.

import { WORDS, cardAt } from "./cards";
import { ln } from "./ln";
import { POSTING, chunkBegin, chunkEnd, chunkNext, postingCard, postingFrequency } from "./postings";
import { FIRST, WORD, termKind, termNext, termsFirst } from "./terms";

export const K1: f64 = 1.2;
export const B: f64 = 0.75;

/** The largest allowed ratio between the average and the reference. */
export const DRIFT: f64 = 1.1;

/** The impact of a tag: a card either has it or not. */
export const FULL: u32 = 255;

let reference: f64 = 0;

// @ts-ignore: decorator
@inline export function referenceLength(): f64 { return reference; }

/** The part of BM25's saturation that depends on a card's length. */
export function norm(length: u32, average: f64): f64 { return K1 * (1 - B + (B * <f64>length) / average); }

/**
 * Cached impacts of words that occur up to 4 times in a card of fewer than 256 words. That is nearly all words, and
 * saves two divisions for each.
 */
const USUAL: usize = memory.data(1024);

/** The impact byte of a word that occurs `frequency` times in a card of `length` words. */
export function impactOf(frequency: u32, length: u32): u32 {
  return frequency <= 4 && length < 256 ? <u32>load<u8>(USUAL + ((<usize>frequency - 1) << 8) + length) : computeImpact(frequency, length);
}

function computeImpact(frequency: u32, length: u32): u32 {
  const f = <f64>frequency;
  return max(<u32>ceil((255 * f) / (f + norm(length, reference))), 1);
}

/** Sets the reference without updating the impacts of existing postings. */
export function refer(average: f64): void {
  reference = average;
  for (let i: u32 = 0; i < 1024; i++) store<u8>(USUAL + i, computeImpact((i >> 8) + 1, i & 255));
}

/** Makes `average` the reference if the current one is too far from it. */
export function follow(average: f64): void {
  if (!(average <= reference * DRIFT && reference <= average * DRIFT)) rebase(average);
}

/** Sets the reference and recomputes all impacts of words: 4 ns a posting. */
export function rebase(average: f64): void {
  refer(average);
  for (let term = termsFirst(); term; term = termNext(term)) {
    if (termKind(term) != WORD) continue;
    for (let chunk = <usize>load<u32>(term, FIRST); chunk; chunk = chunkNext(chunk)) {
      const end = chunkEnd(term, chunk);
      for (let p = chunkBegin(chunk); p < end; p += POSTING) {
        store<u8>(p, impactOf(postingFrequency(p), load<u16>(cardAt(postingCard(p)), WORDS)));
      }
    }
  }
}

/** The weight of a word that `having` out of `cards` cards contain. Always positive. */
export function idfOf(cards: f64, having: f64): f64 { return ln(1 + (cards - having + 0.5) / (having + 0.5)); }
