import { expectOne, type RuleOptions, type RuleSettings, ruleSettings } from '../frame/rule-settings.ts'
import { type Limits, limitsOf } from './limits.ts'
import { createProfiles, Profiles } from './profiles/registry.ts'

export interface CheckOptions extends RuleOptions {
  /** The known profiles; defaults to those of ADL 0.1. `registerProfile` adds your own. */
  readonly profiles?: Profiles
  readonly limits?: Partial<Limits>
  /** URI schemes that are allowed in addition to https, http and urn: `['s3']` (ADL 18.7). */
  readonly allowSchemes?: readonly string[]
  /** The severity of unknown members; default `error` (ADL 4.2). */
  readonly undefinedMembers?: 'error' | 'warning'
}

/** The checked options, with defaults for absent ones. */
export interface Settings extends RuleSettings {
  readonly profiles: Profiles
  readonly limits: Limits
  readonly allowSchemes: readonly string[]
  readonly undefinedMembers: 'error' | 'warning'
}

let standard: Profiles | undefined

/** @throws {TypeError} or {RangeError} that names the invalid option. */
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
  // Named one by one: in V8, spreading one object into another and adding to it takes 4 us, as long as reading 2 KB.
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
