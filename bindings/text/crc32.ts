// CRC-32 as in ZIP (APPNOTE 6.3.10 section 4.4.7): eight tables, so that each turn takes eight bytes.

let tables: Int32Array | undefined

function makeTables(): Int32Array {
  const made = new Int32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0)
    made[byte] = rest
  }
  for (let i = 256; i < made.length; i++) made[i] = (made[i - 256]! >>> 8) ^ made[made[i - 256]! & 255]!
  return made
}

/** The checksum of bytes, from 0 to 0xffffffff. */
export function crc32(bytes: Uint8Array): number {
  tables ??= makeTables()
  const t = tables
  const whole = bytes.length & ~7
  let [sum, i] = [-1, 0]
  for (; i < whole; i += 8) {
    const low = sum ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24))
    sum =
      t[1792 + (low & 255)]! ^
      t[1536 + ((low >>> 8) & 255)]! ^
      t[1280 + ((low >>> 16) & 255)]! ^
      t[1024 + (low >>> 24)]! ^
      t[768 + bytes[i + 4]!]! ^
      t[512 + bytes[i + 5]!]! ^
      t[256 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!
  }
  for (; i < bytes.length; i++) sum = (sum >>> 8) ^ t[(sum ^ bytes[i]!) & 255]!
  return ~sum >>> 0
}
