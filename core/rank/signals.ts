// The amount that reputation, availability and rating add to a card's score under the weights of the last query: a
// whole number of scan units, never too low, so that the scan has one addition per card. Other weights recompute all, 3
// ns a card.

import { EXCLUDED, FLAGS, NEVER, SIGNALS_SIZE, cardAt, cardsCount, standingAt } from "./cards";

/** The weights in scan units that `standing` is computed with. */
const weights: usize = memory.data(24, 8);
/** The signals that `takeSignals` took. */
const taken: usize = memory.data(24, 8);
let excluded: i32 = 0;

function setStanding(card: u32): void {
  const at = cardAt(card);
  let standing: f64 = 0;
  for (let i: usize = 0; i < SIGNALS_SIZE; i += 8) standing += load<f64>(weights + i) * load<f64>(at + i);
  store<i16>(standingAt(card), load<u8>(at, FLAGS) ? NEVER : <i16>ceil(standing));
}

/** Takes the weights of the signals, three f64 at `from`, at `units` for a 1. */
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
 * Each signal is a number from 0 to 1, or NaN for "as it is"; `isExcluded` 1, 0, or below 0 for "as it is". False when
 * one is invalid.
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

/** Gives a live card the signals that were taken, except those that are "as it is". */
export function setSignals(card: u32): void {
  const at = cardAt(card);
  for (let i: usize = 0; i < SIGNALS_SIZE; i += 8) {
    const signal = load<f64>(taken + i);
    if (signal == signal) store<f64>(at + i, signal);
  }
  if (excluded >= 0) store<u8>(at, excluded ? EXCLUDED : 0, FLAGS);
  setStanding(card);
}

/** Gives a card signals from elsewhere: three f64 at `from`, and its flags. */
export function copySignals(card: u32, from: usize, flags: u32): void {
  const at = cardAt(card);
  memory.copy(at, from, SIGNALS_SIZE);
  store<u8>(at, flags, FLAGS);
  setStanding(card);
}
