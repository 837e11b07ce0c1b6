// The smaller exports of an index. The others are in cards.ts, card.ts, search.ts, save.ts and load.ts.

import { RESULT, seal } from "../arena";
import { BAD_INPUT, NO_MEMORY, RANK_STATISTICS } from "../faults";
import { cardsCount, cardsLive, failAt, recordEnd } from "./cards";
import { seedHash, heapSize } from "./heap";
import { askedWords, ownStatistics, readQuery } from "./query";
import { isLoading, setTextMembers } from "./stage";

/**
 * Configures the index before the first card. `members` selects the text of a card as a sum: 1 name, 2 description, 4
 * skills, 8 the tools' names and descriptions; default 6. The seeds key the hash tables: pass secret random numbers
 * when the cards are untrusted. Returns 0, or BAD_INPUT when the index already has cards.
 */
export function indexOpen(members: u32, seedA: u32, seedB: u32): i32 {
  if (cardsCount() || isLoading()) return BAD_INPUT;
  setTextMembers(members);
  seedHash(seedA, seedB);
  return 0;
}

/** The number of cards in the index. */
export function indexSize(): u32 { return cardsLive(); }

/** The bytes of memory that the index has claimed. */
export function indexBytes(): usize { return heapSize(); }

/**
 * The statistics for the query in the input, which shards add up to answer like one index: f64 cards, f64 words in all
 * of them, then for each different word of the query, in its order, f64 cards that contain it. Returns the number of
 * words; word 0: address.
 */
export function indexStatistics(length: u32): i32 {
  if (isLoading()) return BAD_INPUT;
  const input = seal(length);
  const fault = readQuery(input, length);
  if (fault) return fault;
  if (recordEnd() != input + length) return failAt(RANK_STATISTICS, recordEnd() - input);
  const statistics = ownStatistics();
  if (!statistics) return NO_MEMORY;
  store<u32>(RESULT, <u32>statistics);
  return <i32>askedWords();
}
