// A definition for the matrix of permissions.
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import { type Granting, grantingBy, namesOf } from '../policy/matrix.ts'
import { checkOptions, Permissions, type PolicyOptions } from '../policy/policy.ts'
import { permissionsOf, policyOfAgent, readTools } from './agent-policy.ts'
import { ADL_READING } from './subject.ts'

/** @throws {TypeError} for invalid arguments. An unreadable document permits nothing. */
export function definitionGranting(source: Source, options: PolicyOptions = {}): Granting {
  const { windows = false, caseInsensitive = false, file } = checkOptions(options)
  const read = readAs(ADL_READING, source, file)
  const { subject: agent } = read
  const permissions = agent && permissionsOf(agent, { windows, ignoreCase: windows || caseInsensitive })
  const names = namesOf(permissions ?? new Permissions(undefined), agent === undefined ? new Map() : readTools(agent))
  return grantingBy(policyOfAgent(read, options), names, agent?.document.bytes.length ?? 0)
}
