import type { Diagnostic } from '../../document/types.ts'
import type { Source } from '../../frame/source.ts'
import { textMember } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { readAgent } from '../read-agent.ts'
import { type Bump, type Change, greater } from './change.ts'
import { changesOf } from './diff.ts'

/** The verdict on a new version number: `enough` if it moved as far as the changes require (ADL 5.5). */
export interface VersionCheck {
  readonly from: string | undefined
  readonly to: string | undefined
  /** The part that moved; undefined when the version stayed the same, went back, or cannot be read. */
  readonly moved: Bump | undefined
  /** The least bump that the changes require; undefined when there are no changes. */
  readonly needed: Bump | undefined
  readonly enough: boolean
  /** The findings of reading both, the old one first. With an error among them, no movement is enough. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The least bump that the changes require; undefined when there are no changes. */
function neededBump(changes: readonly Change[]): Bump | undefined {
  return changes.reduce<Bump | undefined>((most, { bump }) => greater(most, bump), undefined)
}

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
  const reads = [readAgent(before), readAgent(after)] as const
  const [from, to] = [versionOf(reads[0].subject), versionOf(reads[1].subject)]
  const [old, now] = [numbers(from), numbers(to)]
  const moved = old && now && movement(old, now)
  const most = neededBump(changesOf(...reads))
  const needed = most && stepFrom(from, most)
  return {
    from,
    to,
    moved,
    needed,
    enough: needed === undefined || (moved !== undefined && greater(moved, needed) === moved),
    diagnostics: reads.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** The part of a version that a change must move: while the major version is 0, the minor one takes its place. */
export function stepFrom(version: string | undefined, bump: Bump): Bump {
  return bump === 'major' && numbers(version)?.[0] === 0 ? 'minor' : bump
}

function versionOf(agent: Agent | undefined): string | undefined {
  return textMember(agent?.root, 'version')?.value
}

type Numbers = readonly [major: number, minor: number, patch: number]

function numbers(version: string | undefined): Numbers | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(version ?? '')
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])]
}

/** Finds the first number that differs; undefined when it became smaller. */
function movement(before: Numbers, after: Numbers): Bump | undefined {
  for (const [i, bump] of (['major', 'minor', 'patch'] as const).entries()) {
    if (after[i]! !== before[i]!) return after[i]! > before[i]! ? bump : undefined
  }
  return undefined
}
