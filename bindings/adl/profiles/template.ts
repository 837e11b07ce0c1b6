import type { Ruleset } from '../../document/finding.ts'
import type { Severity } from '../../document/types.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { isEmail, isSemver, isUri } from '../../schema/formats.ts'
import { isCompatibility } from './compatibility.ts'
import { CORE_CATEGORIES, CORE_CLASSIFICATION, CORE_MEMBERS } from './core-members.ts'
import type { Fragment } from './fragment.ts'
import type { Profile, ProfileRule, ProfileTemplate } from './profile.ts'
import { readSchemas } from './schema-rest.ts'
import { read, readList, readObject, readText, typeName } from './template-values.ts'

const MOST_NAMES = 1000
const FILLED = 'a text that is not empty'
const SEVERITIES: ReadonlySet<string> = new Set<Severity>(['error', 'warning', 'info'])
const RULESETS = ['spec', 'recommended', 'strict', 'security'] as const satisfies readonly Ruleset[]

/** Reads the registration template of ADL 17.2 into a copy that the caller can no longer change. */
export function readTemplate(template: ProfileTemplate): Profile {
  const from = readObject(template, 'template')
  const part = (name: keyof Profile) => read(from, name, 'template')
  const text = (name: keyof Profile, wanted = FILLED, holds?: (text: string) => boolean) =>
    readText(part(name), `template.${name}`, wanted, holds)
  const shortName = part('shortName')
  const rest = new Map<Fragment, CompiledSchema>()
  const members = readSchemas(part('members'), 'template.members', rest)
  const classification = readSchemas(part('classification'), 'template.classification', rest)
  const categories = readNames(part('categories'), 'template.categories')
  refuseCore('members', Object.keys(members), CORE_MEMBERS)
  refuseCore('classification', Object.keys(classification), CORE_CLASSIFICATION)
  refuseCore('categories', categories, CORE_CATEGORIES)
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
    name: readText(read(from, 'name', field), `${field}.name`, FILLED),
    email: readText(read(from, 'email', field), `${field}.email`, 'an email address', isEmail),
  })
}

const readNames = (value: unknown, field: string) =>
  readList(value, field, MOST_NAMES, (name, at) => readText(name, at, FILLED))

function readRequired(name: string, value: unknown, known: object): readonly string[] {
  const field = `template.${name}`
  const names = readNames(value, field)
  const stranger = names.find((candidate) => !Object.hasOwn(known, candidate))
  if (stranger === undefined) return names
  throw new RangeError(`${field}: ${JSON.stringify(stranger.slice(0, 80))} is no member that the profile adds`)
}

function refuseCore(field: string, names: readonly string[], core: ReadonlySet<string>): void {
  for (const name of names) {
    if (core.has(name)) throw new RangeError(`template.${field}: ADL defines '${name}', a profile must not redefine it`)
    // ADL 4.1 requires member names in snake_case; 4.3 reserves x_ for extensions.
    if (/^[a-z][a-z0-9_]*$/.test(name) && !name.startsWith('x_')) continue
    const got = JSON.stringify(name.slice(0, 80))
    throw new RangeError(`template.${field}: expected names in snake_case that do not begin with x_, got ${got}`)
  }
}

function readRule(value: unknown, field: string): ProfileRule {
  const from = readObject(value, field)
  const text = (name: keyof ProfileRule, wanted = FILLED, holds?: (text: string) => boolean) =>
    readText(read(from, name, field), `${field}.${name}`, wanted, holds)
  const check = read(from, 'check', field)
  if (check !== undefined && typeof check !== 'function') {
    throw new TypeError(`${field}.check: expected a function, got ${typeName(check)}`)
  }
  const rulesets = read(from, 'rulesets', field)
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
    const severity = read(from, name, field)
    if (severity === undefined) continue
    const holds = (word: string) => word === 'off' || SEVERITIES.has(word)
    copy[name] = readText(severity, `${field}.${name}`, 'error, warning, info or off', holds) as Severity
  }
  return copy
}

/** Profiles must not use the codes of ADL 16.2, except ADL-3001: a profile is not satisfied. */
const isFreeCode = (code: string) => code === 'ADL-3001' || (code.trim() !== '' && !code.startsWith('ADL-'))
