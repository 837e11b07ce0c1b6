// From a query to the best hits: approximate sums for all cards that match, exact scores for the few that can be among
// the best.
//
//   score = w0 * matched tags / asked tags + w1 * text + w2 * reputation + w3 * availability + w4 * rating
//   text  = sum of idf * (f * (k1 + 1) / (f + norm))  /  sum of idf * (k1 + 1),  over the query's words, in their order
//
// All computations use f64, in the order written, and are rounded to millionths with floor(score * 1e6 + 0.5).

import { RESULT, seal, take } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_QUERY, RANK_STATISTICS } from "../faults";
import {
  CARD, FACTORS, HIT, MATCHED, beginBest, bestAt, bestCount, offer, FULL_SCORE, addSource, nextCandidate, scan,
} from "./scan";
import { weighSignals } from "./signals";
import { ID, ID_LENGTH, SIGNALS_SIZE, WORDS, cardAt, cardsCount, failAt, recordEnd } from "./cards";
import { DRIFT, FULL, K1, follow, norm, referenceLength, frequencyOf } from "./terms";
import {
  ASKED, BIT, IDF, TERM, askedBegin, askedEnd, askedTags, askedWords, averageLength, mostOfText, ownStatistics,
  readQuery, weighWords,
} from "./query";
import { isLoading } from "./stage";

/** The most hits of one query. */
const MOST_HITS: u32 = 1000;
const MOST_WEIGHT: f64 = 1000;
const MILLION: f64 = 1e6;

/** Five f64 each, in the order of the formula: the weights, and the factors of the card being scored. */
const weights: usize = memory.data(40, 8);
const factors: usize = memory.data(40, 8);
const TEXT: usize = 8;
const SIGNALS: usize = 16;

/**
 * Ranks the cards of the index for the query in the input, a record without an id. `given`: the record is followed by
 * statistics (`indexStatistics`). Returns the number of hits, at most `limit`, with scores of at least `least`, or a
 * fault.
 *
 * Word 0: address of the hits, 56 bytes each: f64 score, f64 factors of tags, text, reputation, availability, rating,
 * u32 bits of the matched tags, u32 length of the id. Words 1 and 2: address and length of the concatenated ids.
 */
export function indexQuery(
  length: u32, limit: u32, least: f64, tags: f64, text: f64, reputation: f64, availability: f64, rating: f64, given: i32,
): i32 {
  if (isLoading()) return BAD_INPUT;
  const input = seal(length);
  store<f64>(weights, tags);
  store<f64>(weights, text, TEXT);
  store<f64>(weights, reputation, SIGNALS);
  store<f64>(weights, availability, SIGNALS + 8);
  store<f64>(weights, rating, SIGNALS + 16);
  let right = limit <= MOST_HITS && abs(least) <= MOST_WEIGHT;
  for (let i: usize = 0; i < 40; i += 8) if (!(load<f64>(weights + i) >= 0 && load<f64>(weights + i) <= MOST_WEIGHT)) right = false;
  if (!right) return failAt(RANK_QUERY, 0);
  let fault = readQuery(input, length);
  if (fault) return fault;
  const offset = recordEnd() - input;
  if (<usize>length - offset != (given ? 16 + (<usize>askedWords() << 3) : 0)) return failAt(RANK_STATISTICS, offset);
  const statistics = given ? recordEnd() : ownStatistics();
  if (!statistics) return NO_MEMORY;
  fault = weighWords(statistics, offset);
  if (fault) return fault;
  const k = min(limit, cardsCount());
  if (!beginBest(k)) return NO_MEMORY;
  if (k) {
    if (!findCandidates(k, least)) return NO_MEMORY;
    for (let candidate = nextCandidate(0); candidate; candidate = nextCandidate(candidate)) rescore(load<u32>(candidate), least);
  }
  return writeHits();
}

