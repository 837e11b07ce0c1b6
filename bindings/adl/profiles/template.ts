import { canonicalizeValue } from '../../core/value.ts'
import { DocumentError, type Ruleset } from '../../document/finding.ts'
import type { Severity } from '../../document/types.ts'
import { isEmail, isSemver, isUri } from '../../schema/formats.ts'
import { DESCRIBING, type Fragment, hasParts } from '../../schema/fragment.ts'
import { CompiledSchema } from '../../schema/run.ts'
import { compileSchema } from '../../schema/schema.ts'
import { isObject } from '../../text/members.ts'
import schema from '../schema.json' with { type: 'json' }
import type { Profile, ProfileRule, ProfileTemplate } from './profile.ts'

/** ADL defines the members of `data_classification`, and the values of its `categories` (10.4). */
const CLASSIFICATION = schema.$defs.data_classification.properties

const MOST_NAMES = 1000
const FILLED = 'a text that is not empty'
const SEVERITIES: ReadonlySet<string> = new Set<Severity>(['error', 'warning', 'info'])
const RULESETS = ['spec', 'recommended', 'strict', 'security'] as const satisfies readonly Ruleset[]

/** Reads the registration template of ADL 17.2 into a copy that the caller can no longer change. */
export function readTemplate(template: ProfileTemplate): Profile {
  const from = readObject(template, 'template')
  const part = (name: keyof Profile) => readMember(from, name, 'template')
  const text = (name: keyof Profile, wanted = FILLED, holds?: (text: string) => boolean) =>
    readText(part(name), `template.${name}`, wanted, holds)
  const shortName = part('shortName')
  const rest = new Map<Fragment, CompiledSchema>()
  const members = readSchemas(part('members'), 'template.members', rest)
  const classification = readSchemas(part('classification'), 'template.classification', rest)
  const categories = readNames(part('categories'), 'template.categories')
  refuseCore('members', Object.keys(members), Object.keys(schema.properties))
  refuseCore('classification', Object.keys(classification), Object.keys(CLASSIFICATION))
  refuseCore('categories', categories, CLASSIFICATION.categories.items.enum)
  return Object.freeze({
    identifier: text('identifier', 'a URI', isUri),
    name: text('name'),
    ...(shortName !== undefined && { shortName: readText(shortName, 'template.shortName', FILLED) }),
    version: text('version', 'a version MAJOR.MINOR.PATCH', isSemver),
    specification: text('specification'),
    compatibility: text('compatibility', 'versions of ADL such as 0.1.x', isCompatibility),
    contact: readContact(part('contact')),
    status: text('status', 'active or deprecated', (word) => word === 'active' || word === 'deprecated') as 'active',
    members,
    required: readRequired('required', part('required'), members),
    classification,
    requiredClassification: readRequired('requiredClassification', part('requiredClassification'), classification),
    categories,
    rest,
    rules: readList(part('rules'), 'template.rules', MOST_NAMES, readRule),
  })
}

function readContact(value: unknown): Profile['contact'] {
  const field = 'template.contact'
  const from = readObject(value, field)
  return Object.freeze({
    name: readText(readMember(from, 'name', field), `${field}.name`, FILLED),
    email: readText(readMember(from, 'email', field), `${field}.email`, 'an email address', isEmail),
  })
}

const readNames = (value: unknown, field: string) =>
  readList(value, field, MOST_NAMES, (name, at) => readText(name, at, FILLED))

function readRequired(name: string, value: unknown, known: object): readonly string[] {
  const field = `template.${name}`
  const names = readNames(value, field)
  const stranger = names.find((candidate) => !Object.hasOwn(known, candidate))
  if (stranger === undefined) return names
  throw new RangeError(`${field}: ${JSON.stringify(stranger.slice(0, 80))} is not a member that the profile adds`)
}

function refuseCore(field: string, names: readonly string[], core: readonly string[]): void {
  for (const name of names) {
    if (core.includes(name))
      throw new RangeError(`template.${field}: ADL defines '${name}', a profile must not redefine it`)
    // ADL 4.1 requires member names in snake_case; 4.3 reserves x_ for extensions.
    if (/^[a-z][a-z0-9_]*$/.test(name) && !name.startsWith('x_')) continue
    const got = JSON.stringify(name.slice(0, 80))
    throw new RangeError(`template.${field}: expected names in snake_case that do not begin with x_, got ${got}`)
  }
}

function readRule(value: unknown, field: string): ProfileRule {
  const from = readObject(value, field)
  const text = (name: keyof ProfileRule, wanted = FILLED, holds?: (text: string) => boolean) =>
    readText(readMember(from, name, field), `${field}.${name}`, wanted, holds)
  const check = readMember(from, 'check', field)
  if (check !== undefined && typeof check !== 'function') {
    throw new TypeError(`${field}.check: expected a function, got ${typeName(check)}`)
  }
  const rulesets = readMember(from, 'rulesets', field)
  return Object.freeze({
    id: text('id'),
    code: text('code', 'ADL-3001, or a code that does not begin with ADL-', isFreeCode),
    title: text('title'),
    section: text('section'),
    severity: text('severity', 'error, warning or info', (word) => SEVERITIES.has(word)) as Severity,
    ...(rulesets !== undefined && { rulesets: readRulesets(rulesets, `${field}.rulesets`) }),
    ...(check !== undefined && { check: check as NonNullable<ProfileRule['check']> }),
  })
}

