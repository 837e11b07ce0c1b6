// Number tokens: checks them (RFC 8259 section 6) and finds their canonical text (RFC 8785 section 3.2.2.3).

import { room, setTop, top, sameBytes } from "../arena";
import { JSON_NUMBER, JSON_OVERFLOW, NO_MEMORY } from "../faults";
import { shortenDouble, shortestDigits, shortestExponent, writeShortest } from "../number/write";
import { digitsEnd, lastDigits, lastExponent, readDouble, TENS } from "../number/read";
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
/** 1e-6, the least number without an exponent in ECMAScript. */
const MILLIONTH: u64 = 0x3eb0c6f7a0b5ed8d;
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
  p = c == 48 ? p + 1 : digitsEnd(p + 1);
  c = load<u8>(p);
  const whole = <i32>(p - digits);
  let fractionEnd = p;
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
    fractionEnd = p = digitsEnd(p + 1);
    c = load<u8>(p);
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
    p = digitsEnd(p + 1);
  }
  return convert(start, digits, digits + whole, fractionEnd, p);
}

/** Converts through the double: the slow path for the few tokens that are not canonical by their spelling alone. */
function convert(start: usize, digits: usize, whole: usize, fraction: usize, end: usize): usize {
  const bits = readDouble(digits, whole, fraction, end);
  if (bits == INFINITY) return fail(JSON_OVERFLOW, start);
  if (bits >= UNSAFE && whole == end) warn(WARN_INTEGER, start);
  if (!bits) {
    if (!isZero(digits, end)) warn(WARN_UNDERFLOW, start);
    text = ZERO;
    textLength = 1;
    return end;
  }
  shortenDouble(bits);
  // Most long tokens are the shortest ones already: compares the digits, which costs less than writing them.
  const zeros = <u32>(lastExponent() - shortestExponent());
  if (fraction == end && whole < end && load<u8>(end - 1) != 48 && bits >= MILLIONTH) {
    if (zeros < 3 && lastDigits() * load<u32>(TENS + (<usize>zeros << 2)) == shortestDigits()) return asIs(start, end);
  }
  const to = top();
  if (!room(to, 64)) return fail(NO_MEMORY, start);
  if (digits != start) store<u8>(to, 45);
  const length = <u32>(writeShortest(to + usize(digits != start)) - to);
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
