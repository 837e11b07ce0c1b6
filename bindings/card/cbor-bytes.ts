/** Compares encoded names by their bytes, as deterministic CBOR sorts them (RFC 8949 section 4.2.1). */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/**
 * Converts a single-precision float to the half-precision float of the same value, if there is one. Both are bit
 * patterns.
 */
export function halfOf(single: number): number | undefined {
  const sign = (single >>> 16) & 0x8000
  const exponent = ((single >>> 23) & 0xff) - 127
  const fraction = single & 0x7f_ffff
  if ((single & 0x7fff_ffff) === 0) return sign
  if (exponent >= -14 && exponent <= 15) {
    return (fraction & 0x1fff) === 0 ? sign | ((exponent + 15) << 10) | (fraction >>> 13) : undefined
  }
  // Subnormal numbers: the leading bit is stored explicitly, and the low bits of the fraction are dropped.
  const dropped = -1 - exponent
  const whole = fraction | 0x80_0000
  if (exponent < -24 || exponent > 15 || (whole & ((1 << dropped) - 1)) !== 0) return undefined
  return sign | (whole >>> dropped)
}
