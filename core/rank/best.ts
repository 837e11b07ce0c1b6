// The best k, in order. Better is the higher score, and of equal scores the id that comes first in UTF-16 code unit order.
// The scan keeps its sums here (scan.ts), then the search its hits.

import { take } from "../arena";
import { compareNames } from "../json/member";
import { cardAt } from "./cards";

// An entry, 24 bytes.
const ENTRY: usize = 24;
/** f64, the score. */
export const SCORE: usize = 0;
/** f64 */
export const TEXT_FACTOR: usize = 8;
/** u32 */
export const CARD: usize = 16;
/** u32, the bits of the tags that matched. */
export const MATCHED: usize = 20;

let list: usize = 0;
let capacity: u32 = 0;
let count: u32 = 0;

// @ts-ignore: decorator
@inline export function bestCount(): u32 { return count; }
// @ts-ignore: decorator
@inline export function bestAt(i: u32): usize { return list + <usize>i * ENTRY; }

/** Makes room for the best `k`. False when there is no memory. */
export function prepareBest(k: u32): bool {
  capacity = k;
  list = take(<usize>k * ENTRY);
  return list != 0;
}

export function forgetBest(): void { count = 0; }

/** The lowest score that is still among the best k, or -1 while there are fewer. Scores are not below 0. */
// @ts-ignore: decorator
@inline export function lowestBest(): f64 { return count == capacity ? load<f64>(bestAt(count - 1), SCORE) : -1; }

/** Takes a card into account. */
export function offer(score: f64, text: f64, card: u32, matched: u32): void {
  let low: u32 = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = bestAt(middle);
    const other = load<f64>(entry, SCORE);
    const behind = other != score ? other > score : compareNames(cardAt(load<u32>(entry, CARD)), cardAt(card)) < 0;
    if (behind) low = middle + 1;
    else high = middle;
  }
  if (low == capacity) return;
  if (count < capacity) count++;
  const entry = bestAt(low);
  memory.copy(entry + ENTRY, entry, <usize>(count - 1 - low) * ENTRY);
  store<f64>(entry, score, SCORE);
  store<f64>(entry, text, TEXT_FACTOR);
  store<u32>(entry, card, CARD);
  store<u32>(entry, matched, MATCHED);
}
