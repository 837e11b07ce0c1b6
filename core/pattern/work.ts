// The budget for matching one subject. A step visits a node or token, or compares some bytes: 3 to 10 ns.

/** One to three seconds: far more than any set and subject need unless they are hostile. */
const MOST_STEPS: i32 = 1 << 28;

let left: i32 = 0;

export function refill(): void { left = MOST_STEPS; }

/** Charges `steps`, fewer than 2^30, to the budget. False when the budget is exhausted. */
export function spend(steps: u32): bool {
  if (left >= 0) left -= <i32>steps;
  return left >= 0;
}
