// Natural numbers of up to 4,096 bits in static memory, for decisions that need more than 64 bits.
//
//   0: number of 32-bit limbs (u32) | 4: five limbs that are always zero | 24: the limbs, least significant first
//
// The top limb is never zero. The zero limbs let `bigUpper` read below the first limb.

const LIMBS: usize = 24;

/** The size of a number in bytes: 128 limbs. Each caller explains why its numbers fit. */
const BIG_BYTES: i32 = 24 + 4 * 128;

// @ts-ignore: decorator
@inline function count(n: usize): i32 { return load<i32>(n); }

// @ts-ignore: decorator
@inline function limb(n: usize, i: i32): usize { return n + LIMBS + (<usize>i << 2); }

/** Sets `n` to a positive value. */
function bigSet(n: usize, value: u64): void {
  store<u64>(n, value, LIMBS);
  store<i32>(n, value >> 32 ? 2 : 1);
}

/** `n = n * factor + addend`. */
function bigScale(n: usize, factor: u32, addend: u32): void {
  let carry = <u64>addend;
  const end = limb(n, count(n));
  for (let p = n + LIMBS; p < end; p += 4) {
    carry += <u64>load<u32>(p) * factor;
    store<u32>(p, <u32>carry);
    carry >>= 32;
  }
  if (carry) {
    store<u32>(end, <u32>carry);
    store<i32>(n, count(n) + 1);
  }
}

/** `n = n * 5^power`, using the largest power of five that fits a limb. */
function bigTimesFive(n: usize, power: i32): void {
  for (; power >= 13; power -= 13) bigScale(n, 1220703125, 0);
  let rest: u32 = 1;
  for (; power > 0; power--) rest *= 5;
  bigScale(n, rest, 0);
}

/** `n = n / 5`, rounded down; `n` must be greater than 5. */
function bigOverFive(n: usize): void {
  let rest: u64 = 0;
  for (let p = limb(n, count(n) - 1); p >= n + LIMBS; p -= 4) {
    const x = rest << 32 | <u64>load<u32>(p);
    const quotient = x / 5;
    store<u32>(p, <u32>quotient);
    rest = x - quotient * 5;
  }
  if (!load<u32>(limb(n, count(n) - 1))) store<i32>(n, count(n) - 1);
}

/** `n = n * 2^bits`. */
function bigShift(n: usize, bits: i32): void {
  const whole = bits >> 5, part = <u64>(bits & 31);
  let above: u64 = 0;
  for (let i = count(n) - 1; i >= 0; i--) {
    const x = <u64>load<u32>(limb(n, i)) << part;
    store<u32>(limb(n, i + whole + 1), <u32>(above | x >> 32));
    above = x & 0xffffffff;
  }
  store<u32>(limb(n, whole), <u32>above);
  memory.fill(n + LIMBS, 0, <usize>whole << 2);
  const top = count(n) + whole;
  store<i32>(n, top + i32(load<u32>(limb(n, top)) != 0));
}

/** Negative, zero or positive when `a` is less than, equal to or greater than `b`. */
function bigCompare(a: usize, b: usize): i32 {
  if (count(a) != count(b)) return count(a) - count(b);
  for (let i = count(a) - 1; i >= 0; i--) {
    const x = load<u32>(limb(a, i)), y = load<u32>(limb(b, i));
    if (x != y) return x > y ? 1 : -1;
  }
  return 0;
}

/**
 * Stores the upper 128 bits of `n`, normalized so that the top bit is set: the lower half at `to`, then the upper half.
 */
function bigUpper(n: usize, to: usize): void {
  const p = limb(n, count(n));
  const z = <u64>clz(load<u32>(p - 4)), beside = 64 - z;
  let high = load<u64>(p - 8), low = load<u64>(p - 16);
  if (z) {
    high = high << z | low >> beside;
    low = low << z | <u64>load<u32>(p - 20) << 32 >> beside;
  }
  store<u64>(to, low);
  store<u64>(to, high, 8);
}

