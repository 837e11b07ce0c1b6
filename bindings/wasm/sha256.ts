/**
 * Synchronous SHA-256, for code that cannot wait for the asynchronous `crypto.subtle`.
 * @module
 */
import { instance } from './instance.ts'

/**
 * The SHA-256 digest of bytes (FIPS 180-4), 32 bytes long.
 *
 * @example
 * sha256(new TextEncoder().encode('abc')) // Uint8Array [0xba, 0x78, 0x16, 0xbf, ...]
 *
 * @throws {TypeError} when the argument is not a Uint8Array.
 * @throws {RangeError} beyond 256 MiB.
 */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes: expected a Uint8Array, got ${typeof bytes}`)
  return sha256Joined([bytes])
}

/** The digest of parts, one behind the other: they are joined where they are hashed. */
export function sha256Joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const core = instance()
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  let at = core.reserve(length)
  for (const part of parts) {
    core.bytes.set(part, at)
    at += part.length
  }
  const digestLength = core.exports.sha256(length)
  return core.copy(core.word(0), digestLength)
}
