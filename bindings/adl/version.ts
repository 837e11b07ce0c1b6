// The version of ADL that a definition names.
import type { OtherVersion } from '../frame/subject.ts'
import { isSemver } from '../schema/formats.ts'
import { member, type PlacedObject } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { VAL_01 } from './findings.ts'

/** The changes of later versions, for authors who check such a document against 0.1. */
const CHANGES: readonly (readonly [begin: string, change: string])[] = [
  ['0.2.', 'ADL 0.2 has an object `extensions` instead of x_ members, and profiles compose by allOf'],
  ['0.3.', 'ADL 0.3 adds sub-agents, budgets and degradation, and has `extensions` instead of x_ members'],
  ['0.4.', 'ADL 0.4 is 0.3 with another composition of profiles, and has `extensions` instead of x_ members'],
]

/** True when the rules of 0.1 apply to a version. */
export function isSupportedVersion(version: string): boolean {
  return version.startsWith('0.1.') && isSemver(version)
}

/** Documents of another version may give the same words another meaning (ADL 5.1). */
export function otherVersion({ root }: { readonly root: PlacedObject }): OtherVersion | undefined {
  const version = member(root.value, 'adl_spec')
  if (!Object.hasOwn(root.value, 'adl_spec') || (typeof version === 'string' && isSupportedVersion(version)))
    return undefined
  const isText = typeof version === 'string'
  const change = CHANGES.find(([begin]) => isText && version.startsWith(begin))?.[1]
  const detail = `Version ${isText ? quoted(version) : shown(version)} is not supported, 0.1.x is`
  return { rule: VAL_01, pointer: '/adl_spec', detail: change === undefined ? detail : `${detail}: ${change}` }
}
