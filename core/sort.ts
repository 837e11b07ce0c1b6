/** True when `a` sorts before `b`. No two items may be equal: as a last resort, compare addresses. */
export type Precedes = (a: usize, b: usize) => bool;

// @ts-ignore: decorator
@inline function at(list: usize, i: u32): usize { return list + (<usize>i << 2); }

/** Sorts `n` addresses in place with a heap. It only compares, so no input can make it slow, unlike a hash table. */
export function sortAddresses(list: usize, n: u32, precedes: Precedes): void {
  let root = n >> 1;
  while (n > 1) {
    let item: u32;
    if (root) item = load<u32>(at(list, --root));
    else {
      item = load<u32>(at(list, --n));
      store<u32>(at(list, n), load<u32>(list));
    }
    sink(list, n, root, item, precedes);
  }
}

/** Moves `item` down from `hole` to its place in the heap of `n` items. */
// @ts-ignore: decorator
@inline function sink(list: usize, n: u32, hole: u32, item: u32, precedes: Precedes): void {
  for (let child: u32; (child = hole * 2 + 1) < n; hole = child) {
    if (child + 1 < n && precedes(load<u32>(at(list, child)), load<u32>(at(list, child + 1)))) child++;
    if (!precedes(item, load<u32>(at(list, child)))) break;
    store<u32>(at(list, hole), load<u32>(at(list, child)));
  }
  store<u32>(at(list, hole), item);
}
