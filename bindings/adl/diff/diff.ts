import { type DefinitionSource, readDefinition } from '../permissions/definition.ts'
import { type Change, Changes } from './change.ts'
import { compareRefusals } from './lifecycle.ts'
import { compareMembers } from './members.ts'
import { compareNamed } from './named.ts'
import { comparePermissions } from './permissions.ts'
import { ROOT } from './root.ts'

/**
 * What a new definition of an agent means that the old one did not: changes of its members, and every grant that became
 * wider or narrower. A widening is breaking, and so is what cannot be shown to be none. The lifecycle status of neither is
 * in the way (ADL 5.6).
 *
 * @example
 * diff('{"permissions": {"network": {"allowed_hosts": ["a.example"]}}}',
 *      '{"permissions": {"network": {"allowed_hosts": ["*.example"]}}}')[0]
 * // { kind: 'widened', area: 'permissions', pointer: '/permissions/network/allowed_hosts/0', document: 'new',
 * //   detail: "lets the agent connect to '*.example'", breaking: true, bump: 'major' }
 *
 * @throws {TypeError} for wrong arguments; a document that cannot be read is a breaking change.
 */
export function diff(before: DefinitionSource, after: DefinitionSource): Change[] {
  const [old, now] = [readDefinition(before), readDefinition(after)]
  const changes = new Changes('document')
  if (typeof old === 'string') changes.inOld('changed', 'major', '', `cannot be read: ${old}`)
  if (typeof now === 'string') changes.inNew('changed', 'major', '', `cannot be read: ${now}`)
  if (typeof old === 'string' || typeof now === 'string') return changes.list
  compareRefusals(old, now, changes.area('lifecycle'))
  comparePermissions(old, now, changes.area('permissions'))
  compareNamed(old, now, changes)
  compareMembers(old.root, now.root, ROOT, 'minor', changes)
  return changes.list
}
