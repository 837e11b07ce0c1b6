// Capabilities of CTX-1: what they say, and whether one list covers another. CTX-1 defines no matching, so only what is
// certain counts.

/** At least two words, separated by colons. */
const GRAMMAR = /^[a-z0-9_-]+(?::[a-z0-9_-]+)+$/
const BUDGET = /^budget:([a-z0-9_-]+):(0|[1-9]\d{0,14})$/
const ENVIRONMENT = /^env:[a-z0-9_-]+$/
/** Prefixes of capabilities that restrict what the others grant. */
const RESTRICTIONS: readonly string[] = ['budget', 'env']

export declare namespace parseCapability {
  interface Result {
    /** `perm`. */
    readonly prefix: string
    /** `['files', 'read']`. */
    readonly segments: readonly string[]
  }
}

/**
 * Parses a capability; undefined when it is malformed.
 *
 * @example
 * parseCapability('perm:files:read') // { prefix: 'perm', segments: ['files', 'read'] }
 */
export function parseCapability(text: string): parseCapability.Result | undefined {
  if (!GRAMMAR.test(text)) return undefined
  const [prefix, ...segments] = text.split(':') as [string, ...string[]]
  return { prefix, segments }
}

export declare namespace covers {
  interface Options {
    /** Prefixes of restrictions in addition to budget and env. */
    readonly restrictions?: readonly string[]
  }

  interface Result {
    /** True when everything needed is granted, and every restriction of the grants is understood. */
    readonly covered: boolean
    readonly missing: readonly string[]
    /** Restrictions among the grants that are not understood: they deny everything. */
    readonly notUnderstood: readonly string[]
  }
}

/**
 * Whether granted capabilities cover needed ones. A capability covers only itself, and a budget also a smaller one of
 * its unit: `perm:files` does not cover `perm:files:read`.
 *
 * @example
 * covers(['budget:usd:100'], ['budget:usd:20']).covered // true
 */
export function covers(
  granted: readonly string[],
  needed: readonly string[],
  options: covers.Options = {},
): covers.Result {
  const restrictions = [...RESTRICTIONS, ...(options.restrictions ?? [])]
  const notUnderstood = granted.filter((text) => isRestriction(text, restrictions) && !isUnderstood(text))
  const exact = new Set(granted)
  const budgets = budgetsOf(granted)
  const missing = needed.filter((text) => !exact.has(text) && !fitsBudgets(text, budgets))
  return { covered: missing.length === 0 && notUnderstood.length === 0, missing, notUnderstood }
}

const isRestriction = (text: string, prefixes: readonly string[]) =>
  prefixes.some((prefix) => text.toLowerCase().startsWith(`${prefix}:`))

const isUnderstood = (text: string) => BUDGET.test(text) || ENVIRONMENT.test(text)

/** The lowest budget of each unit: of two, the stricter one counts. */
function budgetsOf(granted: readonly string[]): ReadonlyMap<string, number> {
  const lowest = new Map<string, number>()
  for (const text of granted) {
    const [, unit, amount] = BUDGET.exec(text) ?? []
    if (unit !== undefined) lowest.set(unit, Math.min(Number(amount), lowest.get(unit) ?? Number.POSITIVE_INFINITY))
  }
  return lowest
}

function fitsBudgets(needed: string, budgets: ReadonlyMap<string, number>): boolean {
  const [, unit, amount] = BUDGET.exec(needed) ?? []
  return unit !== undefined && Number(amount) <= (budgets.get(unit) ?? -1)
}
