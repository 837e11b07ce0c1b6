import type { Diagnostic } from '../../document/types.ts'
import type { Source } from '../../frame/source.ts'
import type { SubjectResult } from '../../frame/subject.ts'
import type { Agent } from '../agent.ts'
import { readAgent, whyUnreadable } from '../read-agent.ts'
import { type Change, Changes } from './change.ts'
import { compareRefusals } from './lifecycle.ts'
import { compareMembers } from './members.ts'
import { compareNamed } from './named.ts'
import { comparePermissions } from './permissions.ts'
import { ofProfile } from './profiles.ts'
import { ROOT } from './root.ts'

export interface Diff {
  readonly changes: readonly Change[]
  /**
   * The findings of reading both documents, those of the old one first. An unreadable document is a breaking change.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The differences in meaning between an old and a new definition of an agent: changes of its members, and every grant
 * that became wider or narrower. A widening is breaking, and so is any change that cannot be proven harmless. The
 * lifecycle status of both is disregarded (ADL 5.6).
 *
 * @example
 * diff('{"permissions": {"network": {"allowed_hosts": ["a.example"]}}}',
 *      '{"permissions": {"network": {"allowed_hosts": ["*.example"]}}}').changes[0]
 * // { kind: 'widened', area: 'permissions', pointer: '/permissions/network/allowed_hosts/0', document: 'new',
 * //   detail: "lets the agent connect to '*.example'", breaking: true, bump: 'major' }
 *
 * @throws {TypeError} for invalid arguments. An unreadable document does not throw: it is a breaking change, and
 * `diagnostics` has the reason.
 */
export function diff(before: Source, after: Source): Diff {
  const [old, now] = [readAgent(before), readAgent(after)]
  return { changes: changesOf(old, now), diagnostics: [...old.diagnostics, ...now.diagnostics] }
}

/** The changes between two definitions, either of which may be unreadable. */
export function changesOf(before: SubjectResult<Agent>, after: SubjectResult<Agent>): readonly Change[] {
  const [old, now] = [before.subject, after.subject]
  const changes = new Changes('document')
  const why = ({ diagnostics }: SubjectResult<Agent>) => `cannot be read: ${whyUnreadable(diagnostics)}`
  if (old === undefined) changes.inOld('changed', 'major', '', why(before))
  if (now === undefined) changes.inNew('changed', 'major', '', why(after))
  if (old === undefined || now === undefined) return changes.list
  compareRefusals(old, now, changes.area('lifecycle'))
  comparePermissions(old, now, changes.area('permissions'))
  compareNamed(old, now, changes)
  compareMembers(old.root, now.root, ROOT, ofProfile, changes)
  return changes.list
}
