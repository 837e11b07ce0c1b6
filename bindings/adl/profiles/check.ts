import type { FindingKind } from '../../document/finding.ts'
import { didYouMean } from '../../document/fixes.ts'
import type { RelatedPlace } from '../../document/types.ts'
import type { Remarks, Report, RuleContext } from '../../frame/subject.ts'
import {
  checkFragment,
  closedObjects,
  DESCRIBING,
  type Fragment,
  type FragmentFault,
  type FragmentReport,
  hasParts,
  isClosed,
} from '../../schema/fragment.ts'
import type { CompiledSchema } from '../../schema/run.ts'
import {
  elements,
  escapeToken,
  isText,
  type JsonObject,
  member,
  type PlacedObject,
  type PlacedValue,
  parsePointer,
  repetitions,
  textMember,
  valueIn,
} from '../../text/members.ts'
import { quoted, suggest } from '../../text/words.ts'
import { classifications } from '../places.ts'
import { type Agent, isExtension } from '../subject.ts'
import * as FINDINGS from './findings.ts'
import type { Profile } from './profile.ts'
import type { Profiles } from './registry.ts'
import { isCompatible } from './template.ts'

/** Reports a finding of a rule. */
export type RuleReport = (rule: FindingKind, pointer: string, detail: string, remarks?: Remarks) => void

/** Each unknown name is compared with every known one, and a hostile document has very many. */
const MOST_SUGGESTIONS = 20

/** A profile and the place where the document declares it. */
interface DeclaredProfile {
  readonly profile: Profile
  readonly pointer: string
}

/**
 * Checks the requirements of the declared profiles. Each profile is checked once. A finding about a missing member
 * points to the profile's declaration (ADL 16.3).
 */
export function checkProfiles(agent: Agent, profiles: Profiles, report: RuleReport, context: RuleContext): void {
  const unknown = agent.profiles.filter(({ value }) => profiles.find(value) === undefined)
  for (const [i, { pointer, value }] of unknown.entries()) {
    const near = i < MOST_SUGGESTIONS ? suggest(value, profiles.names) : undefined
    const remarks = didYouMean(near && `'${near}'`)
    const detail = `Profile ${quoted(value)} is not known: what it demands was not checked`
    report(FINDINGS.UNKNOWN_PROFILE, pointer, detail, remarks)
  }
  checkRepetitions(agent, profiles, report)
  for (const declared of declaredProfiles(agent, profiles)) {
    checkStanding(agent, declared, report)
    checkShapes(agent, declared, report)
    for (const rule of declared.profile.rules) {
      rule.check?.(agent, tellFinding(agent, declared, report, rule), context)
    }
  }
}

/** Reports profiles that are declared twice, possibly once by URI and once by name. */
function checkRepetitions(agent: Agent, profiles: Profiles, report: RuleReport): void {
  const identifierOf = ({ value }: PlacedValue<string>) => profiles.find(value)?.identifier ?? value
  for (const [{ pointer, value }, first] of repetitions(agent.profiles, identifierOf)) {
    const detail = `${quoted(value)} is declared already${first.value === value ? '' : `, as ${quoted(first.value)}`}`
    report(FINDINGS.DUPLICATE_PROFILE, pointer, detail, { related: [{ pointer: first.pointer, message: 'the first' }] })
  }
}

function declaredProfiles(agent: Agent, profiles: Profiles): readonly DeclaredProfile[] {
  const declared = new Map<Profile, string>()
  for (const { pointer, value } of agent.profiles) {
    const profile = profiles.find(value)
    if (profile !== undefined && !declared.has(profile)) declared.set(profile, pointer)
  }
  return Array.from(declared, ([profile, pointer]) => ({ profile, pointer }))
}

function checkStanding(agent: Agent, { profile, pointer }: DeclaredProfile, report: RuleReport): void {
  if (profile.status === 'deprecated') report(FINDINGS.DEPRECATED_PROFILE, pointer, `${profile.name} is deprecated`)
  const version = textMember(agent.root, 'adl_spec')
  if (version !== undefined && !isCompatible(profile.compatibility, version.value)) {
    const detail = `${profile.name} is for ADL ${profile.compatibility}, not for ${quoted(version.value)}`
    report(FINDINGS.INCOMPATIBLE_PROFILE, pointer, detail)
  }
}

function checkShapes(agent: Agent, declared: DeclaredProfile, report: RuleReport): void {
  const { members, required, classification, requiredClassification, rules, rest } = declared.profile
  const reportFault = (fault: FragmentFault) => {
    const rule = rules.find(({ id }) => id === fault.rule) ?? FINDINGS.PROFILE_MEMBER
    if (fault.missing) tellMissing(declared, report, rule, fault.pointer)
    else tellWrong(declared, report, rule, fault.pointer, fault.detail)
  }
  const check = (properties: Readonly<Record<string, Fragment>>, names: readonly string[], of: PlacedObject) => {
    checkFragment({ properties, required: names }, of.value, of.pointer, reportFault)
    for (const [name, fragment] of rest === undefined ? [] : Object.entries(properties)) {
      const whole = rest?.get(fragment)
      const value = valueIn(of, name)
      if (whole !== undefined && value !== undefined)
        checkRest(fragment, whole, value, `${of.pointer}/${name}`, reportFault)
    }
  }
  check(members, required, agent.root)
  for (const place of classifications(agent)) {
    check(classification, place.pointer === '/data_classification' ? requiredClassification : [], place)
  }
}

