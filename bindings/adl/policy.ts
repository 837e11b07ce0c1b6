// The permissions of an agent definition: `decide`, `compile` and `grants`.
import { whyUnreadable } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import {
  checkOptions,
  type Decision,
  type Grant,
  grantRows,
  type Policy,
  type PolicyOptions,
  row,
} from '../policy/policy.ts'
import type { PermissionRequest } from '../policy/request.ts'
import { isPast, permissionsOf, policyOfAgent, readTools, refusalOf, sunsetOf } from './agent-policy.ts'
import { ADL_READING } from './subject.ts'

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
  const checked = checkOptions(options)
  return policyOfAgent(readAs(ADL_READING, source, checked.file), checked)
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

export declare namespace grants {
  interface Result {
    readonly rows: readonly Grant[]
    /** The findings of reading the definition. With an error among them, nothing is granted. */
    readonly diagnostics: readonly Diagnostic[]
  }
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
export function grants(source: Source, options: PolicyOptions = {}): grants.Result {
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
