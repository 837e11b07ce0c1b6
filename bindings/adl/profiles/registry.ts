import type { FindingKind } from '../../document/finding.ts'
import { isUri } from '../../schema/formats.ts'
import { type Outlines, objectOf } from '../../schema/fragment.ts'
import { timeOf } from '../../schema/times.ts'
import { isCurrency, isRegion } from '../../tables/index.ts'
import { elements, isObject, isText, objectMember, textIn, textMember, valueIn } from '../../text/members.ts'
import { quoted, shown } from '../../text/words.ts'
import type { Agent } from '../subject.ts'
import { ALL } from './findings.ts'
import { type Checks, foundIn, type Profile, type ProfileRule, type ProfileTemplate } from './profile.ts'
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
    this.#byName = new Map(list.flatMap((profile) => profileNames(profile).map((name) => [name, profile])))
    this.names = [...this.#byName.keys()]
  }

  /** The profile that a document declares by its URI or a registered name. */
  find(declaration: string): Profile | undefined {
    return this.#byName.get(declaration)
  }
}

function profileNames({ identifier, name, shortName }: Profile): readonly string[] {
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

export declare namespace registerProfile {
  type Template = ProfileTemplate

  interface Options {
    /** The registry to extend; defaults to the four profiles of ADL 0.1. */
    readonly profiles?: Profiles
  }
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
  { profiles = createProfiles() }: registerProfile.Options = {},
): Profiles {
  if (!(profiles instanceof Profiles)) {
    throw new TypeError(
      `profiles: expected what createProfiles gives, got ${profiles === null ? 'null' : typeof profiles}`,
    )
  }
  const profile = readTemplate(template)
  for (const name of profileNames(profile)) {
    if (profiles.find(name) !== undefined) throw new RangeError(`template: '${name}' is registered already`)
  }
  return new Profiles([...profiles.list, profile])
}

/** The rules about profiles, in addition to those of each profile. */
export const PROFILE_RULES: readonly FindingKind[] = ALL.filter(({ section }) => section.startsWith('ADL '))

// The financial profile 1.0; its members and rules are the same in all revisions.

/** Days for which MiFID II (2014/65/EU article 16(7)) requires records to be kept: five years. */
const MIFID_DAYS = 1825

const regulations = ({ root }: Agent) =>
  elements(objectMember(root, 'regulatory_scope'), 'applicable_regulations', isText).map(({ value }) => value)

const isMifid = (agent: Agent) => regulations(agent).includes('MIFID_II')

const FINANCIAL: Checks = {
  'FIN-03': ({ classification, root }, report) => {
    const scope = objectMember(root, 'financial_data_handling', 'pci_scope')
    const financial = objectMember(classification, 'financial')
    if (valueIn(scope, 'in_scope') !== true || !Array.isArray(valueIn(financial, 'data_types'))) return
    if (elements(financial, 'data_types', isText).some(({ value }) => value === 'cardholder_data')) return
    report(`${financial?.pointer}/data_types`, "pci_scope.in_scope requires 'cardholder_data' among the data_types")
  },
  'FIN-04': ({ root }, report) => {
    const limits = objectMember(root, 'transaction_controls', 'transaction_limits')
    const currency = textMember(limits, 'currency')
    if (currency !== undefined && !isCurrency(currency.value)) {
      report(currency.pointer, `expected a currency of ISO 4217, such as USD, found ${shown(currency.value)}`)
    }
  },
  'FIN-07': ({ root }, report) => {
    for (const place of elements(objectMember(root, 'financial_data_handling'), 'data_residency', isObject)) {
      const jurisdiction = textMember(place, 'jurisdiction')
      if (jurisdiction !== undefined && !isRegion(jurisdiction.value)) {
        const found = shown(jurisdiction.value)
        report(jurisdiction.pointer, `expected a country of ISO 3166-1, such as US, or EU, found ${found}`)
      }
    }
  },
  'FIN-11': (agent, report) => {
    if (!isMifid(agent)) return
    const days = valueIn(objectMember(agent.root, 'regulatory_scope', 'record_retention'), 'min_retention_days')
    if (days !== undefined && (typeof days !== 'number' || days >= MIFID_DAYS)) return
    const detail = `MIFID_II requires record_retention.min_retention_days of at least ${MIFID_DAYS}${foundIn(days)}`
    report('/regulatory_scope/record_retention/min_retention_days', detail)
  },
  'FIN-12': (agent, report) => {
    const controls = objectMember(agent.root, 'transaction_controls')
    if (controls === undefined || !isMifid(agent)) return
    const enabled = valueIn(controls, 'kill_switch', 'enabled')
    if (enabled === undefined || enabled === false) {
      const detail = `MIFID_II requires transaction_controls.kill_switch.enabled to be true${foundIn(enabled)}`
      report(`${controls.pointer}/kill_switch/enabled`, detail)
    }
  },
  'FIN-14': ({ classification }, report) => {
    if (classification === undefined) return
    if (elements(classification, 'categories', isText).some(({ value }) => value === 'financial')) return
    const detail = "Financial profile requires the category 'financial' in data_classification"
    report('/data_classification/categories', detail)
  },
}

// The governance profile 1.0: the members of its revision of February 2026, which ADL 0.1 refers to, and those that the
// revisions of March to May added under the same name.
//
// The tiers of autonomy, from the revisions of the governance profile of March to May 2026. ADL 0.1 refers to an
// earlier revision without tiers. So a document that does not mention autonomy only gets advice, and one that does must
// meet the rules of its tier.

const DAY = 86_400_000

/** The tier that the document declares; 0 if it declares no valid tier. */
function tierOf({ root }: Agent): number {
  const tier = valueIn(root, 'autonomy', 'tier')
  return tier === 1 || tier === 2 || tier === 3 ? tier : 0
}

/** Whole days from one time to another; NaN if either is invalid. */
const daysBetween = (from: number, to: number) => Math.floor((to - from) / DAY)

function momentOf(of: ReturnType<typeof objectMember>, name: string): number {
  const text = textIn(of, name) ?? ''
  return timeOf(text) ?? Date.parse(text)
}

const GOVERNANCE: Checks = {
  'GOV-06': ({ root }, report) => {
    if (valueIn(root, 'lifecycle') !== undefined) return
    report('/lifecycle', "Governance profile requires 'lifecycle' member")
  },
  'GOV-10': ({ root }, report) => {
    if (valueIn(root, 'autonomy') !== undefined) return
    report('/autonomy', "Governance profile recommends 'autonomy' member: its later revisions require it")
  },
  'GOV-12': (agent, report) => {
    if (tierOf(agent) < 2 || valueIn(agent.root, 'human_oversight') !== undefined) return
    report('/human_oversight', "Autonomy tier 2 and 3 require 'human_oversight' member")
  },
  'GOV-13': (agent, report) => {
    const oversight = objectMember(agent.root, 'human_oversight')
    if (tierOf(agent) < 2 || oversight === undefined) return
    for (const name of ['triggers', 'response_time_minutes']) {
      if (valueIn(oversight, name) !== undefined) continue
      report(`${oversight.pointer}/${name}`, `Autonomy tier 2 and 3 require '${name}' in ${oversight.pointer}`)
    }
  },
  'GOV-14': demandTrue(2, 'incident_response', 'policy_documented'),
  'GOV-15': demandTrue(2, 'disclosure', 'required'),
  'GOV-16': (agent, report) => {
    if (tierOf(agent) < 3) return
    const evaluation = valueIn(agent.root, 'evaluation_attestation')
    const result = textMember(agent.root, 'evaluation_attestation', 'result')
    const detail = "Autonomy tier 3 requires evaluation_attestation.result to be 'passed'"
    if (evaluation === undefined) report('/evaluation_attestation', detail)
    else if (result?.value === 'conditional' || result?.value === 'failed')
      report(result.pointer, detail + foundIn(result.value))
  },
  'GOV-17': (agent, report) => {
    if (tierOf(agent) < 3 || valueIn(agent.root, 'governance_record_ref') !== undefined) return
    report('/governance_record_ref', "Autonomy tier 3 recommends 'governance_record_ref' member")
  },
  'governance-incident-test': ({ root }, report, { now }) => {
    const response = objectMember(root, 'incident_response')
    if (response === undefined) return
    const pointer = `${response.pointer}/last_tested`
    if (valueIn(response, 'last_tested') === undefined) {
      report(pointer, "incident_response has no 'last_tested'")
      return
    }
    const days = daysBetween(momentOf(response, 'last_tested'), now.getTime())
    if (days > 90) report(pointer, `incident_response was last tested ${days} days ago, expected at most 90`)
  },
  'governance-evaluation-conditional': (agent, report) => {
    const result = textMember(agent.root, 'evaluation_attestation', 'result')
    // Tier 3 requires more, which GOV-16 checks.
    if (result?.value !== 'conditional' || tierOf(agent) === 3) return
    report(result.pointer, 'The evaluation was passed under conditions: see that they hold')
  },
  'governance-evaluation-expiry': ({ root }, report, { now }) => {
    const evaluation = objectMember(root, 'evaluation_attestation')
    const expires = momentOf(evaluation, 'expires_at')
    const days = daysBetween(now.getTime(), expires)
    const pointer = `${evaluation?.pointer}/expires_at`
    if (expires <= now.getTime()) report(pointer, 'The evaluation has expired')
    else if (days < 30) report(pointer, `The evaluation expires in ${days} days`)
  },
  'governance-autonomy-level': (agent, report) => {
    const level = textMember(agent.root, 'risk_classification', 'autonomy_level')
    const tier = tierOf(agent)
    if (level === undefined || tier === 0 || !/^L[0-5]$/.test(level.value)) return
    const fitting = Math.floor(Number(level.value[1]) / 2) + 1
    if (fitting !== tier)
      report(level.pointer, `autonomy_level ${level.value} is of tier ${fitting}, autonomy.tier is ${tier}`)
  },
}

/** From this tier on, a member must be present and its flag true. */
function demandTrue(from: number, name: string, flag: string): NonNullable<ProfileRule['check']> {
  return (agent, report) => {
    if (tierOf(agent) < from) return
    const detail = `Autonomy tier ${from} and above requires ${name}.${flag} to be true`
    const there = objectMember(agent.root, name)
    if (valueIn(agent.root, name) === undefined) report(`/${name}`, detail)
    else if (valueIn(there, flag) === false) report(`${there?.pointer}/${flag}`, detail + foundIn(false))
  }
}

// The healthcare profile 1.0; its members and rules are the same in all revisions.

const HEALTHCARE: Checks = {
  'HC-11': ({ classification, root }, report) => {
    const types = elements(objectMember(classification, 'healthcare'), 'phi_types', isText)
    if (!types.some(({ value }) => value === 'substance_use')) return
    const handling = objectMember(root, 'phi_handling')
    if (handling === undefined || valueIn(handling, 'consent_management') !== undefined) return
    report(
      '/phi_handling/consent_management',
      "phi_types 'substance_use' requires 'consent_management' in /phi_handling",
    )
  },
  'HC-14': ({ root }, report) => {
    const safety = objectMember(root, 'clinical_safety')
    const device = textMember(safety, 'fda_classification', 'device_class')
    const isDevice = ['class_I', 'class_II', 'class_III'].includes(device?.value ?? '')
    if (!isDevice || valueIn(safety, 'change_control') !== undefined) return
    report(
      '/clinical_safety/change_control',
      `device_class '${device?.value}' requires 'change_control' in /clinical_safety`,
    )
  },
  'HC-15': ({ root }, report) => {
    const dsi = objectMember(root, 'interoperability', 'dsi_transparency')
    if (valueIn(dsi, 'predictive_dsi') !== true) return
    for (const name of ['source_attributes_published', 'irm_practices']) {
      const value = valueIn(dsi, name)
      if (value === undefined || value === false)
        report(`${dsi?.pointer}/${name}`, `predictive_dsi requires '${name}' to be true${foundIn(value)}`)
    }
  },
  'HC-17': ({ classification }, report) => {
    if (classification === undefined) return
    const categories = elements(classification, 'categories', isText)
    if (categories.some(({ value }) => value === 'phi')) return
    report('/data_classification/categories', "Healthcare profile requires the category 'phi' in data_classification")
  },
}

// The portfolio profile 1.0 in its revision of February 2026, which ADL 0.1 refers to. The revision of March moved
// `inventory` elsewhere and requires `relationships` or `domain`. Any of the three is accepted.

const PLACES = ['inventory', 'relationships', 'domain']

const PORTFOLIO: Checks = {
  'PFL-01': ({ root }, report) => {
    if (PLACES.some((name) => valueIn(root, name) !== undefined)) return
    report('/inventory', "Portfolio profile requires 'inventory' member, or 'relationships' or 'domain'")
  },
  'portfolio-uri': ({ root }, report) => {
    const relationships = objectMember(root, 'relationships')
    const agents = ['depends_on', 'composed_of', 'peers'].flatMap((name) => elements(relationships, name, isText))
    const single = [textMember(relationships, 'orchestrated_by'), textMember(root, 'domain', 'domain_id')]
    for (const place of [...agents, ...single]) {
      if (place !== undefined && !isUri(place.value)) report(place.pointer, `${quoted(place.value)} should be a URI`)
    }
  },
}
