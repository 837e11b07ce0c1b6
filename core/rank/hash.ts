// Hashes short byte strings. Reads up to 7 bytes past the end, where memory always exists.

import { lowBytes } from "../bytes";

let seedA: u32 = 0;
let seedB: u32 = 0;

/** Sets the secret key of the hash. Without it an attacker could write a card whose words all collide. */
export function seedHash(a: u32, b: u32): void {
  seedA = a;
  seedB = b;
}

/**
 * Mixes a secret into each half before multiplying, so that a change to one half cannot cancel a change to the other.
 */
// @ts-ignore: decorator
@inline export function hash(p: usize, n: usize, kind: u32): u32 {
  let a = seedA ^ <u32>n ^ (kind << 24);
  let b = seedB;
  for (; n > 8; n -= 8, p += 8) {
    const product = <u64>(a ^ load<u32>(p)) * <u64>(b ^ load<u32>(p, 4));
    a = <u32>product ^ seedB;
    b = <u32>(product >> 32) ^ seedA;
  }
  const rest = n ? load<u64>(p) & lowBytes(n) : 0;
  const product = <u64>(a ^ <u32>rest) * <u64>(b ^ <u32>(rest >> 32));
  const last = <u64>(<u32>product ^ 0x9e3779b9) * <u64>(<u32>(product >> 32) ^ 0x85ebca6b);
  return <u32>last ^ <u32>(last >> 32);
}
