import { canonicalizeWithout } from '../core/json.ts'
import type { Document } from '../document/document.ts'

export const SIGNATURE = '/signature'

/** The signed bytes (Agent Card section 3.2): the canonical form of the card's text, without the signature. */
export function payloadOf(document: Document): Uint8Array<ArrayBuffer> {
  // No limit here: parsing has limited the depth of the card.
  return canonicalizeWithout(document.bytes, [SIGNATURE], { maxDepth: 0xffffffff }).payload
}
