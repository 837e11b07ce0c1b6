import type { FindingKind } from '../../document/finding.ts'
import { type Outlines, objectOf } from '../../schema/fragment.ts'
import { FINANCIAL } from './financial.ts'
import { ALL } from './findings.ts'
import { GOVERNANCE } from './governance.ts'
import { HEALTHCARE } from './healthcare.ts'
import { PORTFOLIO } from './portfolio.ts'
import type { Checks, Profile, ProfileTemplate } from './profile.ts'
import PROFILES from './profiles.json' with { type: 'json' }
import { readTemplate } from './template.ts'

/** The profiles that a validator knows. It never changes: registering a profile returns another registry. */
export class Profiles {
  readonly list: readonly Profile[]
  /** All URIs and names that a document may declare them by. */
  readonly names: readonly string[]
  readonly #byName: ReadonlyMap<string, Profile>

  /** @internal */
  constructor(list: readonly Profile[]) {
    this.list = list
    this.#byName = new Map(list.flatMap((profile) => namesOf(profile).map((name) => [name, profile])))
    this.names = [...this.#byName.keys()]
  }

  /** The profile that a document declares by its URI or a registered name. */
  find(declaration: string): Profile | undefined {
    return this.#byName.get(declaration)
  }
}

function namesOf({ identifier, name, shortName }: Profile): readonly string[] {
  return shortName === undefined ? [identifier, name] : [identifier, name, shortName]
}

/**
 * A registry of the four profiles of ADL 0.1: governance, portfolio, healthcare, financial.
 *
 * @example
 * createProfiles().find('governance')?.identifier // 'urn:adl:profile:governance:1.0'
 */
export function createProfiles(): Profiles {
  return new Profiles([
    standardProfile('Governance', GOVERNANCE),
    standardProfile('Portfolio', PORTFOLIO),
    standardProfile('Healthcare', HEALTHCARE),
    standardProfile('Financial', FINANCIAL),
  ])
}

/** One of the initial entries of the registry (ADL 17.2). Its rules are the findings whose section names it. */
function standardProfile(name: keyof typeof PROFILES, checks: Checks): Profile {
  const { members, classification }: { members: Outlines; classification?: Outlines } = PROFILES[name]
  const document = objectOf(members)
  const data = objectOf(classification ?? {})
  const rules = ALL.filter(({ section }) => section.startsWith(`${name} profile`))
  const shortName = name.toLowerCase()
  return {
    identifier: `urn:adl:profile:${shortName}:1.0`,
    name: `ADL ${name} Profile`,
    shortName,
    version: '1.0.0',
    specification: 'ADL 0.1, Appendix C',
    compatibility: '0.1.x',
    contact: { name: "The Author's Address of ADL 0.1" },
    status: 'active',
    members: document.properties,
    required: document.required,
    classification: data.properties,
    requiredClassification: data.required,
    categories: [],
    rules: rules.map((rule) => (Object.hasOwn(checks, rule.id) ? { ...rule, check: checks[rule.id]! } : rule)),
  }
}

export interface RegisterOptions {
  /** The registry to extend; defaults to the four profiles of ADL 0.1. */
  readonly profiles?: Profiles
}

/**
 * A registry with one more profile, described by the template of ADL 17.2.
 *
 * @example
 * const profiles = registerProfile({ identifier: 'https://example.com/profiles/fleet', name: 'Fleet Profile', ... })
 * validate(document, { profiles })
 *
 * @throws {TypeError} or {RangeError} that names the field, when a field is missing or invalid, redefines a member of
 * ADL, or reuses the identifier or name of a registered profile.
 */
export function registerProfile(
  template: ProfileTemplate,
  { profiles = createProfiles() }: RegisterOptions = {},
): Profiles {
  if (!(profiles instanceof Profiles)) {
    throw new TypeError(
      `profiles: expected what createProfiles gives, got ${profiles === null ? 'null' : typeof profiles}`,
    )
  }
  const profile = readTemplate(template)
  for (const name of namesOf(profile)) {
    if (profiles.find(name) !== undefined) throw new RangeError(`template: '${name}' is registered already`)
  }
  return new Profiles([...profiles.list, profile])
}

/** The rules about profiles, in addition to those of each profile. */
export const PROFILE_RULES: readonly FindingKind[] = ALL.filter(({ section }) => section.startsWith('ADL '))
