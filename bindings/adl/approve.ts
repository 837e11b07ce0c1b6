import type { Diagnostic } from '../document/types.ts'
import type { Proof } from '../frame/proof.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { checkedNow } from '../text/moment.ts'
import { describe, type InventoryEntry, signerOf } from './inventory.ts'
import { readAgent } from './read-agent.ts'

export interface ApproveOptions extends FileOptions {
  /** The proof that `verify` gave for the document. */
  readonly proof?: Proof | undefined
  /** The time of the approval; defaults to the current time. */
  readonly now?: Date
}

/** An entry, or the reason that it could not be made. */
export interface Approval {
  /** Undefined when a diagnostic is an error. */
  readonly entry: InventoryEntry | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The entry that approves a definition as it is. With a proof, it also names the signer.
 *
 * @example
 * approve(document, { proof: await verify(document) }).entry
 * // { id: 'https://acme.example/agents/a', version: '1.0.0', digest: 'sha256:9f86…', signer: 'kPrK…', approved: '2026-…' }
 *
 * @throws {TypeError} for invalid arguments.
 */
export function approve(source: Source, { proof, now, file }: ApproveOptions = {}): Approval {
  const { subject: agent, diagnostics } = readAgent(source, file)
  if (agent === undefined) return { entry: undefined, diagnostics }
  const entry = { ...describe(agent), signer: signerOf(proof) ?? null, approved: checkedNow(now).toISOString() }
  return { entry, diagnostics }
}
