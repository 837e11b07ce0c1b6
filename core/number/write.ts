// ECMAScript's Number::toString (https://tc39.es/ecma262/#sec-numeric-types-number-tostring), which RFC 8785 section
// 3.2.2.3 requires. Its k is the number of digits, n the position of the decimal point.

import { digits, exponent, shortest } from "./shortest";

const ZEROS: u64 = 0x3030303030303030; // eight times '0'
const POINT: u8 = 0x2e;

/** The digits, one per byte, followed by zeros. */
const DIGITS: usize = memory.data(48, 8);

/**
 * Writes the finite double with these bits; returns the end of the text, at most 25 bytes on. May overwrite up to 32
 * bytes after the end.
 */
export function formatDouble(to: usize, bits: u64): usize {
  if (bits >> 63) {
    bits &= 0x7fffffffffffffff;
    if (bits) store<u8>(to++, 0x2d);
  }
  if (!bits) {
    store<u8>(to, 0x30);
    return to + 1;
  }
  shortest(bits);

  // Seventeen digits for every number: eight, eight and one.
  let d = digits, n = exponent + 17;
  if (d < 1000000000000000) {
    if (d < 1000000000) { d *= 100000000; n -= 8; }
    if (d < 10000000000000) { d *= 10000; n -= 4; }
    if (d < 1000000000000000) { d *= 100; n -= 2; }
    if (d < 1000000000000000) { d *= 100; n -= 2; }
  }
  if (d < 10000000000000000) { d *= 10; n--; }
  const upper = d / 1000000000, rest = d - upper * 1000000000, lower = rest / 10;
  const last = rest - lower * 10;
  const a = eightDigits(upper), b = eightDigits(lower);

  // A trailing zero digit is a zero byte at the top of its word.
  const k = last ? 17 : b ? 16 - <i32>(clz(b) >> 3) : 8 - <i32>(clz(a) >> 3);
  store<u64>(DIGITS, a | ZEROS);
  store<u64>(DIGITS, b | ZEROS, 8);
  store<u64>(DIGITS, last | ZEROS, 16);
  if (n > 21 || n < -5) return scientific(to, k, n);
  if (n <= 0) {
    store<u64>(to, ZEROS ^ 0x1e00); // "0." and six zeros
    to += 2 - n;
    n = k;
  }
  copyDigits(to, 0);
  if (n >= k) return to + n;
  copyDigits(to + n + 1, n);
  store<u8>(to + n, POINT);
  return to + k + 1;
}

/** Writes the digits from the n-th on; always 24 bytes. */
function copyDigits(to: usize, n: i32): void {
  const from = DIGITS + n;
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
  store<u64>(to, load<u64>(from, 16), 16);
}

/**
 * The decimal digits of a number below 10^8, one per byte, the first one lowest: splits into two parts, then four, then
 * eight.
 */
// @ts-ignore: decorator
@inline function eightDigits(x: u64): u64 {
  // Each step replaces the numbers by their quotients, with the remainders above them: r << w | q = (x << w) - q * (d
  // << w) + q.
  const fours = (x << 32) - (x * 109951163 >> 40) * ((10000 << 32) - 1);
  const twos = (fours << 16) - (fours * 5243 >> 19 & 0x0000007f0000007f) * ((100 << 16) - 1);
  return (twos << 8) - (twos * 103 >> 10 & 0x000f000f000f000f) * ((10 << 8) - 1);
}

function scientific(to: usize, k: i32, n: i32): usize {
  copyDigits(to + 2, 1);
  store<u16>(to, <u16>(<u32>load<u8>(DIGITS) | <u32>POINT << 8));
  to += k > 1 ? k + 1 : 1;
  let e = <u32>(n - 1);
  let sign: u16 = 0x2b65; // "e+"
  if (n < 1) {
    e = -e;
    sign = 0x2d65; // "e-"
  }
  store<u16>(to, sign);
  to += 2;
  if (e >= 100) {
    store<u8>(to++, <u8>(e / 100) | 0x30);
    e %= 100;
  } else if (e < 10) {
    store<u8>(to, <u8>e | 0x30);
    return to + 1;
  }
  store<u16>(to, <u16>(e / 10 | e % 10 << 8 | 0x3030));
  return to + 2;
}
