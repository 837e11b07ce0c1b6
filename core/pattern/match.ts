import { RESULT, room, seal, take, top } from "../arena";
import { NO_MEMORY, PATTERN_SUBJECTS } from "../faults";
import { FOLD, PATTERNS } from "./blob";
import { divides, firstByte, foldCase } from "./bytes";
import { firstHit, NO_HIT, takeHits } from "./hits";
import { openSet, walk } from "./walk";

/** Matches are returned in portions of at most 16 MiB; the matches of a single subject are never split. */
const PORTION: usize = 1 << 24;

/**
 * Returns 1 when any pattern of the set at `blob` matches the subject of `length` bytes, 0 when none does, or a fault.
 */
export function patternTest(length: u32, blob: usize, blobLength: u32): i32 {
  const subject = seal(length);
  const fault = begin(subject, length, blob, blobLength, false);
  if (fault) return fault;
  const stopped = walk(subject, subject + length);
  if (stopped) return refuse(stopped, 0);
  return firstHit() != NO_HIT ? 1 : 0;
}

/**
 * Finds, for each of `count` subjects, the lowest index of a matching pattern, or -1. The input holds the subjects one
 * after another, separated by the byte `separator`, which none of them may contain. Returns the number of matched
 * subjects, with the address of the indexes in result word 0; or a fault, with the subject in word 1.
 */
export function patternMatchFirst(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32): i32 {
  return matchEach(length, blob, blobLength, separator, count, false);
}

/**
 * Finds, for each subject, the indexes of all matching patterns. Input as for `patternMatchFirst`. Returns the number
 * of matches. Result word 0: address of the offsets, one more than there are subjects; word 1: address of the list of
 * indexes that the offsets divide; word 2: the number of subjects answered, which is smaller than `count` when their
 * matches fill a portion.
 */
export function patternMatchAll(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32): i32 {
  return matchEach(length, blob, blobLength, separator, count, true);
}

function matchEach(length: u32, blob: usize, blobLength: u32, separator: u32, count: u32, all: bool): i32 {
  const input = seal(length), end = input + length;
  if (!divides(input, end, separator, count)) return PATTERN_SUBJECTS;
  const fault = begin(input, length, blob, blobLength, all);
  if (fault) return fault;
  // One word per subject: its index, or the offset where the indexes of the next subject begin.
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

/** Opens the set and folds the input if the set requires it. Returns 0 or a fault. */
function begin(input: usize, length: u32, blob: usize, blobLength: u32, all: bool): i32 {
  const fault = openSet(blob, blobLength, all);
  if (!fault && load<u32>(blob, FOLD)) foldCase(input, input + length);
  return fault;
}

function refuse(fault: i32, subject: u32): i32 {
  store<u32>(RESULT, subject, 4);
  return fault;
}
