// Decides which of two neighbouring doubles is closer to a decimal of any length. Compares the decimal with the
// midpoint of the two, as whole numbers. W. D. Clinger, "How to read floating point numbers accurately" (1990), section
// 4; D. Lemire, "Number parsing at a gigabyte per second" (2021), section 11.

import { BIG_BYTES, bigCompare, bigScale, bigSet, bigShift, bigTimesFive } from "./big";

// No midpoint of two doubles has more than 768 digits, so of the digits after the 800th it matters only whether any is
// not zero. The smallest midpoint, 2^-1075, determines the size: 801 digits from there are 5^1125 or 2,613 bits, times
// 54 bits. Both sides are about as large, which also bounds the shift.
const MOST_DIGITS = 800;
const DECIMAL: usize = memory.data(BIG_BYTES, 16);
const MIDDLE: usize = memory.data(BIG_BYTES, 16);

/**
 * Returns the bits of the double closest to a long decimal. `w` is the number of its first 19 digits, and the other
 * digits begin at `rest`; the decimal is `w` times 10^`exponent` or a little more. `lower` is the closest double to `w`
 * times 10^`exponent`, or the one below.
 */
export function closest(w: u64, exponent: i32, rest: usize, lower: u64): u64 {
  bigSet(DECIMAL, w);
  exponent -= readDigits(rest);

  const biased = <i32>(lower >> 52);
  const fraction = lower & 0xfffffffffffff;
  bigSet(MIDDLE, (biased ? fraction | 1 << 52 : fraction) << 1 | 1);
  const binary = max(biased, 1) - 1076;

  // Compares DECIMAL * 10^exponent with MIDDLE * 2^binary without a division.
  if (exponent < 0) bigTimesFive(MIDDLE, -exponent);
  else bigTimesFive(DECIMAL, exponent);
  const shift = exponent - binary;
  if (shift > 0) bigShift(DECIMAL, shift);
  else bigShift(MIDDLE, -shift);

  const order = bigCompare(DECIMAL, MIDDLE);
  return lower + u64(order > 0 || (order == 0 && <bool>(lower & 1)));
}

/** Appends the digits from `p` to DECIMAL, nine at a time; returns the number of digits. */
function readDigits(p: usize): i32 {
  let taken = 0;
  let chunk: u32 = 0, scale: u32 = 1;
  for (; taken < MOST_DIGITS - 19; p++) {
    const c = <u32>load<u8>(p) - 0x30;
    if (c < 10) {
      chunk = chunk * 10 + c;
      scale *= 10;
      taken++;
      if (scale == 1000000000) {
        bigScale(DECIMAL, scale, chunk);
        chunk = 0;
        scale = 1;
      }
    } else if (c != <u32>(0x2e - 0x30)) {
      break;
    }
  }
  bigScale(DECIMAL, scale, chunk);
  for (; ; p++) {
    const c = <u32>load<u8>(p) - 0x30;
    if (c > 9 && c != <u32>(0x2e - 0x30)) return taken;
    if (c - 1 < 9) break;
  }
  bigScale(DECIMAL, 10, 1);
  return taken + 1;
}
