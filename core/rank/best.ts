// The best k hits, in order: by score, and for equal scores by id in UTF-16 code unit order.

import { take } from "../arena";
import { compareIds } from "./cards";

// A hit, 56 bytes: f64 score in millionths, f64 for each factor (tags, text, reputation, availability, rating), u32
// bits of the matched tags, u32 card.
export const HIT: usize = 56;
export const FACTORS: usize = 8;
export const MATCHED: usize = 48;
export const CARD: usize = 52;

/** The addresses of the hits, best first. */
let list: usize = 0;
let hits: usize = 0;
let capacity: u32 = 0;
let count: u32 = 0;

// @ts-ignore: decorator
@inline export function bestCount(): u32 { return count; }
// @ts-ignore: decorator
@inline export function bestAt(i: u32): usize { return load<u32>(list + (<usize>i << 2)); }

/** Makes room for the best `k`. False when there is no memory. */
export function beginBest(k: u32): bool {
  capacity = k;
  count = 0;
  list = take(<usize>(k + 1) << 2);
  hits = take(<usize>k * HIT);
  return list && hits;
}

/** Considers a card. Returns its hit, whose factors the caller must write, or 0 when it is not among the best. */
export function offer(score: f64, card: u32): usize {
  let low: u32 = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = load<f64>(bestAt(middle));
    const behind = other != score ? other > score : compareIds(load<u32>(bestAt(middle), CARD), card) < 0;
    if (behind) low = middle + 1;
    else high = middle;
  }
  if (low == capacity) return 0;
  const found = count < capacity ? hits + <usize>(count++) * HIT : bestAt(count - 1);
  const place = list + (<usize>low << 2);
  memory.copy(place + 4, place, <usize>(count - 1 - low) << 2);
  store<u32>(place, <u32>found);
  store<f64>(found, score);
  store<u32>(found, card, CARD);
  return found;
}
