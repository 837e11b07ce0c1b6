// Every finding of every folder, for commands that explain findings.
import { agpFindings } from './agp/explanations.ts'
import { CONVERT_FINDINGS } from './convert/problems.ts'
import { coreFindings } from './core/explanations.ts'
import { DIRECTORY_FINDINGS } from './directory/findings.ts'
import { checkFindings } from './discover/check/explanations.ts'
import { dnsFindings } from './discover/dns/explanations.ts'
import { trustFindings } from './discover/trust/explanations.ts'
import { readingFindings } from './document/explanations.ts'
import { KIND_FINDINGS } from './frame/refuse.ts'
import type { RuleInfo, RuleKind } from './frame/rule.ts'
import { everyFinding } from './frame/specification.ts'
import { keyFindings } from './keys/explanations.ts'
import { fetchFindings } from './net/explanations.ts'
import { CHECKED, VERB_FINDINGS } from './specifications.ts'

/** Every finding once, except those of profiles that a caller registers. */
export function catalogue(): readonly RuleInfo[] {
  return [
    ...new Set<RuleInfo>([
      ...readingFindings(),
      ...coreFindings(),
      ...keyFindings(),
      ...KIND_FINDINGS,
      ...fetchFindings(),
      ...dnsFindings(),
      ...trustFindings(),
      ...checkFindings(),
      ...agpFindings(),
      ...CHECKED.flatMap((specification) => everyFinding(specification)).filter(isExplained),
      ...Object.values(VERB_FINDINGS).flat(),
      ...CONVERT_FINDINGS,
      ...DIRECTORY_FINDINGS,
    ]),
  ]
}

/** A profile's rule may lack an explanation; all of ours have one. */
const isExplained = (row: RuleKind): row is RuleInfo => 'why' in row

let byName: ReadonlyMap<string, RuleInfo> | undefined

/**
 * The requirement behind a finding and its reason; undefined for an unknown one. Specifications share ids, but not
 * codes.
 */
export function findRule(id: string, code: string): RuleInfo | undefined {
  byName ??= new Map(catalogue().map((row) => [`${row.code} ${row.id}`, row]))
  return byName.get(`${code} ${id}`)
}
