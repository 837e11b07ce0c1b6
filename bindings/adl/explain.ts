// The second walk through a document, when the first one (shape.ts) said no or members are to be judged: what is wrong, and where.
import type { Document } from '../document/document.ts'
import { isObject, type JsonObject } from '../document/members.ts'
import { escapeToken } from '../document/pointer.ts'
import type { Remarks, RuleInfo } from '../document/rule.ts'
import { suggest } from '../document/suggest.ts'
import type { Fix } from '../document/types.ts'
import { oneOf, quoted, shown, snakeCase, typeNames } from '../document/words.ts'
import { renameMember, replaceLiteral, replaceText } from './fixes.ts'
import { SCHEMA_RULES } from './rules/schema.ts'
import { type Fault, faultOf, isExtension, type Shape } from './shape.ts'

/** What is told of a document; which rule and how severe is for the one who listens. */
export interface Listener {
  fault(rule: RuleInfo, pointer: string, detail: string, remarks?: Remarks): void
  /** A member that the specification does not define in this object. */
  undefinedMember(pointer: string, name: string, object: ObjectPlace, remarks: Remarks): void
  /** Whether a profile defines this category of data. */
  isCategory(category: string): boolean
}

export type ObjectPlace = 'root' | 'classification' | 'other'

/** By the fault, where schema.json names no rule. */
const GENERAL: Readonly<Record<Fault, string>> = {
  type: 'member-type',
  enum: 'enum-value',
  pattern: 'value-pattern',
  format: 'value-pattern',
  range: 'number-range',
  empty: 'empty-value',
}

const BY_FORMAT: Readonly<Record<string, string>> = { 'date-time': 'VAL-05', uri: 'VAL-06' }

const GRAMMAR: Readonly<Record<string, string>> = {
  '^\\d+\\.\\d+\\.\\d+$': 'a version MAJOR.MINOR.PATCH such as 1.2.0',
  '^[a-z][a-z0-9_]*$': 'a lowercase letter, then lowercase letters, digits and underscores',
  'date-time': 'an ISO 8601 timestamp with its offset, such as 2026-02-15T14:30:00Z',
  email: 'an email address',
  uri: 'a URI (RFC 3986)',
  'uri-reference': 'a URI reference (RFC 3986)',
}

/** Tells everything that a value has against its shape, in the order of the document. */
export function explain(document: Document, shape: Shape, value: unknown, pointer: string, listener: Listener): void {
  const fault = faultOf(shape, value)
  if (fault !== undefined) explainFault(document, shape, fault, value, pointer, listener)
  else if (Array.isArray(value)) {
    const { items } = shape
    if (items !== undefined) {
      for (let i = 0; i < value.length; i++) explain(document, items, value[i], `${pointer}/${i}`, listener)
    }
  } else if (shape.members !== undefined && isObject(value)) {
    explainMembers(document, shape, shape.members, value, pointer, listener)
  }
}

function explainMembers(
  document: Document,
  shape: Shape,
  members: ReadonlyMap<string, Shape>,
  object: JsonObject,
  pointer: string,
  listener: Listener,
): void {
  const missing = shape.required.filter((name) => !Object.hasOwn(object, name))
  const unknown = Object.keys(object).filter((name) => !members.has(name) && !isExtension(name))
  const free = unknown.length === 0 ? [] : [...members.keys()].filter((name) => !Object.hasOwn(object, name))
  for (const name of missing) {
    // One misspelled name is one fault: that the name it should be is missing.
    const misspelled = unknown.slice(0, MOST_SUGGESTIONS).find((other) => meantBy(other, free) === name)
    explainMissing(document, name, misspelled, pointer, listener)
    if (misspelled !== undefined) unknown.splice(unknown.indexOf(misspelled), 1)
  }
  for (const name of Object.keys(object)) {
    const member = members.get(name)
    if (member !== undefined) explain(document, member, object[name], `${pointer}/${escapeToken(name)}`, listener)
  }
  if (shape.closing === 'open') return
  const place = shape.closing === 'closed' ? 'other' : pointer === '' ? 'root' : 'classification'
  for (const name of unknown) {
    const at = `${pointer}/${escapeToken(name)}`
    listener.undefinedMember(at, name, place, { atName: true, fix: () => fixUndefined(document, at, name, free) })
  }
}

/** Looking for what was meant costs a comparison with every member: a hostile document has very many. */
const MOST_SUGGESTIONS = 20

