import type { Rule } from '../../frame/rule.ts'
import { isSemver } from '../../schema/formats.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { VAL_01 } from '../findings.ts'

/** The changes of later versions, for authors who check such a document against 0.1. */
const CHANGES: readonly (readonly [begin: string, change: string])[] = [
  ['0.2.', 'ADL 0.2 has an object `extensions` in place of x_ members, and profiles compose by allOf'],
  ['0.3.', 'ADL 0.3 adds sub-agents, budgets and degradation, and has `extensions` in place of x_ members'],
  ['0.4.', 'ADL 0.4 is 0.3 with another composition of profiles, and has `extensions` in place of x_ members'],
]

/** True when these rules apply to a version. */
export function isSupportedVersion(version: string): boolean {
  return version.startsWith('0.1.') && isSemver(version)
}

export const specVersion: Rule<Agent> = {
  ...VAL_01,
  check({ root }, report) {
    const version = textMember(root, 'adl_spec')
    // The schema reports a text that is not a version, under this rule.
    if (version === undefined || !isSemver(version.value) || isSupportedVersion(version.value)) return
    const change = CHANGES.find(([begin]) => version.value.startsWith(begin))?.[1]
    const detail = `Version ${quoted(version.value)} is not supported, 0.1.x is`
    report(version.pointer, change === undefined ? detail : `${detail}: ${change}`)
  },
}
