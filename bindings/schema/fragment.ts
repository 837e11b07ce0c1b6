// JSON Schema as profiles use it. Keywords that describe a value are checked here, so that each fault belongs to one
// rule and unknown members can be reported. Keywords that refer, choose or search are left to bindings/schema.
import { escapeToken, isObject, type JsonObject } from '../text/members.ts'
import { oneOf, shown, typeNames } from '../text/words.ts'
import { isDate, isDateTime, isEmail, isUri, isUriReference } from './formats.ts'

const FORMATS = {
  date: { is: isDate, wanted: 'a date such as 2026-02-18' },
  'date-time': { is: isDateTime, wanted: 'an ISO 8601 timestamp with its offset, such as 2026-02-18T09:30:00Z' },
  email: { is: isEmail, wanted: 'an email address' },
  uri: { is: isUri, wanted: 'a URI' },
  'uri-reference': { is: isUriReference, wanted: 'a URI reference' },
} as const satisfies Readonly<Record<string, { is(text: string): boolean; wanted: string }>>

export type TypeName = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string'

function hasType(value: unknown, type: TypeName): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}

/**
 * The JSON Schema (draft 2020-12) of a member that a profile adds. The formats listed here are asserted. If a schema
 * only uses the keywords below, members that `properties` does not name are unknown to the profile, unless
 * `additionalProperties` is true or a schema.
 */
export interface Fragment {
  readonly type?: TypeName | readonly TypeName[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Fragment>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly additionalProperties?: unknown
  readonly items?: Fragment
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly format?: string
  /** The rule that a wrong or missing value violates. */
  readonly 'x-rule'?: string
  /** Any other keyword of JSON Schema: see schema-rest.ts. */
  readonly [keyword: string]: unknown
}

/**
 * A fault and its place; with `missing`, the place where a member should be. `rule` is the one that the fragment names.
 */
export interface FragmentFault {
  readonly pointer: string
  readonly detail: string
  readonly rule: string | undefined
  readonly missing: boolean
}

export type FragmentReport = (fault: FragmentFault) => void

const COMPARISONS = [
  ['minimum', 'at least', (value: number, limit: number) => value >= limit],
  ['maximum', 'at most', (value: number, limit: number) => value <= limit],
  ['exclusiveMinimum', 'more than', (value: number, limit: number) => value > limit],
  ['exclusiveMaximum', 'less than', (value: number, limit: number) => value < limit],
] as const

/** Checks a value. A value of the wrong type is not examined further. */
export function checkFragment(fragment: Fragment, value: unknown, pointer: string, report: FragmentReport): void {
  const wanted = misfit(fragment, value)
  if (wanted !== undefined) {
    const detail = `expected ${wanted}, found ${shown(value)}`
    report({ pointer, detail, rule: fragment['x-rule'], missing: false })
  } else if (Array.isArray(value)) checkElements(fragment, value, pointer, report)
  else if (isObject(value)) checkMembers(fragment, value, pointer, report)
}

/** The expectation that a value violates, without its contents; undefined when it fits. */
function misfit(fragment: Fragment, value: unknown): string | undefined {
  const types = fragment.type === undefined ? [] : [fragment.type].flat()
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return typeNames(types)
  const { enum: options } = fragment
  if (options !== undefined && !hasParts(options) && !options.includes(value)) return oneOf(options.map(String))
  if (typeof value === 'string') return misfitText(fragment, value)
  if (Array.isArray(value)) return misfitCount(fragment.minItems, value.length, 'elements')
  if (isObject(value)) return misfitCount(fragment.minProperties, Object.keys(value).length, 'members')
  if (typeof value !== 'number') return undefined
  for (const [keyword, words, holds] of COMPARISONS) {
    const limit = fragment[keyword]
    if (limit !== undefined && !holds(value, limit)) return `${words} ${limit}`
  }
  return undefined
}

/** True when some values of an `enum` are arrays or objects, which need a deep comparison. */
export function hasParts(options: unknown): boolean {
  return Array.isArray(options) && options.some((option) => typeof option === 'object' && option !== null)
}

function misfitCount(least = 0, count: number, what: string): string | undefined {
  return count < least ? `at least ${least} ${what}` : undefined
}

function misfitText({ minLength = 0, format }: Fragment, value: string): string | undefined {
  // Characters are code points, which have at most two units each.
  const isShort = value.length < minLength || (value.length < 2 * minLength && [...value].length < minLength)
  if (isShort) return minLength === 1 ? 'a text that is not empty' : `at least ${minLength} characters`
  if (format === undefined || !Object.hasOwn(FORMATS, format)) return undefined
  const { is, wanted } = FORMATS[format as keyof typeof FORMATS]
  return is(value) ? undefined : wanted
}

function checkElements({ items, 'x-rule': rule }: Fragment, value: unknown[], pointer: string, report: FragmentReport) {
  if (items === undefined) return
  const inherit = (fault: FragmentFault) => report(fault.rule === undefined ? { ...fault, rule } : fault)
  for (const [i, element] of value.entries()) checkFragment(items, element, `${pointer}/${i}`, inherit)
}

function checkMembers(fragment: Fragment, value: JsonObject, pointer: string, report: FragmentReport): void {
  const { properties = {}, required = [] } = fragment
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue
    const rule = Object.hasOwn(properties, name) ? properties[name]!['x-rule'] : fragment['x-rule']
    report({ pointer: `${pointer}/${escapeToken(name)}`, detail: '', rule, missing: true })
  }
  for (const [name, part] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) checkFragment(part, value[name], `${pointer}/${escapeToken(name)}`, report)
  }
}

