// Natural numbers of up to 4,096 bits in static memory, for decisions that need more than 64 bits.
//
//   0: number of 32-bit limbs (u32) | 4: five limbs that are always zero | 24: the limbs, least significant first
//
// The top limb is never zero. The zero limbs let `bigUpper` read below the first limb.

const LIMBS: usize = 24;

/** The size of a number in bytes: 128 limbs. Each caller explains why its numbers fit. */
export const BIG_BYTES: i32 = 24 + 4 * 128;

// @ts-ignore: decorator
@inline function count(n: usize): i32 { return load<i32>(n); }

// @ts-ignore: decorator
@inline function limb(n: usize, i: i32): usize { return n + LIMBS + (<usize>i << 2); }

/** Sets `n` to a positive value. */
export function bigSet(n: usize, value: u64): void {
  store<u64>(n, value, LIMBS);
  store<i32>(n, value >> 32 ? 2 : 1);
}

/** `n = n * factor + addend`. */
export function bigScale(n: usize, factor: u32, addend: u32): void {
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
export function bigTimesFive(n: usize, power: i32): void {
  for (; power >= 13; power -= 13) bigScale(n, 1220703125, 0);
  let rest: u32 = 1;
  for (; power > 0; power--) rest *= 5;
  bigScale(n, rest, 0);
}

/** `n = n / 5`, rounded down; `n` must be greater than 5. */
export function bigOverFive(n: usize): void {
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
export function bigShift(n: usize, bits: i32): void {
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
export function bigCompare(a: usize, b: usize): i32 {
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
export function bigUpper(n: usize, to: usize): void {
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
