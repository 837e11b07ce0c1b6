// From a query to the best hits: sums for all cards that match, exact scores for the few that can be among the best.
//
//   score = w0 * matched tags / asked tags + w1 * text + w2 * reputation + w3 * availability + w4 * rating
//   text  = sum of idf * (f * (k1 + 1) / (f + norm))  /  sum of idf * (k1 + 1),  over the words asked, in their order
//
// All in f64, in the order written, rounded to millionths with floor(score * 1e6 + 0.5).

import { RESULT, seal, take } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_QUERY } from "../faults";
import { CARD, MATCHED, SCORE, TEXT_FACTOR, bestAt, bestCount, forgetBest, offer, prepareBest } from "./best";
import { AVAILABILITY, ID, ID_LENGTH, RATING, REPUTATION, WORDS, cardAt, cardsCount } from "./cards";
import { DRIFT, FULL, K1, follow, norm, referenceLength } from "./impact";
import { isLoading } from "./state";
import { frequencyOf } from "./postings";
import { askedTags, askedWords, averageLength, readQuery, tagBit, tagTerm, weighWords, wordIdf, wordTerm } from "./query";
import { failAt } from "./record";
import { FULL_SCORE, addSource, beginScan, candidateAt, candidateEnd, nextCandidate, scan } from "./scan";
import { weighSignals } from "./signals";

/** Hits of one query. */
const MOST_HITS: u32 = 1000;
const MOST_WEIGHT: f64 = 1000;
const MILLION: f64 = 1e6;

let tagWeight: f64 = 0;
let textWeight: f64 = 0;
let reputationWeight: f64 = 0;
let availabilityWeight: f64 = 0;
let ratingWeight: f64 = 0;
/** What the text factor is divided by: its sum for a card that could not match better. */
let mostText: f64 = 0;

/** Bytes of a hit in the result. */
const HIT: usize = 56;

// @ts-ignore: decorator
@inline function isWeight(w: f64): bool { return w >= 0 && w <= MOST_WEIGHT; }

/**
 * Ranks the cards of the index for the query at the input, a record without an id. `given`: its statistics follow the record
 * (`indexStatistics`). Returns the number of hits, at most `limit`, with scores of `least` or more, or a fault.
 *
 * Word 0: address of the hits, 56 bytes each: f64 score, f64 factors of tags, text, reputation, availability, rating, u32 bits of the
 * tags that matched, u32 bytes of the id. Words 1 and 2: address and bytes of the ids, one behind the other.
 */
export function indexQuery(
  length: u32, limit: u32, least: f64, tags: f64, text: f64, reputation: f64, availability: f64, rating: f64, given: i32,
): i32 {
  if (isLoading()) return BAD_INPUT;
  const input = seal(length);
  if (limit > MOST_HITS || !(abs(least) <= MOST_WEIGHT)) return failAt(RANK_QUERY, 0);
  if (!isWeight(tags) || !isWeight(text) || !isWeight(reputation) || !isWeight(availability) || !isWeight(rating)) return failAt(RANK_QUERY, 0);
  let fault = readQuery(input, length);
  if (!fault) fault = weighWords(input, length, given != 0);
  if (fault) return fault;
  tagWeight = tags;
  textWeight = text;
  reputationWeight = reputation;
  availabilityWeight = availability;
  ratingWeight = rating;
  const k = min(limit, cardsCount());
  if (!prepareBest(k)) return failAt(NO_MEMORY, 0);
  forgetBest();
  if (k) {
    if (!beginScan(askedTags() + askedWords())) return failAt(NO_MEMORY, 0);
    findCandidates(least);
    forgetBest();
    for (let i = nextCandidate(0); i < candidateEnd(); i = nextCandidate(i + 1)) rescore(candidateAt(i), least);
  }
  return writeHits();
}

