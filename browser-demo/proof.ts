import type { Proof } from '../bindings/frame/proof.ts'
import * as engine from './engine.ts'
import type { Examination } from './examine.ts'

const proofs = new WeakMap<Examination, Promise<Proof>>()

/** Verifies the signature of a definition or a card. Only keys in the document itself count: nothing is fetched. */
export function proofOf(examination: Examination): Promise<Proof> {
  let proof = proofs.get(examination)
  if (proof === undefined) {
    proof = engine.verify(examination.document!)
    proofs.set(examination, proof)
    // What did not load may do so the next time.
    proof.catch(() => proofs.delete(examination))
  }
  return proof
}