/** Converts the query to scan units, and scans. False when there is no memory. */
function findCandidates(k: u32, least: f64): bool {
  const average = averageLength();
  follow(average);
  const ratio = average / referenceLength();
  const over = max<f64>(ratio, 1), under = min<f64>(ratio, 1);
  let total = load<f64>(weights, TEXT) * (DRIFT - 1);
  for (let i: usize = 0; i < 40; i += 8) total += load<f64>(weights + i);
  const units = total > 0 ? FULL_SCORE / total : 0;
  weighSignals(weights + SIGNALS, units);
  const tagUnits = (load<f64>(weights) * units) / <f64>askedTags();
  const textUnits = (load<f64>(weights, TEXT) * units * (K1 + 1)) / mostOfText();

  // Signals are at most one unit too high; scores that round to the same millionth are equal; one spare unit.
  let slack: f64 = 2 + units / MILLION;
  for (let asked = askedBegin(); asked < askedEnd(); asked += ASKED) {
    let most = tagUnits;
    if (!load<u32>(asked, BIT)) {
      most = textUnits * load<f64>(asked, IDF) * over;
      // An impact is at most 1/255 too high, and deviates as much as the average does from the reference.
      slack += most * (1 - under / over + 1 / <f64>FULL);
    }
    // The excess from rounding, here and in each posting.
    slack += 2;
    addSource(asked, most);
  }
  const lowest = max<f64>(-1, min<f64>(floor((least - 1 / MILLION) * units) - 1, 32767));
  return scan(k, <i32>lowest, <i32>ceil(min(slack, 65536)), askedBegin() == askedEnd());
}

/** Computes the exact score of one card. */
function rescore(card: u32, least: f64): void {
  const at = cardAt(card);
  const saturation = norm(load<u16>(at, WORDS), averageLength());
  let matched: u32 = 0;
  let text: f64 = 0;
  for (let asked = askedBegin(); asked < askedEnd(); asked += ASKED) {
    const f = <f64>frequencyOf(load<u32>(asked, TERM), card);
    if (!f) continue;
    matched |= load<u32>(asked, BIT);
    if (!load<u32>(asked, BIT)) text += load<f64>(asked, IDF) * ((f * (K1 + 1)) / (f + saturation));
  }
  store<f64>(factors, matched ? <f64>popcnt(matched) / <f64>askedTags() : 0);
  store<f64>(factors, text ? text / mostOfText() : 0, TEXT);
  memory.copy(factors + SIGNALS, at, SIGNALS_SIZE);
  let score: f64 = 0;
  for (let i: usize = 0; i < 40; i += 8) score += load<f64>(weights + i) * load<f64>(factors + i);
  const millionths = floor(score * MILLION + 0.5);
  if (millionths / MILLION < least) return;
  const found = offer(millionths, card);
  if (!found) return;
  memory.copy(found + FACTORS, factors, 40);
  store<u32>(found, matched, MATCHED);
}

function writeHits(): i32 {
  const count = bestCount();
  const hits = take(<usize>count * HIT);
  let bytes: usize = 0;
  for (let i: u32 = 0; i < count; i++) bytes += load<u32>(cardAt(load<u32>(bestAt(i), CARD)), ID_LENGTH);
  const ids = take(bytes);
  if (!hits || !ids) return NO_MEMORY;
  let id = ids, to = hits;
  for (let i: u32 = 0; i < count; i++, to += HIT) {
    memory.copy(to, bestAt(i), HIT);
    const at = cardAt(load<u32>(to, CARD));
    const n = load<u32>(at, ID_LENGTH);
    store<f64>(to, load<f64>(to) / MILLION);
    store<u32>(to, n, CARD);
    memory.copy(id, load<u32>(at, ID), n);
    id += n;
  }
  store<u32>(RESULT, <u32>hits);
  store<u32>(RESULT, <u32>ids, 4);
  store<u32>(RESULT, <u32>bytes, 8);
  return <i32>count;
}