function readRulesets(value: unknown, field: string): NonNullable<ProfileRule['rulesets']> {
  const from = readObject(value, field)
  const copy: Partial<Record<Ruleset, Severity | 'off'>> = {}
  for (const name of RULESETS) {
    const severity = readMember(from, name, field)
    if (severity === undefined) continue
    const holds = (word: string) => word === 'off' || SEVERITIES.has(word)
    copy[name] = readText(severity, `${field}.${name}`, 'error, warning, info or off', holds) as Severity
  }
  return copy
}

/** Copies the schemas of a template by name, and compiles those that fragment.ts does not check completely. */
function readSchemas(value: unknown, field: string, rest: Map<Fragment, CompiledSchema>) {
  if (value === undefined) return {}
  const from = readObject(value, field)
  const names = Object.keys(from)
  return Object.freeze(
    Object.fromEntries(
      names.map((name) => [name, readSchema(readMember(from, name, field), `${field}.${name}`, rest)]),
    ),
  )
}

function readSchema(value: unknown, field: string, rest: Map<Fragment, CompiledSchema>): Fragment {
  const fragment = copy(readObject(value, field), field)
  const compiled = compileSchema(fragment)
  if (!(compiled instanceof CompiledSchema)) {
    const { pointer, message } = compiled[0]!
    throw new RangeError(`${field}${pointer.replaceAll('/', '.')}: ${message}`)
  }
  if (!describes(fragment)) rest.set(fragment, compiled)
  return fragment
}

/** Copies through the canonical form: the value is read once, has bounded depth, holds only JSON, and is not shared. */
function copy(value: object, field: string): Fragment {
  try {
    return freeze(JSON.parse(new TextDecoder().decode(canonicalizeValue(value, { maxDepth: 64 }))))
  } catch (error) {
    if (error instanceof DocumentError)
      throw new TypeError(`${field}: ${error.diagnostics[0]!.detail}`, { cause: error })
    throw error
  }
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) freeze(part)
  return value
}

/** True when fragment.ts checks a schema completely. */
function describes(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { properties, items, enum: options, additionalProperties } = schema as Fragment
  return (
    Object.keys(schema).every((keyword) => DESCRIBING.has(keyword)) &&
    !isObject(additionalProperties) &&
    !hasParts(options) &&
    Object.values(properties ?? {}).every(describes) &&
    (items === undefined || describes(items))
  )
}

/** Profiles must not use the codes of ADL 16.2, except ADL-3001: a profile is not satisfied. */
const isFreeCode = (code: string) => code === 'ADL-3001' || (code.trim() !== '' && !code.startsWith('ADL-'))

/** The values that a caller passes are read once, and every refusal names the field. */
const MOST_TEXT = 2000

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value

function readObject(value: unknown, field: string): object {
  if (!isObject(value)) throw new TypeError(`${field}: expected an object, got ${typeName(value)}`)
  return value
}

/** A member, possibly inherited: templates may be instances of classes. */
function readMember(from: object, name: string, field: string): unknown {
  try {
    return (from as Record<string, unknown>)[name]
  } catch (cause) {
    throw new TypeError(`${field}.${name}: reading it threw`, { cause })
  }
}

function readText(
  value: unknown,
  field: string,
  wanted: string,
  holds: (text: string) => boolean = (text) => text.trim() !== '',
): string {
  if (typeof value !== 'string') throw new TypeError(`${field}: expected ${wanted}, got ${typeName(value)}`)
  if (value.length <= MOST_TEXT && holds(value)) return value
  throw new RangeError(`${field}: expected ${wanted}, got ${JSON.stringify(value.slice(0, 80))}`)
}

/** The elements of an array, at most `most`; an absent array has none. */
function readList<Item>(
  value: unknown,
  field: string,
  most: number,
  readItem: (item: unknown, field: string) => Item,
): readonly Item[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new TypeError(`${field}: expected an array, got ${typeName(value)}`)
  const { length } = value
  if (length > most) throw new RangeError(`${field}: expected at most ${most} of them, got ${length}`)
  const items: Item[] = []
  for (let i = 0; i < length; i++) items.push(readItem(readMember(value, String(i), field), `${field}[${i}]`))
  return Object.freeze(items)
}

/** One version of ADL, or with `x` all versions with any number there. */
const VERSIONS = /^(0|[1-9]\d{0,8})\.(?:(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8}|x)|x(?:\.x)?)$/

const versionsOf = (compatibility: string) => compatibility.split(',').map((version) => version.trim())

/**
 * True when a text lists the ADL versions that a profile supports (ADL 17.2): `0.1.x`, or several separated by commas.
 */
function isCompatibility(text: string): boolean {
  return versionsOf(text).every((version) => VERSIONS.test(version))
}

/** True when a profile supports a version of ADL. */
export function isCompatible(compatibility: string, version: string): boolean {
  const actual = version.split('.')
  return versionsOf(compatibility).some((range) => {
    const parts = range.split('.')
    const fixed = parts.indexOf('x')
    const count = fixed < 0 ? 3 : fixed
    return actual.length === 3 && parts.slice(0, count).every((part, i) => part === actual[i])
  })
}
