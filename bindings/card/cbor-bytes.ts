/** The order of bytes: of names in deterministic CBOR (RFC 8949 section 4.2.1), with their heads. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** The half-precision float that is the same number as a single-precision one, if there is one; both as their bits. */
export function halfOf(single: number): number | undefined {
  const sign = (single >>> 16) & 0x8000
  const exponent = ((single >>> 23) & 0xff) - 127
  const fraction = single & 0x7f_ffff
  if ((single & 0x7fff_ffff) === 0) return sign
  if (exponent >= -14 && exponent <= 15) {
    return (fraction & 0x1fff) === 0 ? sign | ((exponent + 15) << 10) | (fraction >>> 13) : undefined
  }
  // Below the normal ones: the leading bit is written out, and so many bits of the fraction are left.
  const dropped = -1 - exponent
  const whole = fraction | 0x80_0000
  if (exponent < -24 || exponent > 15 || (whole & ((1 << dropped) - 1)) !== 0) return undefined
  return sign | (whole >>> dropped)
}
