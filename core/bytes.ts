// Operations on short byte strings, eight bytes at a time. They read up to 7 bytes past the end of a string, where
// memory always exists.

/** The `n` low bytes of a word, for n from 1 to 8. */
// @ts-ignore: decorator
@inline export function lowBytes(n: usize): u64 { return <u64>-1 >> (64 - (<u64>n << 3)); }

/** True when the `n` bytes at `p` and `q` are equal. */
export function sameBytes(p: usize, q: usize, n: usize): bool {
  for (; n > 8; n -= 8) {
    if (load<u64>(p) != load<u64>(q)) return false;
    p += 8;
    q += 8;
  }
  return !n || !((load<u64>(p) ^ load<u64>(q)) & lowBytes(n));
}
