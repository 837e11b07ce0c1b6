// WebAssembly multiplies 64 by 64 bits to 64; conversions need the upper half as well.

/** The upper 64 bits of `a * b`. */
// @ts-ignore: decorator
@inline export function multiplyHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const middle = a1 * b0 + (a0 * b0 >> 32);
  const other = a0 * b1 + (middle & 0xffffffff);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}
