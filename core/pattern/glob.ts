// A segment with `*` among other characters. Its first and last pieces stand at the ends of what it matches; the
// pieces between are looked for from left to right, each as early as possible, which never misses a match.

import { GLOB_FAILURE, GLOB_LEAST, GLOB_LENGTH, GLOB_PREFIX, GLOB_SUFFIX, GLOB_TEXT } from "./blob";
import { firstByte, sameBytes } from "./bytes";

const STAR: u32 = 0x2a;

/** Whether the glob at `glob` matches [start, end). Takes time linear in both, whatever they hold. */
export function globMatches(blob: usize, glob: usize, start: usize, end: usize): bool {
  if (<u32>(end - start) < load<u32>(glob, GLOB_LEAST)) return false;
  const text = blob + load<u32>(glob, GLOB_TEXT);
  const prefix = load<u32>(glob, GLOB_PREFIX);
  const suffix = load<u32>(glob, GLOB_SUFFIX);
  const textEnd = text + load<u32>(glob, GLOB_LENGTH);
  if (!sameBytes(start, text, prefix) || !sameBytes(end - suffix, textEnd - suffix, suffix)) return false;
  const failure = load<u32>(glob, GLOB_FAILURE);
  return failure == 0 || piecesMatch(text, prefix, textEnd - suffix, blob + failure, start + prefix, end - suffix);
}

/** Whether the pieces behind the star at `text + star`, up to the last star before `textEnd`, occur in [p, end). */
function piecesMatch(text: usize, star: u32, textEnd: usize, failure: usize, p: usize, end: usize): bool {
  for (let piece = text + star + 1; piece < textEnd; ) {
    const stop = firstByte(piece, textEnd, STAR);
    p = behindPiece(piece, <u32>(stop - piece), failure + ((piece - text) << 1), p, end);
    if (!p) return false;
    piece = stop + 1;
  }
  return true;
}

/** Behind the first occurrence of the piece in [p, end), or 0: Knuth, Morris and Pratt. */
function behindPiece(piece: usize, size: u32, failure: usize, p: usize, end: usize): usize {
  let matched: u32 = 0;
  for (; p < end; p++) {
    const byte = load<u8>(p);
    while (matched && load<u8>(piece + matched) != byte) matched = load<u16>(failure + (<usize>(matched - 1) << 1));
    if (load<u8>(piece + matched) == byte && ++matched == size) return p + 1;
  }
  return 0;
}

/** Fills the failure tables of the pieces between stars: two bytes for each byte of the text. */
export function buildFailures(text: usize, prefix: u32, textEnd: usize, failure: usize): void {
  for (let piece = text + prefix + 1; piece < textEnd; ) {
    const size = <u32>(firstByte(piece, textEnd, STAR) - piece);
    const table = failure + ((piece - text) << 1);
    let matched: u32 = 0;
    store<u16>(table, 0);
    for (let i: u32 = 1; i < size; i++) {
      const byte = load<u8>(piece + i);
      while (matched && load<u8>(piece + matched) != byte) matched = load<u16>(table + (<usize>(matched - 1) << 1));
      if (load<u8>(piece + matched) == byte) matched++;
      store<u16>(table + (<usize>i << 1), matched);
    }
    piece += size + 1;
  }
}
