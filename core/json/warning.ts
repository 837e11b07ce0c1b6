// What reading lets pass and the reader of the document should know: a value that a double cannot hold.

import { RESULT } from "../arena";
import { documentBegin } from "./fault";

/** An integer beyond 2^53 - 1: its neighbours read as the same number. */
export const WARN_INTEGER: u32 = 1;
/** A number other than zero that reads as zero. */
export const WARN_UNDERFLOW: u32 = 2;

/** More than these are counted, not placed. */
const MOST: u32 = 64;
const LIST: usize = memory.data(MOST * 8, 8);

let count: u32 = 0;

export function resetWarnings(): void { count = 0; }

export function warn(what: u32, p: usize): void {
  if (count < MOST) {
    const at = LIST + (<usize>count << 3);
    store<u32>(at, what);
    store<u32>(at, <u32>(p - documentBegin()), 4);
  }
  count++;
}

/** Leaves the count in result word 3 and the list of { warning, offset } (64 at the most) in word 4. */
export function reportWarnings(): void {
  store<u32>(RESULT, count, 12);
  store<u32>(RESULT, <u32>LIST, 16);
}
