// The shortest decimal that reads back as the same double; of several, the closest. R. Giulietti, "The Schubfach way to
// render doubles" (2020); names in parentheses are the paper's.

import { power } from "./powers";
import { multiplyHigh } from "./wide";

/** The result of `shortest`: 16 or 17 digits, fewer for whole numbers and subnormals; may have trailing zeros. */
export let digits: u64 = 0;
/** The power of ten to multiply `digits` by. */
export let exponent: i32 = 0;

/** Stores the decimal of a positive finite double in `digits` and `exponent`. */
export function shortest(bits: u64): void {
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
