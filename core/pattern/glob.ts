// A segment with `*` among other characters. Its first and last pieces must match at the ends of the subject's segment.
// The pieces in between are searched from left to right, each as early as possible, which never misses a match.

import { sameBytes } from "../bytes";
import { GLOB_FAILURE, GLOB_LEAST, GLOB_LENGTH, GLOB_PREFIX, GLOB_SUFFIX, GLOB_TEXT } from "./blob";
import { firstByte } from "./bytes";
import { spend } from "./work";

const STAR: u32 = 0x2a;

/**
 * True when the glob at `glob` matches [start, end). Takes linear time in both. Also false when the budget is spent
 * (work.ts).
 */
export function globMatches(blob: usize, glob: usize, start: usize, end: usize): bool {
  const length = <u32>(end - start), least = load<u32>(glob, GLOB_LEAST);
  if (length < least || !spend(2 + (least >> 5))) return false;
  const text = blob + load<u32>(glob, GLOB_TEXT);
  const prefix = load<u32>(glob, GLOB_PREFIX);
  const suffix = load<u32>(glob, GLOB_SUFFIX);
  const textEnd = text + load<u32>(glob, GLOB_LENGTH);
  if (!sameBytes(start, text, prefix) || !sameBytes(end - suffix, textEnd - suffix, suffix)) return false;
  const failure = load<u32>(glob, GLOB_FAILURE);
  return failure == 0 || spend(length >> 2) && piecesMatch(text, prefix, textEnd - suffix, blob + failure, start + prefix, end - suffix);
}

/** True when the pieces after the star at `text + star`, up to the last star before `textEnd`, occur in [p, end). */
function piecesMatch(text: usize, star: u32, textEnd: usize, failure: usize, p: usize, end: usize): bool {
  for (let piece = text + star + 1; piece < textEnd; ) {
    const stop = firstByte(piece, textEnd, STAR);
    p = run(piece, <u32>(stop - piece), failure + ((piece - text) << 1), p, end, 0);
    if (!p) return false;
    piece = stop + 1;
  }
  return true;
}

/** Fills the failure tables of the pieces between stars: two bytes for each byte of the text, zero beforehand. */
export function buildFailures(text: usize, prefix: u32, textEnd: usize, failure: usize): void {
  for (let piece = text + prefix + 1; piece < textEnd; ) {
    const stop = firstByte(piece, textEnd, STAR);
    const table = failure + ((piece - text) << 1);
    run(piece, <u32>(stop - piece), table, piece + 1, stop, table);
    piece = stop + 1;
  }
}

/**
 * Knuth-Morris-Pratt: scans [p, end) and tracks how long a prefix of the piece ends at each byte. Returns the address
 * after the first occurrence of the piece, or 0. With `out` it fills the piece's failure table instead.
 */
function run(piece: usize, size: u32, failure: usize, p: usize, end: usize, out: usize): usize {
  let matched: u32 = 0;
  for (; p < end; p++) {
    const byte = load<u8>(p);
    let wanted = load<u8>(piece + matched);
    while (wanted != byte && matched) {
      matched = load<u16>(failure + (<usize>(matched - 1) << 1));
      wanted = load<u8>(piece + matched);
    }
    if (wanted == byte && ++matched == size) return p + 1;
    if (out) store<u16>(out += 2, matched);
  }
  return 0;
}
