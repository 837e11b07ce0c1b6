import { canonicalizeWithout } from '../core/json.ts'
import type { Document } from '../document/document.ts'

export const SIGNATURE = '/signature'

/** The bytes that are signed (Agent Card section 3.2): all of the card but the signature, in canonical form, from its text. */
export function payloadOf(document: Document): Uint8Array<ArrayBuffer> {
  // The card was read within a limit of depth of its own.
  return canonicalizeWithout(document.bytes, [SIGNATURE], { maxDepth: 0xffffffff }).payload
}
