import type { Diagnostic } from '../../document/types.ts'
import type { Source } from '../../frame/source.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { readAgent, whyUnreadable } from '../read-agent.ts'
import {
  environmentRows,
  executionRows,
  filesystemRows,
  type Grant,
  networkRows,
  resourceRows,
  row,
} from './grant-rows.ts'
import { Unusable } from './part.ts'
import { Permissions } from './permissions.ts'
import { checkOptions, type PolicyOptions } from './policy.ts'
import { isPast, refusalOf, sunsetOf } from './refusal.ts'
import { readTools } from './tool.ts'

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
  const { subject: agent, diagnostics } = readAgent(source, file)
  if (agent === undefined) {
    return { rows: [row('document', 'deny', 'everything', whyUnreadable(diagnostics), '')], diagnostics }
  }
  const sunset = sunsetOf(agent)
  const refusal = refusalOf(agent, proof) ?? (sunset && isPast(sunset, now) ? sunset.refusal : undefined)
  const permissions = new Permissions(agent)
  const rows = [
    ...(refusal ? [row('document', 'deny', 'everything', refusal.detail, refusal.pointer)] : []),
    ...rowsOf('network', permissions.network, networkRows),
    ...rowsOf('filesystem', permissions.filesystem, filesystemRows),
    ...rowsOf('environment', permissions.environment, environmentRows),
    ...rowsOf('execution', permissions.execution, executionRows),
    ...rowsOf('resource_limits', permissions.resourceLimits, resourceRows),
    ...toolRows(agent),
  ]
  return { rows, diagnostics }
}

function rowsOf<Part>(domain: Grant['domain'], part: Part | Unusable, rows: (part: Part) => Grant[]): Grant[] {
  if (part instanceof Unusable) return [row(domain, 'deny', 'everything', part.detail, part.pointer)]
  return rows(part)
}

function toolRows(agent: Agent): Grant[] {
  const tools = [...readTools(agent)]
  if (tools.length === 0) return [row('tool', 'deny', 'everything', 'the agent has no tools', undefined)]
  return tools.map(([name, { pointer, confirmation, fault, sensitivity }]) => {
    if (fault !== undefined) return row('tool', 'deny', name, fault, pointer)
    const detail = confirmation === undefined ? 'call' : 'call, when somebody has confirmed it'
    return row('tool', 'allow', name, detail, pointer, sensitivity ? [`handles ${quoted(sensitivity.value)} data`] : [])
  })
}