function meantBy(name: string, known: readonly string[]): string | undefined {
  if (name.length > 40) return undefined
  const snake = snakeCase(name)
  return known.includes(snake) ? snake : suggest(snake, known)
}

function fixUndefined(document: Document, pointer: string, name: string, known: readonly string[]): Fix {
  const meant = meantBy(name, known)
  if (meant !== undefined) return renameMember(document, pointer, meant, `did you mean '${meant}'?`)
  if (!/^x[-_]/i.test(name)) return { hint: "members of one's own begin with x_ and a namespace: x_acme_note" }
  return { hint: 'names of extension members are x_ and then lowercase letters, digits and underscores' }
}

function explainMissing(
  document: Document,
  name: string,
  misspelled: string | undefined,
  pointer: string,
  listener: Listener,
): void {
  const detail = `Required member '${name}' is missing`
  const rule = SCHEMA_RULES.get('missing-member')!
  if (misspelled === undefined) {
    listener.fault(rule, pointer, detail)
    return
  }
  const at = `${pointer}/${escapeToken(misspelled)}`
  const hint = `did you mean '${name}' by ${quoted(misspelled)}?`
  const related = [{ pointer: at, message: `${quoted(misspelled)} is no member of ADL` }]
  listener.fault(rule, pointer, detail, { related, fix: () => renameMember(document, at, name, hint) })
}

function explainFault(
  document: Document,
  shape: Shape,
  fault: Fault,
  value: unknown,
  pointer: string,
  listener: Listener,
): void {
  if (shape.rule === 'VAL-26' && typeof value === 'string' && listener.isCategory(value)) return
  const named = fault === 'type' || fault === 'empty' ? undefined : shape.rule
  const byFormat = fault === 'format' ? BY_FORMAT[shape.format!] : undefined
  const rule = SCHEMA_RULES.get(named ?? byFormat ?? GENERAL[fault])!
  const detail = `${nameAt(pointer)} must be ${wanted(shape, fault)}, found ${shown(value)}`
  listener.fault(rule, pointer, detail, { fix: () => fixValue(document, shape, fault, value, pointer) })
}

/** The member that a pointer names, as sentences begin with it. */
function nameAt(pointer: string): string {
  if (pointer === '') return 'The document'
  const [last, before] = pointer.split('/').reverse()
  return /^\d+$/.test(last!) && before !== undefined ? `Item ${last} of '${before}'` : `Member '${last}'`
}

function wanted(shape: Shape, fault: Fault): string {
  switch (fault) {
    case 'type':
      return typeNames(shape.types)
    case 'enum':
      return `one of ${shape.options!.join(', ')}`
    case 'pattern':
      return GRAMMAR[shape.pattern!.source]!
    case 'format':
      return GRAMMAR[shape.format!]!
    case 'range':
      return shape.maximum === Number.POSITIVE_INFINITY
        ? `at least ${shape.minimum}`
        : `from ${shape.minimum} to ${shape.maximum}`
    default:
      return shape.types[0] === 'array' ? 'an array with an item at least' : 'a string that is not empty'
  }
}

function fixValue(document: Document, shape: Shape, fault: Fault, value: unknown, pointer: string): Fix | undefined {
  if (typeof value !== 'string') {
    if (fault !== 'type' || typeof value !== 'number' || !shape.types.includes('string')) return undefined
    return { hint: `put it in quotes: "${value}"` }
  }
  if (fault === 'enum') {
    const meant = suggest(snakeCase(value.trim()), shape.options!)
    return meant === undefined
      ? undefined
      : { ...replaceText(document, pointer, meant), hint: `did you mean '${meant}'?` }
  }
  if (fault === 'pattern' && shape.rule === 'VAL-13') {
    const name = snakeCase(value)
    return shape.pattern!.test(name)
      ? { hint: `did you mean '${name}'? Whoever calls the tool must call it so, too` }
      : undefined
  }
  if (fault === 'pattern' && /^\d+(\.\d+)?$/.test(value)) {
    const version = value.includes('.') ? `${value}.0` : `${value}.0.0`
    return { ...replaceText(document, pointer, version), hint: `did you mean ${oneOf([version])}?` }
  }
  if (fault !== 'type') return undefined
  if (shape.types.includes('boolean') && (value === 'true' || value === 'false'))
    return replaceLiteral(document, pointer, value)
  const isNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(value)
  return isNumber && /number|integer/.test(shape.types.join()) ? replaceLiteral(document, pointer, value) : undefined
}
