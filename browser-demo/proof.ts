import type { Proof } from '../bindings/frame/source.ts'
import * as engine from './engine.ts'
import type { Examination } from './examine.ts'

const proofs = new WeakMap<Examination, Promise<Proof>>()

/** Verifies the signature of a document with the keys in the document itself; fetches nothing. */
export function proofOf(examination: Examination): Promise<Proof> {
  let proof = proofs.get(examination)
  if (proof === undefined) {
    proof = engine.verify(examination.document!)
    proofs.set(examination, proof)
    // A script that did not load may load the next time.
    proof.catch(() => proofs.delete(examination))
  }
  return proof
}
