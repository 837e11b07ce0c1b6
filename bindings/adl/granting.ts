// A definition for the matrix of permissions.
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import { type Granting, grantingBy, namesOf } from '../policy/matrix.ts'
import { Permissions, type PolicyOptions } from '../policy/policy.ts'
import { compile, permissionsOf, readTools } from './policy.ts'
import { ADL_READING } from './subject.ts'

/** @throws {TypeError} for invalid arguments. An unreadable document permits nothing. */
export function definitionGranting(source: Source, options: PolicyOptions = {}): Granting {
  const { subject: agent } = readAs(ADL_READING, source, options.file)
  const { windows = false, caseInsensitive = false } = options
  const permissions = agent && permissionsOf(agent, { windows, ignoreCase: windows || caseInsensitive })
  const names = namesOf(permissions ?? new Permissions(undefined), agent === undefined ? new Map() : readTools(agent))
  return grantingBy(compile(source, options), names, agent?.document.bytes.length ?? 0)
}
