// Options that turn rules on and off and set their severities: the same for every specification.
import type { Ruleset } from '../document/finding.ts'
import type { Severity } from '../document/types.ts'
import { checkedNow } from '../text/moment.ts'
import { RULESETS, type Rule, severityOf } from './subject.ts'

export interface RuleOptions {
  /** The current time, for judging dates; default: the platform's clock. */
  readonly now?: Date
  /** The set of rules; default: `recommended`. */
  readonly ruleset?: Ruleset
  /** Severities by rule id or code; they override those of the ruleset. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>
  /** The number of diagnostics listed at most; default: 1000. */
  readonly maxDiagnostics?: number
}

/** Validated options with their defaults filled in. */
export type RuleSettings = Required<RuleOptions>

const SEVERITIES = ['error', 'warning', 'info', 'off']

/** @throws {TypeError} or {RangeError} that names the invalid option. */
export function ruleSettings(options: RuleOptions): RuleSettings {
  const { ruleset = 'recommended', rules = {}, maxDiagnostics = 1000 } = options
  const now = checkedNow(options.now)
  expectOne('ruleset', RULESETS, ruleset)
  if (typeof rules !== 'object' || rules === null)
    throw new TypeError(`rules: expected an object, got ${String(rules)}`)
  for (const [rule, severity] of Object.entries(rules))
    expectOne(`rules[${JSON.stringify(rule)}]`, SEVERITIES, severity)
  if (!Number.isInteger(maxDiagnostics) || maxDiagnostics < 1) {
    throw new RangeError(`maxDiagnostics: expected a positive integer, got ${String(maxDiagnostics)}`)
  }
  return { now, ruleset, rules, maxDiagnostics }
}

/** @throws {RangeError} that names the option with a value that is not allowed. */
export function expectOne(name: string, wanted: readonly string[], value: unknown): void {
  if (typeof value === 'string' && wanted.includes(value)) return
  const got = typeof value === 'string' ? JSON.stringify(value) : String(value)
  throw new RangeError(`${name}: expected ${wanted.slice(0, -1).join(', ')} or ${wanted.at(-1)}, got ${got}`)
}

/** The rules that are on, each with its severity. */
export type ActiveRules<Subject> = readonly (readonly [rule: Rule<Subject>, level: Severity])[]

const known = new WeakMap<object, Map<Ruleset, ActiveRules<unknown>>>()

/** The rules that are not off. The result for each ruleset is cached. */
export function activeRules<Subject>(
  all: readonly Rule<Subject>[],
  { ruleset, rules }: RuleSettings,
): ActiveRules<Subject> {
  if (Object.keys(rules).length > 0) return selectRules(all, ruleset, rules)
  let lists = known.get(all)
  if (lists === undefined) {
    lists = new Map()
    known.set(all, lists)
  }
  let list = lists.get(ruleset)
  if (list === undefined) {
    list = selectRules(all, ruleset, rules)
    lists.set(ruleset, list)
  }
  return list
}

function selectRules<Subject>(all: readonly Rule<Subject>[], ruleset: Ruleset, rules: RuleSettings['rules']) {
  return all.flatMap((rule) => {
    const level = severityOf(rule, ruleset, rules)
    return level === 'off' ? [] : [[rule, level] as const]
  })
}
