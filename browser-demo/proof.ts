import type { Proof } from '../bindings/document/proof.ts'
import type { Examination } from './examine.ts'
import { engine } from './parts.ts'

const proofs = new WeakMap<Examination, Promise<Proof>>()

/** What the signature of a definition or a card proves. Only keys in the document itself count: nothing is fetched. */
export function proofOf(examination: Examination): Promise<Proof> {
  let proof = proofs.get(examination)
  if (proof === undefined) {
    proof = engine.verify(examination.document!)
    proofs.set(examination, proof)
  }
  return proof
}
