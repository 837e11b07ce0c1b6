import { expectOne, type RuleOptions, type RuleSettings, ruleSettings } from '../frame/rule-settings.ts'
import { type Limits, limitsOf } from './limits.ts'
import { createProfiles, Profiles } from './profiles/registry.ts'

export interface CheckOptions extends RuleOptions {
  /** The profiles that are known: those of ADL 0.1 when absent; `registerProfile` adds one's own. */
  readonly profiles?: Profiles
  readonly limits?: Partial<Limits>
  /** Schemes of URIs that are allowed beside https, http and urn: `['s3']` (ADL 18.7). */
  readonly allowSchemes?: readonly string[]
  /** The severity of a member that nobody defines: an error when absent (ADL 4.2). */
  readonly undefinedMembers?: 'error' | 'warning'
}

/** The options, checked, with defaults for absent ones. */
export interface Settings extends RuleSettings {
  readonly profiles: Profiles
  readonly limits: Limits
  readonly allowSchemes: readonly string[]
  readonly undefinedMembers: 'error' | 'warning'
}

let standard: Profiles | undefined

/** @throws {TypeError} or {RangeError} that names the wrong option. */
export function settingsOf(options: CheckOptions): Settings {
  const { undefinedMembers = 'error', allowSchemes = [] } = options
  if (!Array.isArray(allowSchemes) || !allowSchemes.every((scheme) => typeof scheme === 'string')) {
    throw new TypeError('allowSchemes: expected an array of strings')
  }
  if (options.profiles !== undefined && !(options.profiles instanceof Profiles)) {
    throw new TypeError('profiles: expected what createProfiles or registerProfile gives')
  }
  expectOne('undefinedMembers', ['error', 'warning'], undefinedMembers)
  standard ??= createProfiles()
  const { now, ruleset, rules, maxDiagnostics } = ruleSettings(options)
  // Name by name: V8 takes 4 us to spread one object into another and add to it, as long as for reading 2 KB.
  return {
    now,
    ruleset,
    rules,
    maxDiagnostics,
    profiles: options.profiles ?? standard,
    limits: limitsOf(options.limits),
    allowSchemes: allowSchemes.map((scheme) => scheme.toLowerCase()),
    undefinedMembers,
  }
}
