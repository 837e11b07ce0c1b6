// The shortest decimal that reads back as the same double; of several, the closest. R. Giulietti, "The Schubfach way to
// render doubles" (2020); names in parentheses are the paper's.
import { power, multiplyHigh } from "./read";

/** The result of `shortenDouble`: 16 or 17 digits, fewer for whole numbers and subnormals; may have trailing zeros. */
let digits: u64 = 0;
/** The power of ten to multiply `digits` by. */
let exponent: i32 = 0;

// @ts-ignore: decorator
@inline export function shortestDigits(): u64 { return digits; }
// @ts-ignore: decorator
@inline export function shortestExponent(): i32 { return exponent; }

/** Stores the decimal of a positive finite double in `digits` and `exponent`. */
export function shortenDouble(bits: u64): void {
  const fraction = bits & 0xfffffffffffff;
  const biased = <i32>(bits >> 52);
  const c = biased ? fraction | 1 << 52 : fraction;
  const q = max(biased, 1) - 1075;

  if (q <= 0 && q > -53 && !(c & (<u64>1 << -q) - 1)) { // a whole number up to 2^53
    digits = c >> -q;
    exponent = 0;
    return;
  }

  // A power of two is closer to its lower neighbour than to its upper one. (9.8.3, k and h)
  const uneven = !fraction && biased > 1;
  const k = q * 1262611 - (uneven ? 524031 : 0) >> 22;
  const h = <u64>(q + (-k * 1741647 >> 19) + 1);

  // 10^-k rounded up (g); the table's truncated entry is already exact for 10^0 to 10^55.
  const entry = power(-k);
  const up = u64(<u32>-k > 55);
  const g0 = load<u64>(entry) + up;
  const g1 = load<u64>(entry, 8) + (up & u64(!g0));

  // The double in quarters of 10^k is the upper word of g * 4c * 2^h. (9.9, v)
  const scaled = c << 2 + h;
  const v0 = g0 * scaled;
  const middle = g1 * scaled;
  const v1 = middle + multiplyHigh(g0, scaled);
  const v2 = multiplyHigh(g1, scaled) + u64(v1 < middle);
  const v = v2 | u64(v1 > 1);

  // The ends of the interval that rounds to the double are half its spacing, g * 2 * 2^h, away. Adding that to all 192
  // bits costs a fifth of the two multiplications in the paper. (vr, vl)
  const odd = c & 1;
  const right = h + 1;
  const r0 = g0 << right, r1 = g1 << right | g0 >> 64 - right, r2 = g1 >> 64 - right;
  const sum = v1 + r1;
  const carried = sum + u64(v0 + r0 < v0);
  const upper = (v2 + r2 + u64(sum < v1) + u64(carried < sum) | u64(carried > 1)) - odd;

  const left = uneven ? h : right;
  const l0 = g0 << left, l1 = g1 << left | g0 >> 64 - left, l2 = g1 >> 64 - left;
  const difference = v1 - l1;
  const borrowed = difference - u64(v0 < l0);
  const lower = (v2 - l2 - u64(v1 < l1) - u64(borrowed > difference) | u64(borrowed > 1)) + odd;

  // Tries one digit less, if that stays inside the interval; at most one of the two candidates does. (9.9.1)
  const s = v >> 2;
  const tens = s / 10;
  exponent = k;
  const tensUp = 40 * tens + 40 <= upper;
  if ((lower <= 40 * tens) != tensUp) {
    digits = 10 * (tens + u64(tensUp));
    return;
  }

  // Otherwise the candidate inside the interval, the closer of two, or, in a tie, the even one. The choice is
  // practically random: a branch instead of `select` costs 6 ns.
  const unitUp = 4 * s + 4 <= upper;
  const closer = v + (s & 1) > 4 * s + 2;
  digits = s + select<u64>(u64(unitUp), u64(closer), (lower <= 4 * s) != unitUp);
}

// ECMAScript's Number::toString (https://tc39.es/ecma262/#sec-numeric-types-number-tostring), which RFC 8785 section
// 3.2.2.3 requires. Its k is the number of digits, n the position of the decimal point.

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
  shortenDouble(bits);
  return writeShortest(to);
}

/** Writes the result of `shortenDouble`. Returns and overwrites as `formatDouble`. */
export function writeShortest(to: usize): usize {
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
