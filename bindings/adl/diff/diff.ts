import { whyUnreadable } from '../../document/finding.ts'
import { readAs } from '../../frame/as.ts'
import type { Source } from '../../frame/source.ts'
import type { SubjectResult } from '../../frame/subject.ts'
import { type Change, Changes, type Diff, type VersionCheck, versionCheck } from '../../policy/diff/change.ts'
import { compareMembers } from '../../policy/diff/members.ts'
import { comparePermissions } from '../../policy/diff/permissions.ts'
import { textMember } from '../../text/members.ts'
import { permissionsOf } from '../policy.ts'
import { refusalOf, sunsetOf } from '../refusal.ts'
import { ADL_READING, type Agent } from '../subject.ts'
import { compareNamed, ofProfile, ROOT } from './root.ts'

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
  const [old, now] = [readAs(ADL_READING, before), readAs(ADL_READING, after)]
  return { changes: changesOf(old, now), diagnostics: [...old.diagnostics, ...now.diagnostics] }
}

/** The changes between two definitions, either of which may be unreadable. */
function changesOf(before: SubjectResult<Agent>, after: SubjectResult<Agent>): readonly Change[] {
  const [old, now] = [before.subject, after.subject]
  const changes = new Changes('document')
  const why = ({ diagnostics }: SubjectResult<Agent>) => `cannot be read: ${whyUnreadable(diagnostics)}`
  if (old === undefined) changes.inOld('changed', 'major', '', why(before))
  if (now === undefined) changes.inNew('changed', 'major', '', why(after))
  if (old === undefined || now === undefined) return changes.list
  compareRefusals(old, now, changes.area('lifecycle'))
  comparePermissions(permissionsOf(old), permissionsOf(now), changes.area('permissions'))
  compareNamed(old, now, changes)
  compareMembers(old.root, now.root, ROOT, ofProfile, changes)
  return changes.list
}

/** Compares the period in which a definition permits anything at all. Signatures are compared as members. */
function compareRefusals(before: Agent, after: Agent, changes: Changes): void {
  const [old, now] = [before, after].map((agent) => refusalOf(agent, { verdict: 'verified' })) as [Refused, Refused]
  if (old && !now) changes.inOld('widened', 'major', old.pointer, `permitted nothing: ${old.detail}`)
  if (now && !old) changes.inNew('narrowed', 'minor', now.pointer, `permits nothing any more: ${now.detail}`)
  if (old || now) return
  const [from, to] = [sunsetOf(before), sunsetOf(after)]
  const [end, newEnd] = [from?.time ?? Number.POSITIVE_INFINITY, to?.time ?? Number.POSITIVE_INFINITY]
  if (to === undefined && from !== undefined) {
    changes.inOld('widened', 'major', from.refusal.pointer, 'no longer ends with this date')
  } else if (to !== undefined && newEnd !== end) {
    const [kind, bump] = newEnd < end ? (['narrowed', 'minor'] as const) : (['widened', 'major'] as const)
    changes.inNew(kind, bump, to.refusal.pointer, `ends ${newEnd < end ? 'earlier' : 'later'} than before`)
  }
}

type Refused = ReturnType<typeof refusalOf>

/**
 * Checks that the `version` of a new definition reflects how much it changed. While the major version is 0, a breaking
 * change only requires the minor version to move, because there is no stable interface to break (SemVer 2.0.0, item 4).
 *
 * @example
 * checkVersion('{"version": "1.2.0", "name": "A"}', '{"version": "1.2.0", "name": "B"}')
 * // { from: '1.2.0', to: '1.2.0', moved: undefined, needed: 'patch', enough: false, diagnostics: [] }
 *
 * @throws {TypeError} for invalid arguments.
 */
export function checkVersion(before: Source, after: Source): VersionCheck {
  const [old, now] = [readAs(ADL_READING, before), readAs(ADL_READING, after)]
  const [from, to] = [old, now].map(({ subject }) => textMember(subject?.root, 'version')?.value)
  return versionCheck(from, to, { changes: changesOf(old, now), diagnostics: [...old.diagnostics, ...now.diagnostics] })
}
