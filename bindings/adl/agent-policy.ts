// What an agent definition that was read permits, and why it may permit nothing.
import { whyUnreadable } from '../document/finding.ts'
import type { SubjectResult } from '../frame/subject.ts'
import { denyAll, type KnownProof, Permissions, type Policy, type PolicyOptions, policyOf } from '../policy/policy.ts'
import type { Refusal, Sections, System, Tool, Tools } from '../policy/request.ts'
import { isDateTime } from '../schema/formats.ts'
import { toHex } from '../text/bytes.ts'
import { isObject, member, type PlacedObject, textIn, textMember, valueIn } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { sha256 } from '../wasm/sha256.ts'
import { classificationOf } from './places.ts'
import { payloadOf } from './signature/signed.ts'
import type { Agent } from './subject.ts'

const SECTIONS: Sections = {
  network: 'ADL 9.2',
  filesystem: 'ADL 9.3',
  environment: 'ADL 9.4',
  execution: 'ADL 9.5',
  resource: 'ADL 9.6',
  tool: 'ADL 8.1',
  permissions: 'ADL 9.1',
  cost: 'ADL 18.6',
  classification: 'ADL 10.4',
  confirmation: 'ADL 18.12',
}

/** What a definition declares as its permissions, of any type. */
export function permissionsOf({ root }: Agent, system?: System): Permissions {
  const value = valueIn(root, 'permissions')
  return new Permissions(value === undefined ? undefined : { pointer: '/permissions', value }, system)
}

/** The policy of a definition. The grants are read once and used for every decision. */
export function policyOfAgent(
  { subject: agent, diagnostics }: SubjectResult<Agent>,
  { now, proof, windows = false, caseInsensitive = false }: PolicyOptions,
): Policy {
  const deny = (refusal: Refusal) => denyAll(refusal, SECTIONS, diagnostics)
  if (agent === undefined) {
    return deny({ section: 'ADL 4.1', detail: whyUnreadable(diagnostics), pointer: '' })
  }
  const refusal = refusalOf(agent, proof)
  if (refusal !== undefined) return deny(refusal)
  const permissions = permissionsOf(agent, { windows, ignoreCase: windows || caseInsensitive })
  const policy = policyOf(permissions, () => readTools(agent), SECTIONS, diagnostics)
  const sunset = sunsetOf(agent)
  if (sunset === undefined) return policy
  const after = deny(sunset.refusal)
  const current = () => (isPast(sunset, now) ? after : policy)
  return { diagnostics, allows: (request) => current().allows(request), decide: (request) => current().decide(request) }
}

export function readTools(agent: Agent): Tools {
  const tools = new Map<string, Tool>()
  for (const tool of agent.tools) {
    const name = textMember(tool, 'name')
    if (name === undefined) continue
    const twice = tools.has(name.value) ? 'two tools have this name' : undefined
    tools.set(name.value, readTool(agent, tool, twice))
  }
  return tools
}

function readTool(agent: Agent, tool: PlacedObject, twice: string | undefined): Tool {
  const asks = valueIn(tool, 'requires_confirmation') ?? false
  const odd = typeof asks === 'boolean' ? undefined : 'requires_confirmation is neither true nor false'
  return {
    pointer: tool.pointer,
    confirmation: asks === false ? undefined : `${tool.pointer}/requires_confirmation`,
    fault: twice ?? odd,
    sensitivity: textMember(classificationOf(agent.document, tool.pointer), 'sensitivity'),
  }
}

// The reasons that a document permits nothing, regardless of its permissions.

/** The reason not to follow the document, independent of time; undefined if there is no such reason. */
export function refusalOf(agent: Agent, proof: KnownProof | undefined): Refusal | undefined {
  return refuseVersion(agent) ?? refuseSignature(agent, proof) ?? refuseUnproven(proof) ?? refuseStatus(agent)
}

/** Documents of another version may give the same words another meaning (ADL 5.1). */
export function refuseVersion(agent: Agent): Refusal | undefined {
  if (!Object.hasOwn(agent.root.value, 'adl_spec')) return undefined
  const version = valueIn(agent.root, 'adl_spec')
  if (typeof version === 'string' && /^0\.1\.(0|[1-9]\d*)$/.test(version)) return undefined
  return { section: 'ADL 5.1', detail: `expected adl_spec 0.1.x, found ${shown(version)}`, pointer: '/adl_spec' }
}

