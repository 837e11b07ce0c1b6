// What reputation, availability and rating add to a card's score under the weights of the last query: a whole number of
// scan units, never too low, so that the scan has one addition a card to make. Other weights compute all anew, 3 ns a card.

import { AVAILABILITY, DEAD, EXCLUDED, FLAGS, NEVER, RATING, REPUTATION, cardAt, cardsCount, standingAt } from "./cards";

let reputationWeight: f64 = 0;
let availabilityWeight: f64 = 0;
let ratingWeight: f64 = 0;

function setStanding(card: u32): void {
  const at = cardAt(card);
  let standing = NEVER;
  if (!load<u8>(at, FLAGS)) {
    standing = <i32>ceil(
      reputationWeight * load<f64>(at, REPUTATION) + availabilityWeight * load<f64>(at, AVAILABILITY) + ratingWeight * load<f64>(at, RATING),
    );
  }
  store<i16>(standingAt(card), <i16>standing);
}

/** Takes the weights, in scan units. */
export function weighSignals(reputation: f64, availability: f64, rating: f64): void {
  if (reputation == reputationWeight && availability == availabilityWeight && rating == ratingWeight) return;
  reputationWeight = reputation;
  availabilityWeight = availability;
  ratingWeight = rating;
  for (let card: u32 = 0; card < cardsCount(); card++) setStanding(card);
}

// @ts-ignore: decorator
@inline function isWrong(x: f64): bool { return x < 0 || x > 1; }

/** Each a number from 0 to 1, or NaN for "as it is"; `excluded` 1, 0, or below 0 for "as it is". */
export function areSignals(reputation: f64, availability: f64, rating: f64, excluded: i32): bool {
  return !(isWrong(reputation) || isWrong(availability) || isWrong(rating) || excluded > 1);
}

function set(at: usize, x: f64): void {
  if (x == x) store<f64>(at, x);
}

/** Sets what is not "as it is" on a live card. */
export function setSignals(card: u32, reputation: f64, availability: f64, rating: f64, excluded: i32): void {
  const at = cardAt(card);
  set(at + REPUTATION, reputation);
  set(at + AVAILABILITY, availability);
  set(at + RATING, rating);
  if (excluded >= 0) store<u8>(at, excluded ? EXCLUDED : 0, FLAGS);
  setStanding(card);
}

/** Gives a card the signals of another one. */
export function inheritSignals(card: u32, from: u32): void {
  const to = cardAt(card), old = cardAt(from);
  setSignals(card, load<f64>(old, REPUTATION), load<f64>(old, AVAILABILITY), load<f64>(old, RATING), i32((load<u8>(old, FLAGS) & EXCLUDED) != 0));
}
