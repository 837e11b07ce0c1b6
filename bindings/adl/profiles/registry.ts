import { FINANCIAL } from './financial.ts'
import { GOVERNANCE } from './governance.ts'
import { HEALTHCARE } from './healthcare.ts'
import { PORTFOLIO } from './portfolio.ts'
import type { Profile, ProfileTemplate } from './profile.ts'
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
  return new Profiles([GOVERNANCE, PORTFOLIO, HEALTHCARE, FINANCIAL])
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
