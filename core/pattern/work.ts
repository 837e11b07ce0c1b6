// What matching one subject may cost. A step is a node or token looked at, or some bytes compared: 3 to 10 ns.

/** Far more than a set and a subject take that are not made to be slow; one to three seconds. */
const MOST_STEPS: i32 = 1 << 28;

let left: i32 = 0;

export function refill(): void { left = MOST_STEPS; }

/** Takes `steps`, fewer than 2^30, from what is left. False when there were fewer. */
export function spend(steps: u32): bool {
  if (left >= 0) left -= <i32>steps;
  return left >= 0;
}
