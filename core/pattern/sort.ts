// Sorting by comparisons only: no input can make it slow, as it could a hash table that grows while it is filled.

/** True when `a` comes before `b`. */
export type Precedes = (a: usize, b: usize) => bool;

/** Sorts `n` addresses at `list`, with as much room behind for the merging. Stable. Returns where the result lies. */
export function sortAddresses(list: usize, n: u32, precedes: Precedes): usize {
  const end = list + (<usize>n << 2);
  let from = list, to = end;
  for (let width: u32 = 1; width < n; width <<= 1) {
    for (let low: u32 = 0; low < n; low += width << 1) {
      const middle = min(low + width, n);
      merge(from, to, low, middle, min(middle + width, n), precedes);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}

function merge(from: usize, to: usize, low: u32, middle: u32, high: u32, precedes: Precedes): void {
  let a = from + (<usize>low << 2), b = from + (<usize>middle << 2), out = to + (<usize>low << 2);
  const aEnd = b, bEnd = from + (<usize>high << 2);
  while (a < aEnd && b < bEnd) {
    const x = load<u32>(a), y = load<u32>(b);
    if (precedes(y, x)) {
      store<u32>(out, y);
      b += 4;
    } else {
      store<u32>(out, x);
      a += 4;
    }
    out += 4;
  }
  memory.copy(out, a, aEnd - a);
  memory.copy(out + (aEnd - a), b, bEnd - b);
}
