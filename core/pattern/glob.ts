// Short byte strings: finding a byte, hashing, folding. All functions may read up to 16 bytes past either end of their
// range and ignore what they find there: static data precedes it, and the arena keeps slack after it.
import { lowBytes, sameBytes, room, setTop, top, RESULT, seal } from "../arena";
import {
  GLOB_FAILURE, GLOB_LEAST, GLOB_LENGTH, GLOB_PREFIX, GLOB_SUFFIX, GLOB_TEXT, BELOW_TOKEN, GLOBSTAR_TOKEN, HOST,
  NO_KEY, separatorOf, STAR_TOKEN, SUFFIX_KEYS, TAG, PATH,
} from "./blob";
import {
  BAD_INPUT, PATTERN_CONTROL, PATTERN_EMPTY, PATTERN_GLOBSTAR_KIND, PATTERN_GLOBSTAR_PLACE, PATTERN_LABEL,
  PATTERN_LONG, PATTERN_NON_ASCII, PATTERN_SEGMENTS, PATTERN_SPACE, PATTERN_STARS, PATTERN_TAG_STAR, PATTERN_UTF8,
} from "../faults";
import { sequenceLength } from "../json/string";

const MULTIPLIER: u64 = 0x9e3779b97f4a7c15;

/** The first `byte` in [p, end), or `end`. */
export function firstByte(p: usize, end: usize, byte: u32): usize {
  if (ASC_FEATURE_SIMD) {
    const wanted = i8x16.splat(<i8>byte);
    for (; p < end; p += 16) {
      const mask = i8x16.bitmask(i8x16.eq(v128.load(p), wanted));
      if (mask) return min(p + ctz(mask), end);
    }
    return end;
  } else {
    while (p < end && <u32>load<u8>(p) != byte) p++;
    return p;
  }
}

/** True when `separator` divides [p, end) into `count` texts; empty input counts as one text or as zero. */
export function divides(p: usize, end: usize, separator: u32, count: u32): bool {
  if (separator > 0xff) return false;
  if (p == end && !count) return true;
  for (; count && p <= end; count--) p = firstByte(p, end, separator) + 1;
  return !count && p > end;
}

/** The address after the last `byte` in [start, p), or `start`. */
export function behindLastByte(start: usize, p: usize, byte: u32): usize {
  if (ASC_FEATURE_SIMD) {
    const wanted = i8x16.splat(<i8>byte);
    for (; p > start; p -= 16) {
      const mask = i8x16.bitmask(i8x16.eq(v128.load(p - 16), wanted));
      if (mask) return max(p - 16 + (32 - clz(mask)), start);
    }
    return start;
  } else {
    while (p > start && <u32>load<u8>(p - 1) != byte) p--;
    return p;
  }
}

/** A 32-bit hash of the bytes at `p`. */
export function hashBytes(p: usize, n: u32): u32 {
  let hash: u64 = n;
  for (; n > 8; n -= 8) {
    hash = (hash ^ load<u64>(p)) * MULTIPLIER;
    hash ^= hash >> 29;
    p += 8;
  }
  if (n) hash = (hash ^ (load<u64>(p) & lowBytes(n))) * MULTIPLIER;
  return <u32>(hash >> 32); // a product's high bits depend on all bits of its factors
}

/** The bit, out of 64, that a key sets in its group's filter. */
// @ts-ignore: decorator
@inline export function filterBit(key: u64): u64 { return <u64>1 << ((key * MULTIPLIER) >> 58); }

/** Lower-cases ASCII capitals in place, and up to 15 bytes after `end` as well, so those must need folding too. */
export function foldCase(p: usize, end: usize): void {
  if (ASC_FEATURE_SIMD) {
    for (; p < end; p += 16) {
      const bytes = v128.load(p);
      const capital = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
      v128.store(p, v128.or(bytes, v128.and(capital, i8x16.splat(0x20))));
    }
  } else {
    for (; p < end; p++) {
      const byte = <u32>load<u8>(p);
      if (byte - 0x41 < 26) store<u8>(p, byte | 0x20);
    }
  }
}

// The budget for matching one subject. A step visits a node or token, or compares some bytes: 3 to 10 ns.

/** One to three seconds: far more than any set and subject need unless they are hostile. */
const MOST_STEPS: i32 = 1 << 28;

let left: i32 = 0;

export function refill(): void { left = MOST_STEPS; }

/** Charges `steps`, fewer than 2^30, to the budget. False when the budget is exhausted. */
export function spend(steps: u32): bool {
  if (left >= 0) left -= <i32>steps;
  return left >= 0;
}

// A segment with `*` among other characters. Its first and last pieces must match at the ends of the subject's segment.
// The pieces in between are searched from left to right, each as early as possible, which never misses a match.

const STAR: u32 = 0x2a;

/**
 * True when the glob at `glob` matches [start, end). Takes linear time in both. Also false when the budget is spent
 * (MOST_WORK).
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

// Splits patterns into segments, in the order in which a subject's segments are visited.

/** A segment of a pattern: its sort group, its token, its key, its place. */
export const SEGMENT: u32 = 24;
export const SEGMENT_GROUP: usize = 0;
export const SEGMENT_TOKEN: usize = 4;
export const SEGMENT_KEY: usize = 8; // u64
export const SEGMENT_TEXT: usize = 16;
export const SEGMENT_LENGTH: usize = 20;