/** Translates the query into scan units, and scans. */
function findCandidates(least: f64): void {
  const average = averageLength();
  follow(average);
  const ratio = average / referenceLength();
  const over = max<f64>(ratio, 1), under = min<f64>(ratio, 1);
  const total = tagWeight + textWeight * DRIFT + reputationWeight + availabilityWeight + ratingWeight;
  const units = total > 0 ? FULL_SCORE / total : 0;
  weighSignals(reputationWeight * units, availabilityWeight * units, ratingWeight * units);

  // Signals are a unit too high at the most; scores that round to the same millionth are equal; one unit to spare.
  let slack: f64 = 2 + units / MILLION;
  const words = askedWords(), asked = askedTags();
  mostText = 0;
  for (let i: u32 = 0; i < words; i++) mostText += wordIdf(i) * (K1 + 1);
  for (let i: u32 = 0; i < asked; i++) slack += addShare(tagTerm(i), (tagWeight * units) / <f64>asked);
  for (let i: u32 = 0; i < words; i++) {
    const most = (textWeight * units * wordIdf(i) * (K1 + 1)) / mostText;
    // An impact is a 255th too high at the most, and as far off as the average is from the reference.
    slack += addShare(wordTerm(i), most * over) + most * (over - under) + (most * over) / <f64>FULL;
  }
  const lowest = max<f64>(-1, min<f64>(floor((least - 1 / MILLION) * units) - 1, 32767));
  scan(<i32>lowest, <i32>ceil(min(slack, 65536)), !words && !asked);
}

/** Has the term add at most `most` units to each card that has it. Returns by how much rounding can overstate them. */
function addShare(term: usize, most: f64): f64 {
  if (term) addSource(term, max(<u32>ceil((most * 256) / <f64>FULL), 1));
  return 2;
}

/** Scores one card exactly. */
function rescore(card: u32, least: f64): void {
  const at = cardAt(card);
  let matched: u32 = 0;
  for (let i: u32 = 0; i < askedTags(); i++) if (frequencyOf(tagTerm(i), card)) matched |= tagBit(i);
  let text: f64 = 0;
  const saturation = norm(<f64>load<u16>(at, WORDS), averageLength());
  for (let i: u32 = 0; i < askedWords(); i++) {
    const f = <f64>frequencyOf(wordTerm(i), card);
    if (f) text += wordIdf(i) * ((f * (K1 + 1)) / (f + saturation));
  }
  if (text) text /= mostText;
  const score = tagWeight * tagFactor(matched) + textWeight * text + reputationWeight * load<f64>(at, REPUTATION)
    + availabilityWeight * load<f64>(at, AVAILABILITY) + ratingWeight * load<f64>(at, RATING);
  const millionths = floor(score * MILLION + 0.5);
  if (millionths / MILLION >= least) offer(millionths, text, card, matched);
}

// @ts-ignore: decorator
@inline function tagFactor(matched: u32): f64 { return askedTags() ? <f64>popcnt(matched) / <f64>askedTags() : 0; }

function writeHits(): i32 {
  const count = bestCount();
  const hits = take(<usize>count * HIT);
  let bytes: usize = 0;
  for (let i: u32 = 0; i < count; i++) bytes += load<u32>(cardAt(load<u32>(bestAt(i), CARD)), ID_LENGTH);
  const ids = take(bytes);
  if (!hits || !ids) return failAt(NO_MEMORY, 0);
  let id = ids, to = hits;
  for (let i: u32 = 0; i < count; i++, to += HIT) {
    const best = bestAt(i), at = cardAt(load<u32>(best, CARD));
    const matched = load<u32>(best, MATCHED), n = load<u32>(at, ID_LENGTH);
    store<f64>(to, load<f64>(best, SCORE) / MILLION);
    store<f64>(to, tagFactor(matched), 8);
    store<f64>(to, load<f64>(best, TEXT_FACTOR), 16);
    store<f64>(to, load<f64>(at, REPUTATION), 24);
    store<f64>(to, load<f64>(at, AVAILABILITY), 32);
    store<f64>(to, load<f64>(at, RATING), 40);
    store<u32>(to, matched, 48);
    store<u32>(to, n, 52);
    memory.copy(id, load<u32>(at, ID), n);
    id += n;
  }
  store<u32>(RESULT, <u32>hits);
  store<u32>(RESULT, <u32>ids, 4);
  store<u32>(RESULT, <u32>bytes, 8);
  return <i32>count;
}
