import { quoted } from '../../document/words.ts'
import type { Agent } from '../agent.ts'
import { type DefinitionSource, readDefinition } from './definition.ts'
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

/**
 * What an agent may do, as a table: every grant, denial and limit of its definition, and what is denied because nothing
 * grants it.
 *
 * @example
 * grants('{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}')[2]
 * // { domain: 'environment', effect: 'allow', subject: 'APP_*', pointer: '/permissions/environment/allowed_variables/0', ... }
 *
 * @throws {TypeError} for wrong arguments; a document that cannot be read grants nothing.
 */
export function grants(document: DefinitionSource, options: PolicyOptions = {}): Grant[] {
  const { proof, now } = checkOptions(options)
  const agent = readDefinition(document)
  if (typeof agent === 'string') return [row('document', 'deny', 'everything', agent, '')]
  const sunset = sunsetOf(agent)
  const refusal = refusalOf(agent, proof) ?? (sunset && isPast(sunset, now) ? sunset.refusal : undefined)
  const permissions = new Permissions(agent)
  return [
    ...(refusal ? [row('document', 'deny', 'everything', refusal.detail, refusal.pointer)] : []),
    ...rowsOf('network', permissions.network, networkRows),
    ...rowsOf('filesystem', permissions.filesystem, filesystemRows),
    ...rowsOf('environment', permissions.environment, environmentRows),
    ...rowsOf('execution', permissions.execution, executionRows),
    ...rowsOf('resource_limits', permissions.resourceLimits, resourceRows),
    ...toolRows(agent),
  ]
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
