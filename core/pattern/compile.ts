import { RESULT, seal, setTop, take, top } from "../arena";
import { BAD_INPUT, NO_MEMORY, PATTERN_SET } from "../faults";
import { assembleSet } from "./assemble";
import { HOST, LARGEST_SET, TAG } from "./blob";
import { divides, firstByte, foldCase } from "./bytes";
import { checkPattern } from "./check";
import { cutPattern, ROW } from "./segments";
import { numberSegments } from "./tokens";
import { sortRows } from "./trie";

/** A flag of `patternCompile`: ignores the case of ASCII letters. Hosts always ignore it. */
const IGNORE_CASE: u32 = 1;

/**
 * Compiles a set of `count` patterns of one kind. The input holds them one after another, separated by the byte
 * `separator`, which none of them may contain, such as 0xff, which never occurs in UTF-8. Returns the length of the
 * blob, with its address in result word 0; or the fault of the first refused pattern, with its place in words 1 and 2
 * and the pattern's index in word 3.
 */
export function patternCompile(length: u32, kind: u32, flags: u32, separator: u32, count: u32): i32 {
  const input = seal(length);
  const end = input + length;
  if (kind > TAG || flags > IGNORE_CASE || !divides(input, end, separator, count)) return BAD_INPUT;
  if (length > LARGEST_SET) return PATTERN_SET;
  const rows = take(count * ROW);
  if (!rows) return NO_MEMORY;
  const segments = (top() + 7) & ~7;
  setTop(segments);

  const fold = kind == HOST || flags == IGNORE_CASE;
  let p = input;
  for (let i: u32 = 0; i < count; i++) {
    const stop = firstByte(p, end, separator);
    const refused = checkPattern(p, <u32>(stop - p), kind);
    if (refused) {
      memory.copy(RESULT + 4, refused + 4, 8);
      store<u32>(RESULT, i, 12);
      return load<i32>(refused);
    }
    if (fold) foldCase(p, stop);
    if (!cutPattern(rows + i * ROW, p, stop, kind)) return NO_MEMORY;
    p = stop + 1;
  }
  if (!numberSegments(segments, top()) || !sortRows(rows, count)) return NO_MEMORY;
  return assembleSet(rows, count, length, kind, fold);
}
