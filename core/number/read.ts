// The double closest to a decimal, ties to even. D. Lemire, "Number parsing at a gigabyte per second" (2021). N.
// Mushtak and D. Lemire, "Fast number parsing without fallback" (2023) proves that 128 bits of the power always suffice
// when the digits fit 64 bits.

import { closest } from "./exact";
import { power } from "./powers";
import { multiplyHigh } from "./wide";

const INFINITY: u64 = 0x7ff0000000000000;

/** An exponent this large decides alone; no input has enough digits to compensate for it. */
const HUGE_EXPONENT: i32 = 1000000000;

/**
 * Returns the bits of the double closest to the unsigned JSON number in [`p`, `end`), whose grammar has been checked:
 * infinity when it is too large, zero when it is too small. The byte at `end` cannot continue a number.
 */
export function readDouble(p: usize, end: usize): u64 {
  // The first 19 significant digits fit 64 bits; `rest` is where the others begin.
  let w: u64 = 0, kept = 0, rest: usize = 0;
  let exponent = 0, step = 0, more = false;
  for (; ; p++) {
    const c = <u32>load<u8>(p) - 0x30;
    if (c < 10) {
      if (kept < 19) {
        w = w * 10 + c;
        kept += i32(w != 0);
        exponent -= step;
        rest = p + 1;
      } else {
        more = more || c != 0;
        exponent += 1 - step;
      }
    } else if (c == <u32>(0x2e - 0x30)) {
      step = 1;
    } else {
      break;
    }
  }
  if (p < end) exponent += readExponent(p + 1, end);
  const lower = nearest(w, exponent);
  // The decimal lies between w and w + 1: if both round to the same double, so does the decimal.
  if (!more || lower == nearest(w + 1, exponent)) return lower;
  return closest(w, exponent, rest, lower);
}

function readExponent(p: usize, end: usize): i32 {
  const sign = load<u8>(p);
  if (sign == 0x2d || sign == 0x2b) p++;
  let x = 0;
  for (; p < end; p++) x = x < HUGE_EXPONENT / 10 ? x * 10 + (load<u8>(p) - 0x30) : HUGE_EXPONENT;
  return sign == 0x2d ? -x : x;
}

/** The bits of the double closest to `w` * 10^`q`. */
function nearest(w: u64, q: i32): u64 {
  if (!w || q < -342) return 0;
  if (q > 308) return INFINITY;
  const lz = clz(w);
  w <<= lz;
  const entry = power(q);
  let g1 = load<u64>(entry, 8), g0 = load<u64>(entry);
  if (<u32>(q + 27) < 27) { // the paper's table rounds 10^-27 to 10^-1 up, ours never rounds up
    g0++;
    g1 += u64(!g0);
  }
  let high = multiplyHigh(w, g1), low = w * g1;
  if ((high & 0x1ff) == 0x1ff) {
    const more = multiplyHigh(w, g0);
    low += more;
    high += u64(low < more);
  }

  const top = high >> 63;
  let m = high >> top + 9; // 54 bits: one more than a double holds
  let biased = (217706 * q >> 16) + <i32>top - <i32>lz + 1086;
  if (biased <= 0) {
    if (biased < -62) return 0;
    m >>= <u64>(1 - biased);
    return m + (m & 1) >> 1; // rounding up to 2^52 gives the smallest normal number
  }
  // An exact tie, which is possible only for these powers: rounds to even. (2021, section 6)
  if (low <= 1 && q >= -4 && q <= 23 && (m & 3) == 1 && m << top + 9 == high) m &= ~1;
  m = m + (m & 1) >> 1;
  if (m >> 53) {
    m >>= 1;
    biased++;
  }
  if (biased >= 0x7ff) return INFINITY;
  return (<u64>biased << 52) + (m & 0xfffffffffffff);
}
