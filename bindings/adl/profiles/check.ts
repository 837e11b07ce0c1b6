import { parsePointer } from '../../document/pointer.ts'
import type { Remarks, RuleContext, RuleInfo } from '../../document/rule.ts'
import { suggest } from '../../document/suggest.ts'
import { type Agent, elements, isText, member, type PlacedObject, textMember } from '../agent.ts'
import { classifications } from '../places.ts'
import { quoted } from '../words.ts'
import { isCompatible } from './compatibility.ts'
import { checkFragment, closedObjects, type Fragment } from './fragment.ts'
import type { Profile } from './profile.ts'
import type { Profiles } from './registry.ts'
import { DEPRECATED_PROFILE, INCOMPATIBLE_PROFILE, PROFILE_MEMBER, UNKNOWN_PROFILE } from './rules.ts'

/** Reports a finding of a rule. */
export type RuleReport = (rule: RuleInfo, pointer: string, detail: string, remarks?: Remarks) => void

/** A profile and where the document declares it. */
interface Declared {
  readonly profile: Profile
  readonly pointer: string
}

/**
 * Checks what the declared profiles demand. Each profile is checked once, and where a member is missing the finding is
 * at the profile's declaration (ADL 16.3).
 */
export function checkProfiles(agent: Agent, profiles: Profiles, report: RuleReport, context: RuleContext): void {
  for (const { pointer, value } of agent.profiles) {
    if (profiles.find(value) === undefined) {
      const near = suggest(value, profiles.names)
      const remarks = near === undefined ? {} : { fix: { hint: `did you mean '${near}'?` } }
      report(
        UNKNOWN_PROFILE,
        pointer,
        `Profile ${quoted(value)} is not known: what it demands was not checked`,
        remarks,
      )
    }
  }
  for (const declared of declaredProfiles(agent, profiles)) {
    checkStanding(agent, declared, report)
    checkShapes(agent, declared, report)
    for (const rule of declared.profile.rules) {
      rule.check?.(agent, (at, detail, remarks) => tell(agent, declared, report, rule, at, detail, remarks), context)
    }
  }
}

function declaredProfiles(agent: Agent, profiles: Profiles): readonly Declared[] {
  const declared = new Map<Profile, string>()
  for (const { pointer, value } of agent.profiles) {
    const profile = profiles.find(value)
    if (profile !== undefined && !declared.has(profile)) declared.set(profile, pointer)
  }
  return Array.from(declared, ([profile, pointer]) => ({ profile, pointer }))
}

function checkStanding(agent: Agent, { profile, pointer }: Declared, report: RuleReport): void {
  if (profile.status === 'deprecated') report(DEPRECATED_PROFILE, pointer, `${profile.name} is deprecated`)
  const version = textMember(agent.root, 'adl_spec')
  if (version !== undefined && !isCompatible(profile.compatibility, version.value)) {
    const detail = `${profile.name} is for ADL ${profile.compatibility}, not for ${quoted(version.value)}`
    report(INCOMPATIBLE_PROFILE, pointer, detail)
  }
}

function checkShapes(agent: Agent, declared: Declared, report: RuleReport): void {
  const { members, required, classification, requiredClassification, rules } = declared.profile
  const check = (fragment: Fragment, value: unknown, at: string) =>
    checkFragment(fragment, value, at, (pointer, detail, id) => {
      const rule = rules.find((candidate) => candidate.id === id) ?? PROFILE_MEMBER
      tell(agent, declared, report, rule, pointer, detail)
    })
  check({ properties: members, required }, agent.root.value, '')
  for (const { pointer, value } of classifications(agent)) {
    const own = pointer === '/data_classification'
    check({ properties: classification, required: own ? requiredClassification : [] }, value, pointer)
  }
}

function tell(
  agent: Agent,
  declared: Declared,
  report: RuleReport,
  rule: RuleInfo,
  pointer: string,
  detail: string,
  remarks: Remarks = {},
): void {
  const related = remarks.related ?? []
  if (agent.document.range(pointer) !== undefined) {
    const because = { pointer: declared.pointer, message: `demanded by the ${declared.profile.name}` }
    report(rule, pointer, detail, { ...remarks, related: [...related, because] })
    return
  }
  const name = parsePointer(pointer)!.at(-1)
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  const isThere = parent !== '' && agent.document.range(parent) !== undefined
  const place = { pointer: parent, message: `'${name}' is missing here` }
  const said = detail.startsWith('required member') ? `${declared.profile.name} requires '${name}' member` : detail
  report(rule, declared.pointer, isThere && said !== detail ? `${said} in ${parent}` : said, {
    ...remarks,
    related: isThere ? [...related, place] : related,
  })
}

/** Which members the declared profiles add, for the one place that reports unknown members. */
export interface KnownMembers {
  /** Of the document. */
  readonly root: ReadonlySet<string>
  /** Of each `data_classification`. */
  readonly classification: ReadonlySet<string>
  /** Values for `data_classification.categories`. */
  readonly categories: ReadonlySet<string>
  /** The objects inside of members that profiles add, and all names that they may have beside `x_` ones. */
  readonly objects: readonly { readonly object: PlacedObject; readonly names: ReadonlySet<string> }[]
  /** No unknown profile is declared: what is not known here is known to nobody. */
  readonly complete: boolean
}

/** Closes the document once over all profiles that it declares: what one of them knows is known. */
export function knownMembers(agent: Agent, profiles: Profiles): KnownMembers {
  const declared = declaredProfiles(agent, profiles).map(({ profile }) => profile)
  const objects = new Map<string, { readonly object: PlacedObject; readonly names: Set<string> }>()
  const close = (fragments: Readonly<Record<string, Fragment>>, { pointer: base, value: whole }: PlacedObject) => {
    for (const [name, fragment] of Object.entries(fragments)) {
      closedObjects(fragment, member(whole, name), `${base}/${name}`, (pointer, value, names) => {
        const entry = objects.get(pointer) ?? { object: { pointer, value }, names: new Set<string>() }
        for (const known of names) entry.names.add(known)
        objects.set(pointer, entry)
      })
    }
  }
  for (const { members, classification } of declared) {
    close(members, agent.root)
    for (const place of classifications(agent)) close(classification, place)
  }
  return {
    root: new Set(declared.flatMap(({ members }) => Object.keys(members))),
    classification: new Set(declared.flatMap(({ classification }) => Object.keys(classification))),
    categories: new Set(declared.flatMap(({ categories }) => categories)),
    objects: [...objects.values()],
    complete: elements(agent.root, 'profiles', isText).every(({ value }) => profiles.find(value) !== undefined),
  }
}
