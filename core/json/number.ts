// Number tokens: checks them (RFC 8259 section 6) and finds their canonical text (RFC 8785 section 3.2.2.3).

import { room, setTop, top, sameBytes } from "../arena";
import { JSON_NUMBER, JSON_OVERFLOW, NO_MEMORY } from "../faults";
import { formatDouble } from "../number/write";
import { readDouble } from "../number/read";
import { fail } from "./reader";
import { WARN_INTEGER, WARN_UNDERFLOW, warn } from "./tape";

/**
 * A decimal with at most this many significant digits is always the shortest one of its double, so no conversion is
 * needed.
 */
const ALWAYS_SHORTEST = 15;
const INFINITY: u64 = 0x7ff0000000000000;
/** 2^53, the first integer that shares its double with a neighbour. */
const UNSAFE: u64 = 0x4340000000000000;
const ZERO: usize = memory.data<u8>([48]);

let text: usize = 0;
let textLength: u32 = 0;
let growth: usize = 0;

/** The canonical text of the last number: a slice of the source if that is canonical, otherwise of the arena. */
// @ts-ignore: decorator
@inline export function numberText(): usize { return text; }
// @ts-ignore: decorator
@inline export function numberLength(): u32 { return textLength; }

/** By how many bytes canonical texts have outgrown their tokens (`1E21` becomes `1e+21`) since `resetGrowth`. */
// @ts-ignore: decorator
@inline export function numberGrowth(): usize { return growth; }
export function resetGrowth(): void { growth = 0; }

// @ts-ignore: decorator
@inline function asIs(from: usize, to: usize): usize {
  text = from;
  textLength = <u32>(to - from);
  return to;
}

/** Reads the number at `p`, which begins with a digit or a minus. Returns its end, or 0. */
export function readNumber(p: usize): usize {
  const start = p;
  let c = <u32>load<u8>(p);
  const negative = c == 45;
  if (negative) c = load<u8>(++p);
  const digits = p;
  if (c - 48 >= 10) return fail(JSON_NUMBER, p);
  if (c == 48) c = load<u8>(++p);
  else do c = load<u8>(++p); while (c - 48 < 10);
  const whole = <i32>(p - digits);
  if (c != 46 && (c | 32) != 101) {
    if (c - 48 < 10) return fail(JSON_NUMBER, p); // a leading zero
    if (whole <= ALWAYS_SHORTEST) {
      if (!negative || load<u8>(digits) != 48) return asIs(start, p);
      text = ZERO; // -0
      textLength = 1;
      return p;
    }
  }
  if (c == 46) {
    const fraction = ++p;
    c = load<u8>(p);
    if (c - 48 >= 10) return fail(JSON_NUMBER, p);
    do c = load<u8>(++p); while (c - 48 < 10);
    if ((c | 32) != 101 && load<u8>(p - 1) != 48 && whole + <i32>(p - fraction) <= ALWAYS_SHORTEST) {
      if (load<u8>(digits) != 48) return asIs(start, p);
      // From 1e-7 down, ECMAScript writes an exponent.
      let zeros = fraction;
      while (load<u8>(zeros) == 48) zeros++;
      if (zeros < fraction + 6) return asIs(start, p);
    }
  }
  if ((c | 32) == 101) {
    c = load<u8>(++p);
    if (c == 45 || c == 43) c = load<u8>(++p);
    if (c - 48 >= 10) return fail(JSON_NUMBER, p);
    do c = load<u8>(++p); while (c - 48 < 10);
  }
  return convert(start, digits, p, <usize>whole);
}

/** Converts through the double: the slow path for the few tokens that are not canonical by their spelling alone. */
function convert(start: usize, digits: usize, end: usize, whole: usize): usize {
  const bits = readDouble(digits, end);
  if (bits == INFINITY) return fail(JSON_OVERFLOW, start);
  if (bits >= UNSAFE && digits + whole == end) warn(WARN_INTEGER, start);
  if (!bits) {
    if (!isZero(digits, end)) warn(WARN_UNDERFLOW, start);
    text = ZERO;
    textLength = 1;
    return end;
  }
  const to = top();
  if (!room(to, 64)) return fail(NO_MEMORY, start);
  const sign = <u64>(digits != start) << 63;
  const length = <u32>(formatDouble(to, bits | sign) - to);
  const source = <u32>(end - start);
  if (length == source && sameBytes(to, start, length)) return asIs(start, end);
  if (length > source) growth += length - source;
  text = to;
  textLength = length;
  setTop(to + length);
  return end;
}

/** True when all digits before the exponent are 0. */
function isZero(p: usize, end: usize): bool {
  for (; p < end; p++) {
    const c = load<u8>(p);
    if ((c | 32) == 101) return true;
    if (c != 48 && c != 46) return false;
  }
  return true;
}
