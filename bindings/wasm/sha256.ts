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
  const core = instance()
  const length = core.exports.sha256(core.write(bytes))
  return core.copy(core.word(0), length)
}
