// The agent definitions that an organization has approved, and what they were when it did (ADL 18.10).
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { Document } from '../document/document.ts'
import { isObject, textMember } from '../document/members.ts'
import type { Proof } from '../document/proof.ts'
import { type RuleInfo, ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic } from '../document/types.ts'
import { quoted } from '../document/words.ts'
import { Agent } from './agent.ts'
import { openAgent, type Source } from './definition.ts'
import type { Fragment } from './profiles/fragment.ts'
import { filled, list, object, timestamp } from './profiles/words.ts'
import { type RecordRead, readRecord } from './record.ts'

/** One approved version of one agent. */
export interface InventoryEntry {
  /** Its `id`; its DID where it has none, its name where it has neither. */
  readonly id: string
  readonly version: string
  /** Of the canonical form with its signature: `sha256:` and hexadecimal. */
  readonly digest: string
  /** Thumbprint of the key that the signature was verified with; null when it was not. */
  readonly signer: string | null
  /** When it was approved: RFC 3339. */
  readonly approved: string
}

/** What an inventory file holds. */
export interface Inventory {
  readonly version: 1
  readonly agents: readonly InventoryEntry[]
}

const SHAPE: Fragment = object({
  'version*': { enum: [1] },
  'agents*': list(
    object({
      'id*': filled,
      'version*': filled,
      'digest*': filled,
      'signer*': { type: ['string', 'null'] },
      'approved*': timestamp,
    }),
  ),
})

const about = (id: string, code: string, title: string, why: string): RuleInfo => ({
  id,
  code,
  title,
  section: 'ADL 18.10',
  severity: 'error',
  why,
  bad: '{"version": 1, "agents": [{"id": "https://acme.example/agents/a", "version": "1.0.0", "digest": "sha256:00", "signer": null, "approved": "2026-02-18T00:00:00Z"}]}',
  good: 'blazon approve agent.json --inventory approved.json',
})

const MALFORMED = about('inventory-file', 'BADL-154', 'Malformed inventory', 'What cannot be read approves nothing.')
const NOT_APPROVED = about(
  'inventory-not-approved',
  'BADL-155',
  'Agent that was not approved',
  'Nobody has looked at this agent, or at this version of it.',
)
const CHANGED = about(
  'inventory-digest',
  'BADL-156',
  'Document differs from what was approved',
  'A document that changed without a new version was tampered with, or released carelessly: look before it runs.',
)
const OTHER_SIGNER = about(
  'inventory-signer',
  'BADL-157',
  'Signer differs from the one that was approved',
  'Another key, or none, stands behind what looks like the same document.',
)

export const INVENTORY_RULES: readonly RuleInfo[] = [MALFORMED, NOT_APPROVED, CHANGED, OTHER_SIGNER]

/**
 * Reads an inventory file.
 *
 * @example
 * parseInventory('{"version": 1, "agents": []}').value // { version: 1, agents: [] }
 */
export function parseInventory(source: Uint8Array | string, file?: string): RecordRead<Inventory> {
  return readRecord(source, SHAPE, MALFORMED, file)
}

/** An entry, or why there is none. */
export interface Approval {
  /** Undefined when a diagnostic is an error. */
  readonly entry: InventoryEntry | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The entry that approves a definition as it is; with a proof, by whom it is signed too.
 *
 * @example
 * approve(document, await verify(document)).entry
 * // { id: 'https://acme.example/agents/a', version: '1.0.0', digest: 'sha256:9f86…', signer: 'kPrK…', approved: '2026-…' }
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function approve(source: Source, proof?: Proof, { now = new Date() }: { now?: Date } = {}): Approval {
  const { agent, diagnostics } = openAgent(source)
  if (agent === undefined) return { entry: undefined, diagnostics }
  const entry = { ...describe(agent), signer: signerOf(proof) ?? null, approved: now.toISOString() }
  return { entry, diagnostics }
}

/**
 * The inventory with an entry, in the place of one for the same version of the same agent.
 *
 * @example
 * addEntry({ version: 1, agents: [] }, entry) // { version: 1, agents: [entry] }
 */
export function addEntry({ agents }: Inventory, entry: InventoryEntry): Inventory {
  const others = agents.filter(({ id, version }) => id !== entry.id || version !== entry.version)
  const key = ({ id, version }: InventoryEntry) => `${id}\n${version}`
  return { version: 1, agents: [...others, entry].sort((a, b) => (key(a) < key(b) ? -1 : 1)) }
}

/**
 * Every discrepancy between what was approved and what is here, each to be looked at as an incident (ADL 18.10); none
 * when the document is the approved one.
 *
 * @example
 * checkInventory({ version: 1, agents: [] }, document)[0].rule // 'inventory-not-approved'
 *
 * @throws {TypeError} when the document is none, or the inventory.
 */
export function checkInventory(inventory: Inventory, document: Document, proof?: Proof): readonly Diagnostic[] {
  if (!Array.isArray(inventory?.agents)) {
    throw new TypeError('inventory: expected what parseInventory gives')
  }
  const incident = (rule: RuleInfo, pointer: string, detail: string) => [
    ruleDiagnostic(document, rule, 'error', pointer, detail),
  ]
  if (!(document instanceof Document)) throw new TypeError(`document: expected a Document, got ${typeof document}`)
  if (!isObject(document.value)) return incident(NOT_APPROVED, '', 'What is no agent definition is in no inventory')
  const { id, version, digest } = describe(new Agent(document))
  const versions = inventory.agents.filter((entry) => entry.id === id)
  if (versions.length === 0) return incident(NOT_APPROVED, '/id', `Agent ${quoted(id)} is not in the inventory`)
  const approved = versions.find((entry) => entry.version === version)
  if (approved === undefined) {
    const detail = `Version ${quoted(version)} of ${quoted(id)} is not in the inventory`
    return incident(NOT_APPROVED, '/version', detail)
  }
  const found: Diagnostic[] = []
  if (approved.digest !== digest) {
    found.push(...incident(CHANGED, '', `Approved was ${quoted(approved.digest)}, this is ${quoted(digest)}`))
  }
  const signer = signerOf(proof)
  if (approved.signer !== null && approved.signer !== signer) {
    const here = signer === undefined ? 'no signature was verified' : `this is signed by ${quoted(signer)}`
    const pointer = '/security/attestation/signature'
    found.push(...incident(OTHER_SIGNER, pointer, `Approved was the signer ${quoted(approved.signer)}, ${here}`))
  }
  return found
}

function describe({ document, root, identity }: Agent): Pick<InventoryEntry, 'id' | 'version' | 'digest'> {
  const id = textMember(root, 'id') ?? textMember(identity, 'did') ?? textMember(root, 'name')
  return {
    id: id?.value ?? '',
    version: textMember(root, 'version')?.value ?? '',
    digest: `sha256:${bytesToHex(sha256(document.canonical))}`,
  }
}

/** The thumbprint of the key that made the signature, when that was verified. */
function signerOf(proof: Proof | undefined): string | undefined {
  if (proof?.verdict !== 'verified') return undefined
  const step = proof.steps.find(({ name, outcome }) => name === 'signature' && outcome === 'passed')
  const print = step?.data?.['fingerprint']
  return typeof print === 'string' ? print : undefined
}