/**
 * Groups that sort before those of globs (blob.ts: GROUP_KEY). Wildcards have fixed tokens; the key of a literal is its
 * hash.
 */
export const WILDCARDS: u32 = 0x100;
export const LITERAL_GROUP: u32 = 0;

/** A pattern: the address of its first segment, and the number of segments. */
export const ROW: u32 = 8;
export const ROW_COUNT: usize = 4;
const GLOBSTAR: u16 = 0x2a2a;

/** Appends the segments of a pattern to the arena and fills its row. False when there is no memory. */
export function cutPattern(row: usize, pattern: usize, end: usize, kind: u32): bool {
  const first = top();
  // Every segment except the first needs a separator in the pattern.
  if (!room(first, (<usize>(end - pattern) + 1) * SEGMENT)) return false;
  setTop(cut(first, pattern, end, kind));
  store<u32>(row, <u32>first);
  store<u32>(row, <u32>((top() - first) / SEGMENT), ROW_COUNT);
  return true;
}

/**
 * Visits the labels of a host from last to first, because names of one domain have their ends in common. Returns the
 * end of the segments.
 */
function cut(at: usize, start: usize, end: usize, kind: u32): usize {
  const separator = separatorOf(kind);
  const star = <u32>load<u8>(end - 1) == STAR;
  if (end - start == 1 && star) return kind == TAG ? at : wildcard(at, BELOW_TOKEN); // "matching everything"
  // A tag also matches the tags below it, so `nlp` and `nlp/*` mean the same.
  if (kind == TAG && star) end -= 2;
  let many = false; // the previous segment was `**`
  for (let last = false; !last; ) {
    const from = kind == HOST ? behindLastByte(start, end, separator) : start;
    const to = kind == HOST ? end : firstByte(start, end, separator);
    last = from == start && to == end;
    if (to - from == 2 && load<u16>(from) == GLOBSTAR) {
      // Zero or more segments twice is the same as once. At the end, `**` means one or more segments, each of which may
      // be empty.
      if (many) at -= SEGMENT;
      at = wildcard(at, last ? BELOW_TOKEN : GLOBSTAR_TOKEN);
      many = true;
    } else {
      at = segment(at, from, to);
      many = false;
    }
    if (kind == HOST) end = from - 1;
    else start = to + 1;
  }
  return at;
}

function wildcard(at: usize, token: u32): usize {
  store<u32>(at, WILDCARDS);
  store<u32>(at, token, SEGMENT_TOKEN);
  return at + SEGMENT;
}

function segment(at: usize, p: usize, end: usize): usize {
  const length = <u32>(end - p);
  const prefix = <u32>(firstByte(p, end, STAR) - p);
  if (length == 1 && prefix == 0) return wildcard(at, STAR_TOKEN);
  store<u32>(at, <u32>p, SEGMENT_TEXT);
  store<u32>(at, length, SEGMENT_LENGTH);
  const suffix = <u32>(end - behindLastByte(p, end, STAR));
  let group = LITERAL_GROUP, key: u64;
  if (prefix == length) key = hashBytes(p, length);
  else if (prefix) {
    group = min(prefix, 8);
    key = load<u64>(p) & lowBytes(group);
  } else if (suffix) {
    group = min(suffix, 8);
    key = load<u64>(end - group) & lowBytes(group);
    group += SUFFIX_KEYS;
  } else {
    group = NO_KEY;
    key = 0;
  }
  store<u32>(at, group);
  store<u64>(at, key, SEGMENT_KEY);
  return at + SEGMENT;
}

// Checks the form of a pattern against ADL section 4.4 and appendix D, and Agent Card section 3.6.1.

/** The length limit of a pattern: no host or path is longer, and its failure table can use 16 bits. */
const LONGEST: u32 = 0xffff;

/** Each segment after a `**` is one more state that may be active at every segment of a subject. */
const MOST_SEGMENTS: u32 = 256;
const DOT: u32 = 0x2e;

export const WARN_BARE: i32 = 1; // the whole pattern is one wildcard: it matches everything
export const WARN_MIDDLE: i32 = 2; // a `*` between other characters of its segment
export const WARN_SPACE: i32 = 3; // a space in a path
export const WARN_NON_ASCII: i32 = 4; // a character beyond ASCII in a path
export const WARN_HOST: i32 = 5; // a character that hosts cannot contain

/** A finding: code (a fault, or a warning above), offset, length. */
const FINDING: u32 = 12;

/** Each code is reported once, where it first occurs: room for twelve faults and five warnings. */
const findings = memory.data(204, 16);

let count: u32 = 0;
let seen: u32 = 0; // one bit for each reported code
let refusal: u32 = 0; // the index of the first fault's finding, plus one
let origin: usize = 0;

/** The findings of the last check. */
function findingAt(index: u32): usize { return findings + index * FINDING; }

