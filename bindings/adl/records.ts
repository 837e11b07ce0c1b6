// The operator's own files: an inventory of approved definitions, with their digests at that time (ADL 18.10), and a
// list of trusted parties.

import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import { fileIn, NeedError } from '../frame/needs.ts'
import type { Comparing } from '../frame/signing.ts'
import type { FileOptions, Proof, Source } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { type RecordRead, readRecord, readTrust, type Trust } from '../policy/trust.ts'
import { objectOf } from '../schema/fragment.ts'
import { toHex } from '../text/bytes.ts'
import { textIn, textMember } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { quoted } from '../text/words.ts'
import { sha256 } from '../wasm/sha256.ts'
import * as FINDINGS from './findings.ts'
import { ADL_READING, type Agent } from './subject.ts'

/** The content of an inventory file. */
export interface Inventory {
  readonly version: 1
  readonly agents: readonly addEntry.Entry[]
}

const SHAPE = objectOf({
  'version*': [1],
  'agents[]*': {
    'id*': 'filled',
    'version*': 'filled',
    'digest*': 'filled',
    'signer*': { $type: ['string', 'null'] },
    'approved*': 'timestamp',
  },
})

/**
 * Reads an inventory file.
 *
 * @example
 * parseInventory('{"version": 1, "agents": []}').value // { version: 1, agents: [] }
 */
export function parseInventory(source: Uint8Array | string, options: FileOptions = {}): RecordRead<Inventory> {
  return readRecord(source, SHAPE, FINDINGS.INVENTORY_FILE, options)
}

/** Compares a verified definition with the inventory that was given. */
export const ADL_COMPARING: Comparing = async (document, proof, given) => {
  const inventory = fileIn(given, 'inventory')
  if (inventory === undefined || proof.steps[0]?.name === 'document') return []
  const { file, bytes } = inventory
  const { value, diagnostics } = parseInventory(bytes, { file })
  if (value !== undefined) return checkInventory(value, document, { proof })
  const found = { file, diagnostics }
  throw new NeedError('inventory', diagnostics[0]!.detail, {
    code: 'invalid-value',
    hint: 'blazon approve writes it',
    found,
  })
}

export declare namespace checkInventory {
  interface Options extends FileOptions {
    /** The proof that `verify` gave for the document. */
    readonly proof?: Proof | undefined
  }
}

export declare namespace addEntry {
  /** One approved version of one agent. */
  interface Entry {
    /** The definition's `id`, or else its DID, or else its name. */
    readonly id: string
    readonly version: string
    /** The digest of the canonical form with the signature: `sha256:` and hexadecimal. */
    readonly digest: string
    /** The thumbprint of the key that the signature was verified with; null when it was not verified. */
    readonly signer: string | null
    /** The time of the approval: RFC 3339. */
    readonly approved: string
  }
}

/**
 * The inventory with an entry, which replaces any entry for the same version of the same agent.
 *
 * @example
 * addEntry({ version: 1, agents: [] }, entry) // { version: 1, agents: [entry] }
 */
export function addEntry({ agents }: Inventory, entry: addEntry.Entry): Inventory {
  const others = agents.filter(({ id, version }) => id !== entry.id || version !== entry.version)
  const key = ({ id, version }: addEntry.Entry) => `${id}\n${version}`
  return { version: 1, agents: [...others, entry].sort((a, b) => (key(a) < key(b) ? -1 : 1)) }
}

/**
 * Lists every discrepancy between the approved definition and the given one. Each should be handled as an incident (ADL
 * 18.10). The list is empty when the document is the approved one. An unreadable document is not approved: the list
 * then has the reasons.
 *
 * @example
 * checkInventory({ version: 1, agents: [] }, document)[0].rule // 'inventory-not-approved'
 *
 * @throws {TypeError} for invalid arguments.
 */
export function checkInventory(
  inventory: Inventory,
  source: Source,
  { proof, file }: checkInventory.Options = {},
): readonly Diagnostic[] {
  if (!Array.isArray(inventory?.agents)) {
    throw new TypeError('inventory: expected what parseInventory gives')
  }
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  if (agent === undefined) return diagnostics
  const incident = (rule: FindingKind, pointer: string, detail: string) => [
    ruleDiagnostic(agent.document, rule, 'error', pointer, detail),
  ]
  const { id, version, digest } = describe(agent)
  const versions = inventory.agents.filter((entry) => entry.id === id)
  if (versions.length === 0)
    return incident(FINDINGS.INVENTORY_NOT_APPROVED, '/id', `Agent ${quoted(id)} is not in the inventory`)
  const approved = versions.find((entry) => entry.version === version)
  if (approved === undefined) {
    const detail = `Version ${quoted(version)} of ${quoted(id)} is not in the inventory`
    return incident(FINDINGS.INVENTORY_NOT_APPROVED, '/version', detail)
  }
  const found: Diagnostic[] = []
  if (approved.digest !== digest) {
    found.push(
      ...incident(FINDINGS.INVENTORY_DIGEST, '', `Approved was ${quoted(approved.digest)}, this is ${quoted(digest)}`),
    )
  }
  const signer = signerOf(proof)
  if (approved.signer !== null && approved.signer !== signer) {
    const here = signer === undefined ? 'no signature was verified' : `this is signed by ${quoted(signer)}`
    const pointer = '/security/attestation/signature'
    found.push(
      ...incident(FINDINGS.INVENTORY_SIGNER, pointer, `Approved was the signer ${quoted(approved.signer)}, ${here}`),
    )
  }
  return found
}

/** The members of an entry that describe a definition. */
function describe({ document, root, identity }: Agent): Pick<addEntry.Entry, 'id' | 'version' | 'digest'> {
  const id = textMember(root, 'id') ?? textMember(identity, 'did') ?? textMember(root, 'name')
  return {
    id: id?.value ?? '',
    version: textIn(root, 'version') ?? '',
    digest: `sha256:${toHex(sha256(document.canonical))}`,
  }
}

/** The thumbprint of the key that made the signature, if the signature was verified. */
function signerOf(proof: Proof | undefined): string | undefined {
  if (proof?.verdict !== 'verified') return undefined
  const step = proof.steps.find(({ name, outcome }) => name === 'signature' && outcome === 'passed')
  const print = step?.data?.['fingerprint']
  return typeof print === 'string' ? print : undefined
}

export declare namespace approve {
  interface Options extends FileOptions {
    /** The proof that `verify` gave for the document. */
    readonly proof?: Proof | undefined
    /** The time of the approval; defaults to the current time. */
    readonly now?: Date
  }

  /** An entry, or the reason that it could not be made. */
  interface Result {
    /** Undefined when a diagnostic is an error. */
    readonly entry: addEntry.Entry | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
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
export function approve(source: Source, { proof, now, file }: approve.Options = {}): approve.Result {
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  if (agent === undefined) return { entry: undefined, diagnostics }
  const entry = { ...describe(agent), signer: signerOf(proof) ?? null, approved: checkedNow(now).toISOString() }
  return { entry, diagnostics }
}

/**
 * Reads a trust file.
 *
 * @example
 * parseTrust('{"version": 1, "registries": ["https://registry.acme.example/"]}').value?.registries?.length // 1
 */
export function parseTrust(source: Uint8Array | string, options: FileOptions = {}): RecordRead<Trust> {
  return readTrust(source, FINDINGS.TRUST_FILE, options)
}
