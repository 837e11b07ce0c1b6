// JSON Schema as profiles write it: the keywords that describe members and nothing that refers, chooses or searches, so
// that what is unknown can be told, each fault belongs to one rule, and checking is linear.
import { escapeToken } from '../../document/pointer.ts'
import { isDate, isDateTime, isEmail, isMimeType, isSemver, isUri, isUriReference } from '../../schema/formats.ts'
import { isObject, type JsonObject } from '../agent.ts'
import { oneOf, shown, typeNames } from '../words.ts'

export const FORMATS = {
  date: isDate,
  'date-time': isDateTime,
  email: isEmail,
  'mime-type': isMimeType,
  semver: isSemver,
  uri: isUri,
  'uri-reference': isUriReference,
} as const satisfies Readonly<Record<string, (text: string) => boolean>>

export type Format = keyof typeof FORMATS

export const TYPES = {
  array: Array.isArray,
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: (value: unknown) => Number.isInteger(value),
  null: (value: unknown) => value === null,
  number: (value: unknown) => typeof value === 'number',
  object: isObject,
  string: (value: unknown) => typeof value === 'string',
} as const satisfies Readonly<Record<string, (value: unknown) => boolean>>

export type TypeName = keyof typeof TYPES

/** The JSON Schema (draft 2020-12) of a member that a profile adds. Formats are asserted. */
export interface Fragment {
  readonly title?: string
  readonly description?: string
  readonly type?: TypeName | readonly TypeName[]
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly properties?: Readonly<Record<string, Fragment>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  /** Absent: members that `properties` does not name are unknown to this profile, and reported if no other knows them. */
  readonly additionalProperties?: boolean
  readonly items?: Fragment
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly format?: Format
  /** The rule that is broken where the value is, or is missing. */
  readonly 'x-rule'?: string
}

/** Says what a value has against its fragment. `rule` is the nearest that the fragment names. */
export type FragmentReport = (pointer: string, detail: string, rule: string | undefined) => void

const COMPARISONS = [
  ['minimum', 'at least', (value: number, limit: number) => value >= limit],
  ['maximum', 'at most', (value: number, limit: number) => value <= limit],
  ['exclusiveMinimum', 'more than', (value: number, limit: number) => value > limit],
  ['exclusiveMaximum', 'less than', (value: number, limit: number) => value < limit],
] as const

/** Checks a value; a value of the wrong type is looked at no further. */
export function checkFragment(fragment: Fragment, value: unknown, pointer: string, report: FragmentReport): void {
  const wanted = misfit(fragment, value)
  if (wanted !== undefined) report(pointer, `expected ${wanted}, found ${shown(value)}`, fragment['x-rule'])
  else if (Array.isArray(value)) checkElements(fragment, value, pointer, report)
  else if (isObject(value)) checkMembers(fragment, value, pointer, report)
}

/** What was expected instead of a value, not looking inside of it; undefined when it fits. */
function misfit(fragment: Fragment, value: unknown): string | undefined {
  const types = fragment.type === undefined ? [] : [fragment.type].flat()
  if (types.length > 0 && !types.some((type) => TYPES[type](value))) return typeNames(types)
  if (fragment.enum !== undefined && !fragment.enum.includes(value as string)) return oneOf(fragment.enum.map(String))
  if (typeof value === 'string') return misfitText(fragment, value)
  if (typeof value !== 'number') return undefined
  for (const [keyword, words, holds] of COMPARISONS) {
    const limit = fragment[keyword]
    if (limit !== undefined && !holds(value, limit)) return `${words} ${limit}`
  }
  return undefined
}

function misfitText({ minLength = 0, format }: Fragment, value: string): string | undefined {
  if (value.length < minLength) return minLength === 1 ? 'a text that is not empty' : `at least ${minLength} characters`
  return format !== undefined && !FORMATS[format](value) ? WANTED[format] : undefined
}

function checkElements(fragment: Fragment, value: unknown[], pointer: string, report: FragmentReport): void {
  const { items, minItems = 0, 'x-rule': rule } = fragment
  if (value.length < minItems) report(pointer, `expected at least ${minItems} of them, found ${value.length}`, rule)
  if (items === undefined) return
  for (const [i, element] of value.entries()) {
    checkFragment(items, element, `${pointer}/${i}`, (at, detail, own) => report(at, detail, own ?? rule))
  }
}

function checkMembers(fragment: Fragment, value: JsonObject, pointer: string, report: FragmentReport): void {
  const { properties = {}, required = [], minProperties = 0, 'x-rule': rule } = fragment
  const count = Object.keys(value).length
  if (count < minProperties) report(pointer, `expected at least ${minProperties} members, found ${count}`, rule)
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue
    const own = Object.hasOwn(properties, name) ? properties[name]!['x-rule'] : rule
    report(`${pointer}/${escapeToken(name)}`, `required member '${name}' is missing`, own)
  }
  for (const [name, part] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) checkFragment(part, value[name], `${pointer}/${escapeToken(name)}`, report)
  }
}

/** Gives each object within a value whose fragment names all its members: those beside them are unknown. */
export function closedObjects(
  fragment: Fragment,
  value: unknown,
  pointer: string,
  give: (pointer: string, value: JsonObject, names: readonly string[]) => void,
): void {
  const { items, properties, additionalProperties = false } = fragment
  if (Array.isArray(value)) {
    if (items !== undefined)
      for (const [i, item] of value.entries()) closedObjects(items, item, `${pointer}/${i}`, give)
  } else if (isObject(value) && properties !== undefined) {
    if (!additionalProperties) give(pointer, value, Object.keys(properties))
    for (const [name, part] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) closedObjects(part, value[name], `${pointer}/${escapeToken(name)}`, give)
    }
  }
}

const WANTED: Readonly<Record<Format, string>> = {
  date: 'a date such as 2026-02-18',
  'date-time': 'an ISO 8601 timestamp with its offset, such as 2026-02-18T09:30:00Z',
  email: 'an email address',
  'mime-type': 'a MIME type',
  semver: 'a version MAJOR.MINOR.PATCH',
  uri: 'a URI',
  'uri-reference': 'a URI reference',
}
