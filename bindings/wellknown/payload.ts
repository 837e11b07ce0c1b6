import { canonicalizeWithout } from '../core/json.ts'
import type { Document } from '../document/document.ts'

/** The place of the proof by the draft: in the block of the key. Some put it beside that. */
export const PROOF = '/identity/publicKey/proof'
const PROOFS = [PROOF, '/identity/proof']

/** The bytes that are signed: all of the document but the proof, in canonical form, from its text. */
export function payloadOf(document: Document): Uint8Array<ArrayBuffer> {
  // The document was read within a limit of depth of its own.
  return canonicalizeWithout(document.bytes, PROOFS, { maxDepth: 0xffffffff }).payload
}
