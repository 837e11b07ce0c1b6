// The permissions of an agent definition: `decide`, `compile` and `grants`.
import { whyUnreadable } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import {
  checkOptions,
  type Decision,
  denyAll,
  type Grant,
  grantRows,
  Permissions,
  type Policy,
  type PolicyOptions,
  policyOf,
  row,
} from '../policy/policy.ts'
import type { PermissionRequest, Refusal, Sections, System, Tool, Tools } from '../policy/request.ts'
import { member, type PlacedObject, textMember } from '../text/members.ts'
import { classificationOf } from './places.ts'
import { isPast, refusalOf, sunsetOf } from './refusal.ts'
import { ADL_READING, type Agent } from './subject.ts'

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
  const value = member(root.value, 'permissions')
  return new Permissions(value === undefined ? undefined : { pointer: '/permissions', value }, system)
}

/**
 * Makes a policy from an agent definition. The grants are read once and used for every decision.
 *
 * @example
 * const policy = compile('{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}')
 * policy.allows({ domain: 'environment', variable: 'APP_PORT' }) // true
 * policy.allows({ domain: 'environment', variable: 'PATH' }) // false
 *
 * @throws {TypeError} for invalid arguments. An unreadable document does not throw: it permits nothing, and
 * `diagnostics` has the reason.
 */
export function compile(source: Source, options: PolicyOptions = {}): Policy {
  const { now, proof, windows = false, caseInsensitive = false, file } = checkOptions(options)
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
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

/**
 * Decides whether an agent may do something, with the reasons. A request that the definition does not grant is denied.
 * A request that it denies stays denied, no matter what else grants it. For many requests to one document, use
 * `compile`.
 *
 * @example
 * const document = '{"permissions": {"network": {"allowed_hosts": ["*.example.com"], "allowed_ports": [443]}}}'
 * decide(document, { domain: 'network', host: 'api.example.com', port: 80 })
 * // { allowed: false, reason: 'port 80 is not in allowed_ports', decidedBy: '/permissions/network/allowed_ports', ... }
 *
 * @throws {TypeError} or {RangeError} for invalid arguments; never for the content of a document.
 */
export function decide(source: Source, request: PermissionRequest, options: PolicyOptions = {}): Decision {
  return compile(source, options).decide(request)
}

export interface Grants {
  readonly rows: readonly Grant[]
  /** The findings of reading the definition. With an error among them, nothing is granted. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The permissions of an agent as a table: every grant, denial and limit of its definition, and the domains that are
 * denied because nothing grants them.
 *
 * @example
 * grants('{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}').rows[2]
 * // { domain: 'environment', effect: 'allow', subject: 'APP_*', pointer: '/permissions/environment/allowed_variables/0', ... }
 *
 * @throws {TypeError} for invalid arguments. An unreadable document does not throw: it grants nothing, and
 * `diagnostics` has the reason.
 */
export function grants(source: Source, options: PolicyOptions = {}): Grants {
  const { proof, now, file } = checkOptions(options)
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  if (agent === undefined) {
    return { rows: [row('document', 'deny', 'everything', whyUnreadable(diagnostics), '')], diagnostics }
  }
  const sunset = sunsetOf(agent)
  const refusal = refusalOf(agent, proof) ?? (sunset && isPast(sunset, now) ? sunset.refusal : undefined)
  const rows = [
    ...(refusal ? [row('document', 'deny', 'everything', refusal.detail, refusal.pointer)] : []),
    ...grantRows(permissionsOf(agent), readTools(agent)),
  ]
  return { rows, diagnostics }
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
  const asks = member(tool.value, 'requires_confirmation') ?? false
  const odd = typeof asks === 'boolean' ? undefined : 'requires_confirmation is neither true nor false'
  return {
    pointer: tool.pointer,
    confirmation: asks === false ? undefined : `${tool.pointer}/requires_confirmation`,
    fault: twice ?? odd,
    sensitivity: textMember(classificationOf(agent.document, tool.pointer), 'sensitivity'),
  }
}
