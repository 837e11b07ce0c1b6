import { RESULT, room, seal, take, top } from "../arena";
import { NO_MEMORY, PATTERN_SUBJECTS } from "../faults";
import { FOLD, PATTERNS } from "./blob";
import { divides, firstByte, foldCase } from "./bytes";
import { firstHit, NO_HIT, takeHits } from "./hits";
import { openSet, walk } from "./walk";

/** Matches are returned in portions of at most 16 MiB, or those of one subject. */
const PORTION: usize = 1 << 24;

/** 1 when any pattern of the set at `blob` matches the subject of `length` bytes, 0 when none does, or a fault. */
export function patternTest(length: u32, blob: usize, blobLength: u32): i32 {
  const subject = seal(length);
  const fault = begin(subject, length, blob, blobLength, false);
  if (fault) return fault;
  const stopped = walk(subject, subject + length);
  if (stopped) return refuse(stopped, 0);
  return firstHit() != NO_HIT ? 1 : 0;
}

/**
 * For each of `count` subjects the lowest number of a pattern that matches it, or -1. The input holds the subjects one
 * after the other, separated by the byte `separator`, which must occur in none. Returns the number of matched subjects,
 * result word 0 the address of the numbers; or a fault, word 1 the subject.
 */
export function patternMatchFirst(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32): i32 {
  return matchEach(length, blob, blobLength, separator, count, false);
}

/**
 * For each subject the numbers of all patterns that match it. Input as for `patternMatchFirst`. Returns how many
 * matches there are; result word 0 is the address of one more offset than subjects, word 1 of the list of numbers that
 * they divide, word 2 how many subjects are answered: all, or fewer where their matches fill a portion.
 */
export function patternMatchAll(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32): i32 {
  return matchEach(length, blob, blobLength, separator, count, true);
}

function matchEach(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32, all: bool): i32 {
  const input = seal(length), end = input + length;
  if (!divides(input, end, separator, count)) return PATTERN_SUBJECTS;
  const fault = begin(input, length, blob, blobLength, all);
  if (fault) return fault;
  // A word per subject: its number, or the place where the numbers of the next one begin.
  let word = take((<usize>count + 1) << 2);
  if (!word) return NO_MEMORY;
  store<u32>(RESULT, <u32>word);
  store<u32>(word, 0);
  const most = all ? <usize>load<u32>(blob, PATTERNS) << 2 : 0;
  const list = (top() + 3) & ~3;
  let out = list;
  let p = input;
  let matched: u32 = 0, answered: u32 = 0;
  for (; answered < count && (out + most <= list + PORTION || !answered); answered++) {
    if (!room(out, most)) return NO_MEMORY;
    const stop = firstByte(p, end, separator);
    const stopped = walk(p, stop);
    if (stopped) return refuse(stopped, answered);
    if (all) {
      out = takeHits(out);
      matched = <u32>((out - list) >> 2);
      store<u32>(word, matched, 4);
    } else {
      store<u32>(word, firstHit());
      matched += <u32>(firstHit() != NO_HIT);
    }
    word += 4;
    p = stop + 1;
  }
  store<u32>(RESULT, <u32>list, 4);
  store<u32>(RESULT, answered, 8);
  return <i32>matched;
}

/** Opens the set and folds the input as it wants. Returns 0 or a fault. */
function begin(input: usize, length: u32, blob: usize, blobLength: u32, all: bool): i32 {
  const fault = openSet(blob, blobLength, all);
  if (!fault && load<u32>(blob, FOLD)) foldCase(input, input + length);
  return fault;
}

function refuse(fault: i32, subject: u32): i32 {
  store<u32>(RESULT, subject, 4);
  return fault;
}