// Decides which of two neighbouring doubles is closer to a decimal of any length. Compares the decimal with the
// midpoint of the two, as whole numbers. W. D. Clinger, "How to read floating point numbers accurately" (1990), section
// 4; D. Lemire, "Number parsing at a gigabyte per second" (2021), section 11.

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
function closest(w: u64, exponent: i32, rest: usize, lower: u64): u64 {
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

// The powers of ten that writing and reading share: for each 10^k the upper 128 bits of 5^k, truncated and normalized
// so that the top bit is set. The power of two in 10^k is handled with the exponents.
//
// 667 entries of 16 bytes (lower half, upper half). They are computed on first use, in about 0.05 ms, into memory that
// is zero in the module, so the 10,672 bytes add nothing to its size.

const LEAST: i32 = -342;
const GREATEST: i32 = 324;
const TABLE: usize = memory.data(667 * 16, 16);
const WORK: usize = memory.data(BIG_BYTES, 16);
let built = false;

/** The address of the entry for 10^k, k from -342 to 324. */
// @ts-ignore: decorator
@inline export function power(k: i32): usize {
  if (!built) build();
  return TABLE + (<usize>(k - LEAST) << 4);
}

// Every entry is exact. 5^324 has 753 bits and is computed in full. Rounding 2^960 down after each division by five
// gives the same result as rounding 2^960 / 5^-k once, which has at least 165 bits for every k here.
function build(): void {
  bigSet(WORK, 1);
  for (let k = 0; k <= GREATEST; k++) {
    bigUpper(WORK, TABLE + (<usize>(k - LEAST) << 4));
    bigScale(WORK, 5, 0);
  }
  bigSet(WORK, 1);
  bigShift(WORK, 960);
  for (let k = -1; k >= LEAST; k--) {
    bigOverFive(WORK);
    bigUpper(WORK, TABLE + (<usize>(k - LEAST) << 4));
  }
  built = true;
}

// WebAssembly multiplies 64 by 64 bits to 64; conversions need the upper half as well.

/** The upper 64 bits of `a * b`. */
// @ts-ignore: decorator
@inline export function multiplyHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const middle = a1 * b0 + (a0 * b0 >> 32);
  const other = a0 * b1 + (middle & 0xffffffff);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

// The double closest to a decimal, ties to even. D. Lemire, "Number parsing at a gigabyte per second" (2021). N.
// Mushtak and D. Lemire, "Fast number parsing without fallback" (2023) proves that 128 bits of the power always suffice
// when the digits fit 64 bits.

const INFINITY: u64 = 0x7ff0000000000000;

/** An exponent this large decides alone; no input has enough digits to compensate for it. */
const HUGE_EXPONENT: i32 = 1000000000;

// Digits, eight at a time.

/** 10^0 to 10^7. */
export const TENS: usize = memory.data<u32>([1, 10, 100, 1000, 10000, 100000, 1000000, 10000000]);

/** The first byte from `p` that is not a digit. */
// @ts-ignore: decorator
@inline export function digitsEnd(p: usize): usize {
  if (ASC_FEATURE_SIMD) {
    for (;;) {
      const mask = i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(p), i8x16.splat(48)), i8x16.splat(9)));
      if (mask) return p + ctz(mask);
      p += 16;
    }
  } else {
    for (;;) {
      const v = load<u64>(p);
      // Digits have the upper half 3, also after adding 6. A carry disturbs only bytes after one that is not a digit.
      const other = ((v ^ 0x3030303030303030) | ((v + 0x0606060606060606) ^ 0x3030303030303030)) & 0xf0f0f0f0f0f0f0f0;
      if (other) return p + <usize>(ctz(other) >> 3);
      p += 8;
    }
  }
  return p;
}

/** The value of eight digits, the first one in the lowest byte: joins pairs, then fours, then eight. */
// @ts-ignore: decorator
@inline function eightDigits(v: u64): u64 {
  v = (v & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
  v = (v & 0x00ff00ff00ff00ff) * 6553601 >> 16;
  return (v & 0x0000ffff0000ffff) * 42949672960001 >> 32;
}

/** The first significant digits, at most 19, which fit 64 bits, and their number. */
let w: u64 = 0;
let kept: usize = 0;
/** The power of ten to multiply `w` by. */
let exponent: i32 = 0;

/** `w` of the last number, if it holds all digits and these are at most 17; otherwise 0. */
// @ts-ignore: decorator
@inline export function lastDigits(): u64 { return kept <= 17 ? w : 0; }
// @ts-ignore: decorator
@inline export function lastExponent(): i32 { return exponent; }

/** Appends digits in [p, end) to `w`; returns where it stopped, because `w` is full or at `end`. */
function keepDigits(p: usize, end: usize): usize {
  if (!kept) while (p < end && load<u8>(p) == 0x30) p++;
  end = min(end, p + 19 - kept);
  kept += end - p;
  for (; p + 8 <= end; p += 8) w = w * 100000000 + eightDigits(load<u64>(p));
  const rest = end - p;
  // Zero bytes before the digits count as leading zeros.
  if (rest) w = w * load<u32>(TENS + (rest << 2)) + eightDigits(load<u64>(p) << (64 - (<u64>rest << 3)));
  return end;
}

/**
 * Returns the bits of the double closest to the unsigned JSON number in [`p`, `end`), whose grammar has been checked:
 * infinity when it is too large, zero when it is too small. Its first digits end at `whole`, and those after the point,
 * if there is one, at `fraction`. The byte at `end` cannot continue a number.
 */
export function readDouble(p: usize, whole: usize, fraction: usize, end: usize): u64 {
  w = 0;
  kept = 0;
  let rest = keepDigits(p, whole); // where the digits begin that `w` leaves out
  exponent = <i32>(whole - rest);
  if (fraction > whole) {
    const stop = keepDigits(whole + 1, fraction);
    if (rest == whole) {
      rest = stop;
      exponent = <i32>(whole + 1 - stop);
    }
  }
  let more = false;
  for (let q = rest; q < fraction && !more; q++) more = load<u8>(q) != 0x30 && load<u8>(q) != 0x2e;
  if (fraction < end) exponent += readExponent(fraction + 1, end);
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
