// Warnings about numbers that the reader accepts although a double cannot hold them.

import { RESULT } from "../arena";
import { documentBegin } from "./fault";

/** An integer beyond 2^53 - 1: its neighbours read as the same number. */
export const WARN_INTEGER: u32 = 1;
/** A non-zero number that reads as zero. */
export const WARN_UNDERFLOW: u32 = 2;

/** Further warnings are counted but not listed. */
const MOST: u32 = 64;

// @ts-ignore: decorator
@unmanaged class Warning {
  what: u32;
  offset: u32;
}
const LIST: usize = memory.data(MOST * 8, 8);

let count: u32 = 0;

export function resetWarnings(): void { count = 0; }

export function warn(what: u32, p: usize): void {
  if (count < MOST) {
    const warning = changetype<Warning>(LIST + (<usize>count << 3));
    warning.what = what;
    warning.offset = <u32>(p - documentBegin());
  }
  count++;
}

/** Stores the number of warnings in result word 3 and the list of { warning, offset } (at most 64) in word 4. */
export function reportWarnings(): void {
  store<u32>(RESULT, count, 12);
  store<u32>(RESULT, <u32>LIST, 16);
}
