/**
 * Synchronous SHA-256, for code that cannot wait for the asynchronous `crypto.subtle`.
 * @module
 */
import { type Instance, instance } from './instance.ts'

export const DIGEST_BYTES = 32

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
  return copyOf(core, core.exports.sha256(length))
}

const copyOf = (core: Instance, length: number) => core.copy(core.word(0), length)

/** Copies of messages that are hashed at once, four in the time of little more than one. Each begins with a byte. */
export class MessageBatch {
  #bytes = new Uint8Array(0)
  #end = 0
  #size = 0

  /** The number of messages. */
  get size(): number {
    return this.#size
  }

  /** The bytes that the messages take. */
  get length(): number {
    return this.#end
  }

  add(first: number, rest: Uint8Array): void {
    const length = 1 + rest.length
    const at = this.#end
    // Behind its length, a message has room for its padding (docs/guide/abi.md).
    this.#end += 4 + ((length + 72) & ~63)
    if (this.#end > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#end)
      larger.set(this.#bytes.subarray(0, at))
      this.#bytes = larger
    }
    const bytes = this.#bytes
    for (let i = 0; i < 4; i++) bytes[at + i] = length >>> (8 * i)
    bytes[at + 4] = first
    bytes.set(rest, at + 5)
    this.#size++
  }

  /** The digests of all messages, one behind the other. The batch is empty afterwards. */
  digests(): Uint8Array<ArrayBuffer> {
    const isOne = this.#size === 1
    const messages = this.#bytes.subarray(0, this.#end)
    this.#end = this.#size = 0
    // One message in the lanes takes a third longer than alone.
    if (isOne) return sha256(messages.subarray(4, 4 + new DataView(messages.buffer).getUint32(0, true)))
    const core = instance()
    const length = core.write(messages)
    const digestLength = core.exports.sha256Each(length)
    core.renew()
    if (digestLength < 0) throw new RangeError('the host gives the core no more memory')
    return copyOf(core, digestLength)
  }
}
