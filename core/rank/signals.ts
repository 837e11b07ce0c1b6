// What reputation, availability and rating add to a card's score with the weights of the last query: a whole number of
// scan units, never too low, so that the scan needs only one addition per card. Other weights recompute all of them, 3
// ns a card.

import { EXCLUDED, FLAGS, NEVER, SIGNALS_SIZE, cardAt, cardsCount, standingAt } from "./cards";

/** The weights, in scan units, for which `standing` was computed. */
const weights: usize = memory.data(24, 8);
/** The signals passed to `takeSignals`. */
const taken: usize = memory.data(24, 8);
let excluded: i32 = 0;

function setStanding(card: u32): void {
  const at = cardAt(card);
  let standing: f64 = 0;
  for (let i: usize = 0; i < SIGNALS_SIZE; i += 8) standing += load<f64>(weights + i) * load<f64>(at + i);
  store<i16>(standingAt(card), load<u8>(at, FLAGS) ? NEVER : <i16>ceil(standing));
}

/** Sets the weights of the signals: three f64 at `from`; a weight of 1 is `units` scan units. */
export function weighSignals(from: usize, units: f64): void {
  let changed = false;
  for (let i: usize = 0; i < SIGNALS_SIZE; i += 8) {
    const weight = load<f64>(from + i) * units;
    if (weight != load<f64>(weights + i)) changed = true;
    store<f64>(weights + i, weight);
  }
  if (changed) for (let card: u32 = 0; card < cardsCount(); card++) setStanding(card);
}

/**
 * Stores signals for the next card. Each is a number from 0 to 1, or NaN for "unchanged"; `isExcluded` is 1, 0, or
 * negative for "unchanged". False when one is invalid.
 */
export function takeSignals(reputation: f64, availability: f64, rating: f64, isExcluded: i32): bool {
  store<f64>(taken, reputation);
  store<f64>(taken, availability, 8);
  store<f64>(taken, rating, 16);
  excluded = isExcluded;
  return areSignals(taken) && isExcluded <= 1;
}

/** True when each of the three f64 at `from` is a number from 0 to 1, or NaN. */
export function areSignals(from: usize): bool {
  for (let i: usize = 0; i < SIGNALS_SIZE; i += 8) if (load<f64>(from + i) < 0 || load<f64>(from + i) > 1) return false;
  return true;
}

/** Applies the stored signals to a live card, except those that are "unchanged". */
export function setSignals(card: u32): void {
  const at = cardAt(card);
  for (let i: usize = 0; i < SIGNALS_SIZE; i += 8) {
    const signal = load<f64>(taken + i);
    if (signal == signal) store<f64>(at + i, signal);
  }
  if (excluded >= 0) store<u8>(at, excluded ? EXCLUDED : 0, FLAGS);
  setStanding(card);
}

/** Sets the signals of a card: three f64 at `from`, and its flags. */
export function copySignals(card: u32, from: usize, flags: u32): void {
  const at = cardAt(card);
  memory.copy(at, from, SIGNALS_SIZE);
  store<u8>(at, flags, FLAGS);
  setStanding(card);
}