/** Reports a rule at the place that it names, or as missing if nothing is at that place. */
function tellFinding(agent: Agent, declared: DeclaredProfile, report: RuleReport, rule: FindingKind): Report {
  return (pointer, detail, remarks) => {
    if (isThere(agent, pointer)) tellWrong(declared, report, rule, pointer, detail, remarks)
    else report(rule, declared.pointer, detail, { ...remarks, related: relatedTo(pointer, remarks) })
  }
}

function tellWrong(
  { profile, pointer: declaration }: DeclaredProfile,
  report: RuleReport,
  rule: FindingKind,
  pointer: string,
  detail: string,
  remarks: Remarks = {},
): void {
  const because = { pointer: declaration, message: `demanded by the ${profile.name}` }
  report(rule, pointer, detail, { ...remarks, related: [...(remarks.related ?? []), because] })
}

function tellMissing(
  { profile, pointer: declaration }: DeclaredProfile,
  report: RuleReport,
  rule: FindingKind,
  pointer: string,
) {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  const detail = `${profile.name} requires '${parsePointer(pointer)!.at(-1)}' member${parent && ` in ${parent}`}`
  report(rule, declaration, detail, { related: relatedTo(pointer) })
}

/** The object that lacks a member, unless that is the document itself. */
function relatedTo(pointer: string, { related = [] }: Remarks = {}): readonly RelatedPlace[] {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  if (parent === '') return related
  return [...related, { pointer: parent, message: `'${parsePointer(pointer)!.at(-1)}' is missing here` }]
}

/** Looks the place up in the value: finding it in the text of a long array takes time in proportion to the array. */
function isThere({ root }: Agent, pointer: string): boolean {
  let value: unknown = root.value
  for (const token of parsePointer(pointer) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return false
    value = (value as JsonObject)[token]
  }
  return true
}

/** The members that the declared profiles add. One place reports unknown members and uses these. */
export interface KnownMembers {
  /** Members of the document. */
  readonly root: ReadonlySet<string>
  /** Members of each `data_classification`. */
  readonly classification: ReadonlySet<string>
  /** Values for `data_classification.categories`. */
  readonly categories: ReadonlySet<string>
  /** The objects inside members that profiles add, with all names that they may have in addition to `x_` ones. */
  readonly objects: readonly { readonly object: PlacedObject; readonly names: ReadonlySet<string> }[]
  /** True when all declared profiles are known, so that unknown members are certainly undefined. */
  readonly complete: boolean
}

/** Collects the members of all profiles that the document declares: a member that one of them defines is known. */
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

/** Keywords that would forbid extension members, which are allowed everywhere (ADL 4.3). */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

/** Reports the faults of a value that fragment.ts has not reported, with bindings/schema. */
function checkRest(
  fragment: Fragment,
  schema: CompiledSchema,
  value: unknown,
  pointer: string,
  report: FragmentReport,
): void {
  for (const { schemaPointer, instancePointer, keyword, params, message } of schema.validate(value)) {
    const { rule, reported } = traceSchema(fragment, parsePointer(schemaPointer) ?? [], keyword)
    if (reported || (CLOSING.has(keyword) && isExtension(parsePointer(instancePointer)?.at(-1) ?? ''))) continue
    const missing = keyword === 'required'
    const at = `${pointer}${instancePointer}${missing ? `/${escapeToken(String(params['name']))}` : ''}`
    report({ pointer: at, detail: message, rule, missing })
  }
}

/**
 * The rule of the innermost schema on the path to a keyword that names one, and whether fragment.ts has reported it.
 */
function traceSchema(fragment: Fragment, path: readonly string[], keyword: string) {
  let schema: JsonObject = fragment
  let rule = fragment['x-rule']
  let describing = true
  for (let i = 0; i < path.length - 1; i++) {
    const isMember: boolean = describing && path[i] === 'properties'
    describing &&= isMember || path[i] === 'items'
    schema = (isMember ? schema['properties'] : schema) as JsonObject
    schema = schema[path[isMember ? ++i : i]!] as JsonObject
    rule = (schema['x-rule'] as string | undefined) ?? (isMember ? undefined : rule)
  }
  // In a schema that is `false`, `items` is the keyword, or the keyword differs from the last part of the path.
  const isOurs = path.at(-1) === keyword && DESCRIBING.has(keyword) && keyword !== 'items'
  const isLeft =
    (keyword === 'enum' && hasParts(schema['enum'])) ||
    (keyword === 'additionalProperties' && !(Object.hasOwn(schema, 'properties') && isClosed(schema)))
  return { rule, reported: describing && isOurs && !isLeft }
}
