// Checks the form of a pattern against ADL section 4.4 and appendix D, and Agent Card section 3.6.1.

import { RESULT, seal } from "../arena";
import {
  BAD_INPUT, PATTERN_CONTROL, PATTERN_EMPTY, PATTERN_GLOBSTAR_KIND, PATTERN_GLOBSTAR_PLACE, PATTERN_LABEL, PATTERN_LONG,
  PATTERN_NON_ASCII, PATTERN_SEGMENTS, PATTERN_SPACE, PATTERN_STARS, PATTERN_TAG_STAR, PATTERN_UTF8,
} from "../faults";
import { sequenceLength } from "../json/string";
import { HOST, PATH, separatorOf, TAG } from "./blob";
import { behindLastByte, firstByte } from "./bytes";

/** The length limit of a pattern: no host or path is longer, and its failure table can use 16 bits. */
const LONGEST: u32 = 0xffff;

/** Each segment after a `**` is one more state that may be active at every segment of a subject. */
const MOST_SEGMENTS: u32 = 256;

const STAR: u32 = 0x2a;
const DOT: u32 = 0x2e;

export const WARN_BARE: i32 = 1; // the whole pattern is one wildcard: it matches everything
export const WARN_MIDDLE: i32 = 2; // a `*` between other characters of its segment
export const WARN_SPACE: i32 = 3; // a space in a path
export const WARN_NON_ASCII: i32 = 4; // a character beyond ASCII in a path
export const WARN_HOST: i32 = 5; // a character that hosts cannot contain

/** A finding: code (a fault, or a warning above), offset, length. */
export const FINDING: u32 = 12;

/** Each code is reported once, where it first occurs: room for twelve faults and five warnings. */
const findings = memory.data(204, 16);

let count: u32 = 0;
let seen: u32 = 0; // one bit for each reported code
let refusal: u32 = 0; // the index of the first fault's finding, plus one
let origin: usize = 0;

/** The findings of the last check. */
export function findingAt(index: u32): usize { return findings + index * FINDING; }

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
