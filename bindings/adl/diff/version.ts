import type { Diagnostic } from '../../document/types.ts'
import type { Source } from '../../frame/source.ts'
import { textMember } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { readAgent } from '../read-agent.ts'
import { type Bump, type Change, greater } from './change.ts'
import { changesOf } from './diff.ts'

/** The verdict on a new version number: `enough` when it moved as far as the changes need (ADL 5.5). */
export interface VersionCheck {
  readonly from: string | undefined
  readonly to: string | undefined
  /** The part that moved; undefined when the version stayed, went back, or cannot be read. */
  readonly moved: Bump | undefined
  /** The least that the changes need; undefined when there are none. */
  readonly needed: Bump | undefined
  readonly enough: boolean
  /** The findings of reading both, the old one first; with an error among them, no movement is enough. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The least bump that changes need; undefined for none. */
function neededBump(changes: readonly Change[]): Bump | undefined {
  return changes.reduce<Bump | undefined>((most, { bump }) => greater(most, bump), undefined)
}

/**
 * Checks that the `version` of a new definition tells how much it changed. While the major version is 0, a breaking change
 * needs the minor one to move, for there is no greater promise to break (SemVer 2.0.0, item 4).
 *
 * @example
 * checkVersion('{"version": "1.2.0", "name": "A"}', '{"version": "1.2.0", "name": "B"}')
 * // { from: '1.2.0', to: '1.2.0', moved: undefined, needed: 'patch', enough: false, diagnostics: [] }
 *
 * @throws {TypeError} for wrong arguments.
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

/** The step of a version that a change needs: while the major version is 0, the minor one stands for it. */
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

/** The first number that differs says how far; undefined when it is smaller. */
function movement(before: Numbers, after: Numbers): Bump | undefined {
  for (const [i, bump] of (['major', 'minor', 'patch'] as const).entries()) {
    if (after[i]! !== before[i]!) return after[i]! > before[i]! ? bump : undefined
  }
  return undefined
}
