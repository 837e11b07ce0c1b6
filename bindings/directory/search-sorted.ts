/**
 * Returns the index of the first item, from `from` on, for which `isBefore` is false. All items before it must be true.
 */
export function searchSorted<Item>(sorted: readonly Item[], isBefore: (item: Item) => boolean, from = 0): number {
  let low = from
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1
    if (isBefore(sorted[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
