// Removed cards leave their postings behind. A term learns how many of its postings are dead when a query next asks:
// the removed cards are listed in order, and each term remembers how far down the list it has looked.

import { allocate, spaceOf } from "./heap";
import { DEAD as DEAD_CARD, FLAGS, buryCard, cardAt } from "./cards";
import { POSTING, chunkBegin, chunkEnd, chunkNext, frequencyOf, postingCard } from "./postings";
import { COUNT, DEAD, FIRST, SEEN } from "./terms";

let list: usize = 0;
let count: u32 = 0;
let capacity: u32 = 0;

/** Bytes to prepare before `remove`. */
export function removedSpace(): usize {
  return count == capacity ? spaceOf((<usize>capacity << 3) + 256) : 0;
}

/** Removes a live card. */
export function remove(card: u32): void {
  buryCard(card);
  if (count == capacity) {
    capacity = capacity << 1 | 64;
    const longer = allocate(<usize>capacity << 2);
    memory.copy(longer, list, <usize>count << 2);
    list = longer;
  }
  store<u32>(list + (<usize>count << 2), card);
  count++;
}

/** How many cards that were not removed have the term. */
export function liveCount(term: usize): u32 {
  const postings = load<u32>(term, COUNT);
  const seen = load<u32>(term, SEEN);
  if (seen != count) {
    // Looking one card up costs about as much as walking over 32 postings.
    store<u32>(term, (count - seen) << 5 < postings ? load<u32>(term, DEAD) + deadSince(term, seen) : deadPostings(term), DEAD);
    store<u32>(term, count, SEEN);
  }
  return postings - load<u32>(term, DEAD);
}

function deadSince(term: usize, seen: u32): u32 {
  let dead: u32 = 0;
  for (let i = seen; i < count; i++) if (frequencyOf(term, load<u32>(list + (<usize>i << 2)))) dead++;
  return dead;
}

function deadPostings(term: usize): u32 {
  let dead: u32 = 0;
  for (let chunk = <usize>load<u32>(term, FIRST); chunk; chunk = chunkNext(chunk)) {
    const end = chunkEnd(term, chunk);
    for (let p = chunkBegin(chunk); p < end; p += POSTING) dead += load<u8>(cardAt(postingCard(p)), FLAGS) & DEAD_CARD;
  }
  return dead;
}
