// The bytes that are signed. The six fields of section 7.2.5 begin with a UUID, strict ones with a line of our own. So
// they can never equal the bytes of another protocol that signs with the same key.
import { canonicalizeWithout } from '../core/json.ts'
import { canonicalizeValue } from '../core/value.ts'
import type { Document } from '../document/parse.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { sha256 } from '../wasm/sha256.ts'
import { type Draft, MESSAGE_DEPTH } from './message.ts'

const STRICT_LINE = 'blazon/strict/1\n'

const encoder = new TextEncoder()

/**
 * Returns the bytes that the signature of a message covers (section 7.2.5).
 *
 * @example
 * new TextDecoder().decode(signingBytes(draft)) // '7f0c…\nagent:alice.example.com\n…'
 *
 * @throws {RangeError} when one of the first five fields has a line feed, because another message would have the same
 * bytes.
 */
export function signingBytes({ id, from, to, type, timestamp, body }: Draft): Uint8Array<ArrayBuffer> {
  const lines = [id, from, to, type, timestamp]
  if (lines.some((line) => line.includes('\n'))) throw new RangeError('message: a signed field has a line feed')
  return encoder.encode([...lines, body.content].join('\n'))
}

/**
 * The bytes that the second signature covers: the whole message except both signatures, in canonical form, with its
 * number.
 */
export function strictBytes(message: Document | Draft): Uint8Array<ArrayBuffer> {
  const json = 'bytes' in message ? message.bytes : canonicalizeValue(message)
  const without = ['/signature', '/body/strict/signature']
  return withLine(canonicalizeWithout(json, without, { maxDepth: MESSAGE_DEPTH }).payload)
}

/** A digest of the message's content without its time. A message that is sent again has the same digest. */
export const messageDigest = ({ type, body }: Pick<Draft, 'type' | 'body'>): string =>
  encodeBase64url(sha256(encoder.encode(JSON.stringify([type, body.content, body.contentType, body.replyTo]))))

/**
 * True when the id was used for a different message. An id that was stored without a digest counts as the same message.
 */
export const saysOther = (digest: string | undefined, message: Draft): boolean =>
  digest !== undefined && digest !== messageDigest(message)

function withLine(canonical: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(STRICT_LINE.length + canonical.length)
  encoder.encodeInto(STRICT_LINE, bytes)
  bytes.set(canonical, STRICT_LINE.length)
  return bytes
}