/**
 * Checks the pattern of `length` bytes for its kind. Returns the number of findings, with their address in result word
 * 0. Each finding is a code (negative: refused, positive: a warning), the offset of the bytes concerned, and their
 * number.
 */
export function patternCheck(length: u32, kind: u32): i32 {
  const pattern = seal(length);
  if (kind > TAG) return BAD_INPUT;
  checkPattern(pattern, length, kind);
  store<u32>(RESULT, <u32>findings);
  return <i32>count;
}

/** Collects the findings. Returns the first one that refuses the pattern, or 0. */
export function checkPattern(pattern: usize, length: u32, kind: u32): usize {
  count = 0;
  seen = 0;
  refusal = 0;
  origin = pattern;
  if (length == 0) report(PATTERN_EMPTY, pattern, 0);
  else if (length > LONGEST) report(PATTERN_LONG, pattern + LONGEST, length - LONGEST);
  else {
    checkCharacters(pattern, pattern + length, kind);
    checkStars(pattern, pattern + length, kind);
  }
  return refusal ? findingAt(refusal - 1) : 0;
}

function report(code: i32, at: usize, length: usize): void {
  const bit = <u32>1 << (code < 0 ? PATTERN_EMPTY - code : 16 + code);
  if (seen & bit) return;
  seen |= bit;
  const finding = findingAt(count++);
  store<i32>(finding, code);
  store<u32>(finding, <u32>(at - origin), 4);
  store<u32>(finding, <u32>length, 8);
  if (code < 0 && !refusal) refusal = count;
}

function checkCharacters(pattern: usize, end: usize, kind: u32): void {
  // literal-char = %x21-29 / %x2B-7E; paths may contain more, and tags anything.
  const path = kind == PATH, tag = kind == TAG;
  const control = tag ? 0 : PATTERN_CONTROL;
  const space = path ? WARN_SPACE : tag ? 0 : PATTERN_SPACE;
  const beyond = path ? WARN_NON_ASCII : tag ? 0 : PATTERN_NON_ASCII;
  const address = isAddress(pattern, end);
  for (let p = pattern, size: usize = 0; p < end; p += size) {
    const byte = <u32>load<u8>(p);
    let code = 0;
    size = 1;
    if (byte >= 0x80) {
      size = sequenceLength(p, byte);
      if (size == 0 || p + size > end) {
        report(PATTERN_UTF8, p, 1);
        return;
      }
      code = beyond;
    } else if (byte < 0x20 || byte == 0x7f) code = control;
    else if (byte == 0x20) code = space;
    else if (kind == HOST) {
      if (byte == DOT) code = p == pattern || p + 1 == end || <u32>load<u8>(p - 1) == DOT ? PATTERN_LABEL : 0;
      else if (!isHostByte(byte, address)) code = WARN_HOST;
    }
    if (code) report(code, p, size);
  }
}

/** Letters, digits, `-`, `_` (in service names) and the wildcard; in IPv6 addresses also `:`, `[` and `]`. */
function isHostByte(byte: u32, address: bool): bool {
  if ((byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10) return true;
  if (byte == 0x2d || byte == 0x5f || byte == STAR) return true;
  return address && (byte == 0x3a || byte == 0x5b || byte == 0x5d);
}

/** An IPv6 address has at least two colons; a single colon begins a port. */
function isAddress(pattern: usize, end: usize): bool {
  return firstByte(pattern, end, 0x3a) + 1 < behindLastByte(pattern, end, 0x3a);
}

function checkStars(pattern: usize, end: usize, kind: u32): void {
  const separator = separatorOf(kind);
  let segments: u32 = 0;
  let globstar = false;
  for (let p = pattern; p < end; ) {
    const byte = <u32>load<u8>(p);
    if (byte == separator && globstar && load<u16>(p, 1) != 0x2a2a && ++segments > MOST_SEGMENTS) {
      report(PATTERN_SEGMENTS, p + 1, end - p - 1);
      return;
    }
    if (byte != STAR) {
      p++;
      continue;
    }
    let q = p + 1;
    while (q < end && load<u8>(q) == STAR) q++;
    const opens = p == pattern || <u32>load<u8>(p - 1) == separator;
    const closes = q == end || <u32>load<u8>(q) == separator;
    const code = starCode(<u32>(q - p), kind, opens, closes, q == end);
    if (code) report(code, p, q - p);
    else if (kind != TAG && p == pattern && q == end) report(WARN_BARE, p, q - p);
    globstar = globstar || q - p == 2;
    p = q;
  }
}

/** The fault of `size` consecutive stars that begin their segment, end it, or end the pattern; otherwise 0. */
function starCode(size: u32, kind: u32, opens: bool, closes: bool, last: bool): i32 {
  if (size > 2) return PATTERN_STARS;
  if (size == 2) {
    if (kind != PATH) return PATTERN_GLOBSTAR_KIND;
    return opens && closes ? 0 : PATTERN_GLOBSTAR_PLACE;
  }
  if (kind == TAG) return opens && last ? 0 : PATTERN_TAG_STAR;
  return opens || closes ? 0 : WARN_MIDDLE;
}
