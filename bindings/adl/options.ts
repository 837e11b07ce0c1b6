import { RULESETS, type Ruleset } from '../document/rule.ts'
import type { Severity } from '../document/types.ts'
import { type Limits, limitsOf } from './limits.ts'
import { createProfiles, Profiles } from './profiles/registry.ts'

export interface CheckOptions {
  /** The profiles that are known: those of ADL 0.1 when absent; `registerProfile` adds one's own. */
  readonly profiles?: Profiles
  /** The time that dates are judged by; the platform's when absent. */
  readonly now?: Date
  readonly limits?: Partial<Limits>
  /** Schemes of URIs that are allowed beside https, http and urn: `['s3']` (ADL 18.7). */
  readonly allowSchemes?: readonly string[]
  /** Which findings matter: `recommended` when absent. */
  readonly ruleset?: Ruleset
  /** Severities of rules by their ids or codes, before those of the ruleset. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>
  /** What a member that nobody defines is: an error when absent (ADL 4.2). */
  readonly undefinedMembers?: 'error' | 'warning'
  /** Diagnostics that are listed: 1000 when absent. */
  readonly maxDiagnostics?: number
}

/** The options, checked, with what is absent filled in. */
export interface Settings {
  readonly profiles: Profiles
  readonly now: Date
  readonly limits: Limits
  readonly allowSchemes: readonly string[]
  readonly ruleset: Ruleset
  readonly rules: Readonly<Record<string, Severity | 'off'>>
  readonly undefinedMembers: 'error' | 'warning'
  readonly maxDiagnostics: number
}

let standard: Profiles | undefined

const SEVERITIES = ['error', 'warning', 'info', 'off']

/** @throws {TypeError} or {RangeError} naming the option that is none. */
export function settingsOf(options: CheckOptions): Settings {
  const { ruleset = 'recommended', rules = {}, undefinedMembers = 'error', maxDiagnostics = 1000 } = options
  const { now = new Date(), allowSchemes = [] } = options
  if (!Array.isArray(allowSchemes) || !allowSchemes.every((scheme) => typeof scheme === 'string')) {
    throw new TypeError('allowSchemes: expected an array of strings')
  }
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now: expected a valid Date')
  if (options.profiles !== undefined && !(options.profiles instanceof Profiles)) {
    throw new TypeError('profiles: expected what createProfiles or registerProfile gives')
  }
  expectOne('ruleset', RULESETS, ruleset)
  expectOne('undefinedMembers', ['error', 'warning'], undefinedMembers)
  if (typeof rules !== 'object' || rules === null)
    throw new TypeError(`rules: expected an object, got ${String(rules)}`)
  for (const [rule, severity] of Object.entries(rules))
    expectOne(`rules[${JSON.stringify(rule)}]`, SEVERITIES, severity)
  if (!Number.isInteger(maxDiagnostics) || maxDiagnostics < 1) {
    throw new RangeError(`maxDiagnostics: expected a positive integer, got ${String(maxDiagnostics)}`)
  }
  standard ??= createProfiles()
  const profiles = options.profiles ?? standard
  const schemes = allowSchemes.map((scheme) => scheme.toLowerCase())
  const limits = limitsOf(options.limits)
  return { profiles, now, limits, allowSchemes: schemes, ruleset, rules, undefinedMembers, maxDiagnostics }
}

function expectOne(name: string, wanted: readonly string[], value: unknown): void {
  if (typeof value === 'string' && wanted.includes(value)) return
  const got = typeof value === 'string' ? JSON.stringify(value) : String(value)
  throw new RangeError(`${name}: expected ${wanted.slice(0, -1).join(', ')} or ${wanted.at(-1)}, got ${got}`)
}
