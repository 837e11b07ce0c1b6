// The rules of every specification, for those who explain findings.
import { everyRule as everyAdlRule, knownRules as knownAdlRules } from './adl/catalogue.ts'
import type { Profiles } from './adl/profiles/registry.ts'
import { everyCardRule } from './card/catalogue.ts'
import { DIRECTORY_FINDINGS } from './directory/findings.ts'
import { DISCOVERY_FINDINGS } from './discover/findings.ts'
import { ruleNames } from './document/known-rules.ts'
import type { RuleInfo } from './document/rule.ts'

/** Every rule that anything checks; one may stand in it twice. */
export function everyRule(): readonly RuleInfo[] {
  return [...everyAdlRule(), ...everyCardRule(), ...DIRECTORY_FINDINGS, ...DISCOVERY_FINDINGS]
}

let byName: ReadonlyMap<string, RuleInfo> | undefined

/** What a finding's rule demands and why. Specifications share ids, not codes; undefined for a rule that there is none of. */
export function findRule(id: string, code: string): RuleInfo | undefined {
  byName ??= new Map(everyRule().map((rule) => [`${rule.code} ${rule.id}`, rule]))
  return byName.get(`${code} ${id}`)
}

let names: ReadonlySet<string> | undefined

/** The ids and codes of every rule, and of those of these profiles. */
export function knownRules(profiles?: Profiles): ReadonlySet<string> {
  names ??= new Set([...knownAdlRules(), ...ruleNames(everyCardRule())])
  return profiles === undefined ? names : new Set([...names, ...knownAdlRules(profiles)])
}
