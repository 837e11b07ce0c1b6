// The powers of ten that writing and reading share: for each 10^k the upper 128 bits of 5^k, truncated and normalized
// so that the top bit is set. The power of two in 10^k is handled with the exponents.
//
// 667 entries of 16 bytes (lower half, upper half). They are computed on first use, in about 0.05 ms, into memory that
// is zero in the module, so the 10,672 bytes add nothing to its size.

import { BIG_BYTES, bigOverFive, bigScale, bigSet, bigShift, bigUpper } from "./big";

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
