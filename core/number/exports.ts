// The exports about numbers (docs/guide/abi.md).

import { reserve, RESULT, seal } from "../arena";
import { JSON_OVERFLOW, NO_MEMORY } from "../faults";
import { digitsEnd, readDouble } from "./read";
import { formatDouble } from "./write";

/**
 * Writes `x` as ECMAScript does. Begins a call of its own. Returns the length of the text, with its address in result
 * word 0; JSON_OVERFLOW for NaN and the infinities.
 */
export function formatNumber(x: f64): i32 {
  if (x - x != 0) return JSON_OVERFLOW;
  const to = reserve(0); // its padding is more than the text and the bytes that formatDouble overwrites after it
  if (!to) return NO_MEMORY;
  store<u32>(RESULT, <u32>to);
  return <i32>(formatDouble(to, reinterpret<u64>(x)) - to);
}

/** Reads the input, which must be exactly one JSON number. Returns NaN when it is not. */
export function readNumber(length: i32): f64 {
  const input = seal(length);
  const end = input + length;
  const negative = load<u8>(input) == 0x2d;
  const start = input + usize(negative);
  if (numberEnd(start) != end) return NaN;
  return reinterpret<f64>(readDouble(start, whole, fraction, end) | u64(negative) << 63);
}

/** The ends of the digits before and after the point. */
let whole: usize = 0, fraction: usize = 0;

/** The end of the unsigned JSON number at `p` (RFC 8259, section 6); 0 when there is no number. */
function numberEnd(p: usize): usize {
  p = whole = fraction = load<u8>(p) == 0x30 ? p + 1 : someDigits(p);
  if (p && load<u8>(p) == 0x2e) p = fraction = someDigits(p + 1);
  if (p && (load<u8>(p) | 0x20) == 0x65) {
    const sign = load<u8>(p, 1);
    p = someDigits(p + (sign == 0x2b || sign == 0x2d ? 2 : 1));
  }
  return p;
}

/** The end of the digits at `p`; 0 when there are none. */
function someDigits(p: usize): usize {
  const end = digitsEnd(p);
  return end > p ? end : 0;
}