/** A document with a signature is followed only after the signature is verified (ADL 18.1). */
export function refuseSignature(agent: Agent, proof: KnownProof | undefined): Refusal | undefined {
  const signed = agent.attestation !== undefined && Object.hasOwn(agent.attestation.value, 'signature')
  const pointer = signed ? '/security/attestation/signature' : ''
  const refuse = (detail: string): Refusal => ({ section: 'ADL 18.1', detail, pointer })
  if (proof !== undefined && !isAbout(agent, proof)) return refuse('the proof is of another document')
  if (proof?.verdict === 'failed') return refuse('the signature is not valid')
  if (!signed || proof?.verdict === 'verified') return undefined
  return refuse('the document is signed, and its signature was not verified')
}

/**
 * The caller asked who made the document, and the proof could not tell. Removing a signature must not open what an
 * invalid signature closes.
 */
function refuseUnproven(proof: KnownProof | undefined): Refusal | undefined {
  const open = proof?.steps?.find(({ name, outcome }) => ORIGIN.includes(name) && outcome === 'unknown')
  return open && { section: 'ADL 18.11', detail: open.detail, pointer: '' }
}

const ORIGIN = ['provider', 'identity']

/** True if the proof belongs to this document: it has the digest of everything except the signature. */
function isAbout(agent: Agent, { steps = [] }: KnownProof): boolean {
  const digest = steps.find(({ name }) => name === 'canonical-form')?.data?.['sha256']
  return digest === undefined || digest === toHex(sha256(payloadOf(agent.document.bytes)))
}

const STATUSES = ['draft', 'active', 'deprecated', 'retired']

export function refuseStatus(agent: Agent): Refusal | undefined {
  if (!Object.hasOwn(agent.root.value, 'lifecycle')) return undefined
  const lifecycle = valueIn(agent.root, 'lifecycle')
  const pointer = '/lifecycle'
  if (!isObject(lifecycle)) {
    return { section: 'ADL 5.6', detail: `expected an object, found ${shown(lifecycle)}`, pointer }
  }
  const status = textMember({ pointer, value: lifecycle }, 'status')
  if (status === undefined || !STATUSES.includes(status.value)) {
    return {
      section: 'ADL 5.6',
      detail: 'the lifecycle has no status that is known',
      pointer: status?.pointer ?? pointer,
    }
  }
  if (status.value === 'retired')
    return { section: 'ADL 18.12', detail: 'the agent is retired', pointer: status.pointer }
  if (status.value !== 'deprecated' || !Object.hasOwn(lifecycle, 'sunset_date')) return undefined
  const date = member(lifecycle, 'sunset_date')
  if (typeof date === 'string' && isDateTime(date)) return undefined
  return {
    section: 'ADL 5.6',
    detail: `the sunset_date of a deprecated agent is ${shown(date)}`,
    pointer: `${pointer}/sunset_date`,
  }
}

/** The time from which a deprecated agent counts as retired, and the refusal that applies then. */
interface Sunset {
  readonly time: number
  readonly refusal: Refusal
}

/** The sunset of a deprecated agent (ADL 5.6). */
export function sunsetOf(agent: Agent): Sunset | undefined {
  const { lifecycle } = agent
  if (textIn(lifecycle, 'status') !== 'deprecated') return undefined
  const date = textMember(lifecycle, 'sunset_date')
  if (date === undefined) return undefined
  const detail = `the agent is deprecated, and its sunset_date ${quoted(date.value)} is past`
  // Date.parse does not accept leap seconds or lower-case letters.
  const time = Date.parse(date.value.toUpperCase().replace(':60', ':59'))
  return { time, refusal: { section: 'ADL 5.6', detail, pointer: date.pointer } }
}

/** Negated, so that an invalid date counts as past. */
export function isPast({ time }: Sunset, now = new Date()): boolean {
  return !(now.getTime() < time)
}
