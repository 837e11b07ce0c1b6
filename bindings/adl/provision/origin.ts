// Judges the source of a document and the proof of its integrity (ADL 18.1, 18.10, 18.11).
import type { Proof } from '../../frame/source.ts'
import { isTrustedSource, type Trust } from '../../policy/trust.ts'
import { member, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { classifications, isSensitive } from '../places.ts'
import { checkInventory, type Inventory } from '../records.ts'
import { refuseSignature } from '../refusal.ts'
import { claimedHost } from '../signature/checks.ts'
import type { Agent } from '../subject.ts'
import type { ProvisionFinding } from './refusals.ts'

/** The source of the document. */
export interface DocumentSource {
  /** The URL that it was fetched from. */
  readonly url?: string
  /** It came from a place that the operator trusts: a trusted registry, a protected repository. */
  readonly trusted?: boolean
}

export interface Origin {
  readonly proof: Proof | undefined
  readonly source: DocumentSource
  readonly trust: Trust | undefined
  readonly inventory: Inventory | undefined
}

/** A signature must be verified if present, and the proof must be for this document. */
export function refuseProof(agent: Agent, { proof }: Origin): readonly ProvisionFinding[] {
  const refusal = refuseSignature(agent, proof)
  return refusal === undefined ? [] : [{ id: 'signature', ...refusal }]
}

const HARMLESS = ['public', 'internal']

/** Refuses a document that nothing vouches for, or whose data require stronger evidence. */
export function refuseUntrusted(agent: Agent, origin: Origin): readonly ProvisionFinding[] {
  if (isTrusted(origin)) return []
  const found: ProvisionFinding[] = []
  const isSigned = member(agent.attestation?.value, 'signature') !== undefined
  if (!isSigned) {
    const detail = 'the document is not signed and does not come from a trusted source: treat it as malicious'
    found.push({ id: 'unsigned', section: 'ADL 18.1', pointer: '', detail, acknowledge: 'unsigned' })
  }
  const sensitive = classifications(agent).find(({ value }) => {
    const sensitivity = member(value, 'sensitivity')
    // An unknown level may mean any of them, so it counts as sensitive.
    return sensitivity !== undefined && !HARMLESS.includes(sensitivity as string)
  })
  const isVerified = isSigned && origin.proof?.verdict === 'verified'
  if (sensitive === undefined || (isVerified && !isByAnybody(origin))) return found
  const level = textMember(sensitive, 'sensitivity')?.value ?? ''
  const what = isSensitive(level) ? `data are ${level}` : 'the sensitivity of data is unknown'
  const place = { section: 'ADL 18.10', pointer: `${sensitive.pointer}/sensitivity` }
  if (!isVerified) {
    found.push({ id: 'sensitive', ...place, detail: `${what}: a verified signature or a trusted source is needed` })
  } else {
    const detail = `${what}, and nothing shows who signed the document: name the key, or resolve its did:web`
    found.push({ id: 'signer', ...place, detail, acknowledge: 'signer' })
  }
  return found
}

function isTrusted({ source, trust }: Origin): boolean {
  return (
    source.trusted === true || (trust !== undefined && source.url !== undefined && isTrustedSource(trust, source.url))
  )
}

/**
 * True when a verified signature does not show who made it: its key is not known, or belongs to another domain. An
 * entry in an inventory is enough, because someone approved it.
 */
function isByAnybody({ proof, inventory }: Origin): boolean {
  if (proof?.verdict !== 'verified' || inventory !== undefined) return false
  return proof.steps?.find(({ name }) => name === 'identity')?.outcome !== 'passed'
}

/** Refuses a provider or issuer that the operator does not list, or whose name is unproven. */
export function refuseStrangers(agent: Agent, origin: Origin): readonly ProvisionFinding[] {
  const { trust } = origin
  const found: ProvisionFinding[] = []
  if (trust?.providers !== undefined) {
    const domain = claimedHost(textMember(agent.root, 'id')?.value)
    const refuse = (detail: string) =>
      found.push({ id: 'provider', section: 'ADL 18.11', pointer: '/id', detail, acknowledge: 'provider' })
    if (domain === undefined || !trust.providers.some((provider) => provider.toLowerCase() === domain)) {
      const who = domain === undefined ? 'an id that names no provider' : quoted(domain)
      refuse(`${who} is not among the trusted providers`)
    } else if (isByAnybody(origin) && !isTrusted(origin)) {
      refuse(`nothing shows that the key of the signature is one of ${quoted(domain)}`)
    }
  }
  const issuer = textMember(agent.attestation, 'issuer')
  if (trust?.issuers !== undefined && issuer !== undefined && !trust.issuers.includes(issuer.value)) {
    const detail = `${quoted(issuer.value)} is not among the trusted issuers`
    found.push({ id: 'issuer', section: 'ADL 18.11', pointer: issuer.pointer, detail, acknowledge: 'issuer' })
  }
  return found
}

/** Reports each discrepancy with the approved document. */
export function refuseIncidents(agent: Agent, { inventory, proof }: Origin): readonly ProvisionFinding[] {
  if (inventory === undefined) return []
  return checkInventory(inventory, agent.document, { proof }).map(({ rule, detail, source }) => ({
    id: rule,
    section: 'ADL 18.10',
    pointer: source.pointer,
    detail: `incident: ${detail}`,
  }))
}

/** The warnings of the proof, such as an expired attestation (ADL 18.1). */
export function warnProof({ proof }: Origin): readonly ProvisionFinding[] {
  const warned = proof?.steps?.filter(({ outcome }) => outcome === 'warning') ?? []
  return warned.map(({ detail, spec, diagnostic }) => {
    return { id: 'proof-warning', section: spec, pointer: diagnostic?.source.pointer ?? '', detail }
  })
}
