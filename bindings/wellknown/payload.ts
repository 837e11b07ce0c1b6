import { canonicalizeWithout } from '../core/json.ts'
import type { Document } from '../document/document.ts'

/** The proof is in the block of the key, as in the draft. Some implementations put it next to that. */
export const PROOF = '/identity/publicKey/proof'
const PROOFS = [PROOF, '/identity/proof']

/** The signed bytes: the canonical form of the document's text, without the proof. */
export function payloadOf(document: Document): Uint8Array<ArrayBuffer> {
  // No limit here: parsing has limited the depth of the document.
  return canonicalizeWithout(document.bytes, PROOFS, { maxDepth: 0xffffffff }).payload
}
