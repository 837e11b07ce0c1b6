import { canonicalizeWithout } from '../core/json.ts'
import type { Document } from '../document/document.ts'

/** Where the draft puts the proof: in the block of the key. Some put it beside that. */
export const PROOF = '/identity/publicKey/proof'
const PROOFS = [PROOF, '/identity/proof']

/** What is signed: all of the document but the proof, in canonical form, from the bytes. */
export function payloadOf(document: Document): Uint8Array<ArrayBuffer> {
  // The document was read within a limit of depth of its own.
  return canonicalizeWithout(document.bytes, PROOFS, { maxDepth: 0xffffffff }).payload
}