/** With any of these keywords, `properties` does not list all members. */
const OPENING = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedProperties',
]

/** True when the fragment lists all members of an object, so that unknown members can be reported. */
export const isClosed = (fragment: Fragment): boolean =>
  (fragment.additionalProperties ?? false) === false && !OPENING.some((keyword) => Object.hasOwn(fragment, keyword))

/** The keywords that are checked here, or that check nothing. */
export const DESCRIBING: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'properties',
  'required',
  'minProperties',
  'additionalProperties',
  'items',
  'minItems',
  'minLength',
  ...COMPARISONS.map(([keyword]) => keyword),
  'format',
  'x-rule',
  'title',
  'description',
])

/** Yields each object inside a value whose fragment lists all its members: any other member is unknown. */
export function closedObjects(
  fragment: Fragment,
  value: unknown,
  pointer: string,
  give: (pointer: string, value: JsonObject, names: readonly string[]) => void,
): void {
  const { items, properties } = fragment
  if (Array.isArray(value)) {
    if (items !== undefined)
      for (const [i, item] of value.entries()) closedObjects(items, item, `${pointer}/${i}`, give)
  } else if (isObject(value) && properties !== undefined) {
    if (isClosed(fragment)) give(pointer, value, Object.keys(properties))
    for (const [name, part] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) closedObjects(part, value[name], `${pointer}/${escapeToken(name)}`, give)
    }
  }
}

/**
 * A fragment in short: a word for a text or another plain value, the valid values, or the members of an object.
 * A word is a type with bounds, such as `number >0 <=100`. `#name` is one of the members at the top.
 *
 * A member is `name`, then `[]` for a list, or `[1]` for one with at least one element, then `*` if it is required,
 * then a space and the rule that it violates. Names that begin with `$` are keywords of the object itself.
 */
export type Outline = string | readonly unknown[] | Outlines
export interface Outlines {
  readonly [member: string]: unknown
}

const WORDS: Readonly<Record<string, Fragment>> = {
  text: { type: 'string' },
  filled: { type: 'string', minLength: 1 },
  flag: { type: 'boolean' },
  uri: { type: 'string', format: 'uri' },
  email: { type: 'string', format: 'email' },
  timestamp: { type: 'string', format: 'date-time' },
}

const BOUNDS = [
  ['>=', 'minimum'],
  ['<=', 'maximum'],
  ['>', 'exclusiveMinimum'],
] as const

const MEMBER = /^(\w+)(?:\[(\d*)\])?(\*?)(?: (\S+))?$/

/** The fragment of an object with these members. */
export function objectOf(outlines: Outlines, top: Outlines = outlines) {
  const properties: Record<string, Fragment> = {}
  const required: string[] = []
  const keywords: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(outlines)) {
    const [, name, least, star, rule] = MEMBER.exec(key) ?? []
    if (name === undefined) {
      keywords[key.slice(1)] = value
      continue
    }
    const plain = fragmentOf(value as Outline, top)
    const fragment: Fragment = least === undefined ? plain : { type: 'array', items: plain, minItems: Number(least) }
    properties[name] = rule === undefined ? fragment : { ...fragment, 'x-rule': rule }
    if (star !== '') required.push(name)
  }
  return { type: 'object', properties, required, ...keywords } as const
}

function fragmentOf(outline: Outline, top: Outlines): Fragment {
  if (typeof outline === 'object')
    return Array.isArray(outline) ? { enum: outline } : objectOf(outline as Outlines, top)
  if (outline.startsWith('#')) return fragmentOf(top[outline.slice(1)] as Outline, top)
  const [word, ...bounds] = outline.split(' ')
  const limits = bounds.map((bound) => {
    const [sign, keyword] = BOUNDS.find(([sign]) => bound.startsWith(sign))!
    return [keyword, Number(bound.slice(sign.length))]
  })
  return { ...(WORDS[word!] ?? { type: word as TypeName }), ...Object.fromEntries(limits) }
}
