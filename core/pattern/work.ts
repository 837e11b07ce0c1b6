// The budget for matching one subject. A step visits a node or token, or compares some bytes: 3 to 10 ns.

/** Far more than any set and subject take unless they are made to be slow; one to three seconds. */
const MOST_STEPS: i32 = 1 << 28;

let left: i32 = 0;

export function refill(): void { left = MOST_STEPS; }

/** Takes `steps`, fewer than 2^30, from the remaining ones. False when there were fewer. */
export function spend(steps: u32): bool {
  if (left >= 0) left -= <i32>steps;
  return left >= 0;
}
