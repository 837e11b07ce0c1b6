import type { Proof } from '../../bindings/frame/source.ts'
import { EXIT } from '../exit.ts'

const TRUST_SIGNER = 'the signer is not known: give its key with --key, or --accept signer'

/** The result for a container, and the refusal of one with a step that neither passed nor is accepted by its name. */
export function judgeContainer(file: string, proof: Proof, accepted: readonly string[]) {
  const diagnostics = proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
  const result = { file, kind: 'container', valid: proof.verdict === 'verified', diagnostics, proof }
  const refused = proof.steps.filter(
    ({ name, outcome }) => outcome === 'failed' || (outcome === 'unknown' && !accepted.includes(name)),
  )
  if (refused.length === 0) return { result }
  const isUnknown = refused.every(({ name, outcome }) => name === 'signer' && outcome === 'unknown')
  const notes = ['nothing was written or started', ...(isUnknown ? [TRUST_SIGNER] : [])]
  return { result, refusal: { results: [result], exit: EXIT.unverified, notes } }
}
