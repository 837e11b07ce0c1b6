// Walks a document a second time to name its faults and their places. Runs only when the first walk found a fault, or
// when undefined members must be reported.

import type { FindingKind } from '../document/finding.ts'
import { renameMember, replaceLiteral, replaceText } from '../document/fixes.ts'
import type { Document } from '../document/parse.ts'
import type { Fix } from '../document/types.ts'
import { escapeToken, isObject, type JsonObject, parsePointer } from '../text/members.ts'
import { nameAt, quoted, shown, snakeCase, suggest, typeNames } from '../text/words.ts'
import { type Fault, faultOf, type Shape } from './shape.ts'
import type { Remarks } from './subject.ts'

/** Receives the faults of a document and decides their severity. */
export interface Listener {
  fault(rule: FindingKind, pointer: string, detail: string, remarks?: Remarks): void
  /** Called for each member that the vocabulary does not define in this object. */
  undefinedMember(pointer: string, name: string, object: ObjectPlace, remarks: Remarks): void
  /** True when a text is acceptable although the schema's options do not list it. */
  accepts?(shape: Shape, value: string): boolean
}

/** A number longer than this was not meant as text, so no fix suggests quoting it. */
const LONGEST_NUMBER = 40

export type ObjectPlace = 'root' | 'classification' | 'other'

/** The vocabulary of a specification, and its rules. */
export interface Words {
  /** The name of the specification, for messages about undefined members. */
  readonly name: string
  /** By id: the rules that the schema names in x-rule, and the general ones. */
  readonly rules: ReadonlyMap<string, FindingKind>
  /** The rule for each format. */
  readonly byFormat?: Readonly<Record<string, string>>
  /** What patterns, formats and ranges require, in words. */
  readonly grammar?: Readonly<Record<string, string>>
  /** Converts a member name to the specification's spelling; default: snake_case. */
  spell?(name: string): string
  /** True when anyone may add a member of this name. */
  isExtension(name: string): boolean
  /** The hint for an undefined member that resembles no defined one. */
  adviseOn(name: string): Fix
  /**
   * The intended text for a value that a pattern refuses, where the specification can do better than a general guess.
   */
  mend?(shape: Shape, value: string): Fix | undefined
}

/** By id, as `Words.rules` has them. */
export const shapeRules = (rules: readonly FindingKind[]): ReadonlyMap<string, FindingKind> =>
  new Map(rules.map((rule) => [rule.id, rule]))

/** The rule for each fault when the schema names no rule. */
const GENERAL: Readonly<Record<Fault, string>> = {
  type: 'member-type',
  enum: 'enum-value',
  pattern: 'value-pattern',
  format: 'value-pattern',
  range: 'number-range',
  empty: 'empty-value',
}

/** Reports every fault of a value against its shape, in document order. */
export function explain(telling: Telling, shape: Shape, value: unknown, pointer: string): void {
  const fault = faultOf(shape, value)
  if (fault !== undefined) explainFault(telling, shape, fault, value, pointer)
  else if (Array.isArray(value)) {
    const { items } = shape
    if (items !== undefined) {
      for (let i = 0; i < value.length; i++) explain(telling, items, value[i], `${pointer}/${i}`)
    }
  } else if (isObject(value)) {
    if (shape.members !== undefined) explainMembers(telling, shape, shape.members, value, pointer)
    if (shape.values !== undefined) explainValues(telling, shape, shape.values, value, pointer)
  }
}

/** The document, the words and the listener of one walk. */
export interface Telling {
  readonly document: Document
  readonly words: Words
  readonly listener: Listener
}

function explainValues(telling: Telling, { members }: Shape, shape: Shape, object: JsonObject, pointer: string): void {
  for (const name of Object.keys(object)) {
    if (members?.has(name) !== true) explain(telling, shape, object[name], `${pointer}/${escapeToken(name)}`)
  }
}

function explainMembers(
  telling: Telling,
  shape: Shape,
  members: ReadonlyMap<string, Shape>,
  object: JsonObject,
  pointer: string,
): void {
  const { words, listener } = telling
  const missing = shape.required.filter((name) => !Object.hasOwn(object, name))
  const unknown = Object.keys(object).filter((name) => !members.has(name) && !words.isExtension(name))
  const free = unknown.length === 0 ? [] : [...members.keys()].filter((name) => !Object.hasOwn(object, name))
  for (const name of missing) {
    // Reports a misspelled name as one fault: the missing member, not an unknown one in addition.
    const misspelled = unknown.slice(0, MOST_SUGGESTIONS).find((other) => meantBy(words, other, free) === name)
    explainMissing(telling, name, misspelled, pointer)
    if (misspelled === undefined) continue
    takeOut(unknown, misspelled)
    takeOut(free, name)
  }
  for (const name of Object.keys(object)) {
    const member = members.get(name)
    if (member !== undefined) explain(telling, member, object[name], `${pointer}/${escapeToken(name)}`)
  }
  if (shape.closing === 'open') return
  const place = shape.closing === 'closed' ? 'other' : pointer === '' ? 'root' : 'classification'
  for (const name of unknown) {
    const at = `${pointer}/${escapeToken(name)}`
    listener.undefinedMember(at, name, place, { atName: true, fix: () => fixUndefined(telling, at, name, free) })
  }
}

function takeOut(names: string[], name: string): void {
  names.splice(names.indexOf(name), 1)
}

/** Each suggestion compares the name with every member, and a hostile document has very many names. */
const MOST_SUGGESTIONS = 20

function meantBy({ spell = snakeCase }: Words, name: string, known: readonly string[]): string | undefined {
  if (name.length > 40) return undefined
  const spelt = spell(name)
  return known.includes(spelt) ? spelt : suggest(spelt, known)
}

/** Suggests each defined name only once: an object with two members of one name would be invalid. */
function fixUndefined({ document, words }: Telling, pointer: string, name: string, free: string[]): Fix {
  const meant = meantBy(words, name, free)
  if (meant === undefined) return words.adviseOn(name)
  takeOut(free, meant)
  return renameMember(document, pointer, meant)
}

function explainMissing(telling: Telling, name: string, misspelled: string | undefined, pointer: string): void {
  const { document, words, listener } = telling
  const missing = `Required member '${name}' is missing`
  const rule = words.rules.get('missing-member')!
  if (misspelled === undefined) {
    listener.fault(rule, pointer, missing)
    return
  }
  const at = `${pointer}/${escapeToken(misspelled)}`
  const detail = `${quoted(misspelled)} is not known: did you mean '${name}'?`
  const hint = `rename ${quoted(misspelled)} to '${name}'`
  const related = [{ pointer, message: missing }]
  listener.fault(rule, at, detail, { atName: true, related, fix: () => renameMember(document, at, name, hint) })
}

function explainFault(telling: Telling, shape: Shape, fault: Fault, value: unknown, pointer: string): void {
  const { listener, words } = telling
  if (fault === 'enum' && listener.accepts?.(shape, value as string) === true) return
  const named = fault === 'type' || fault === 'empty' ? undefined : shape.rule
  const byFormat = fault === 'format' ? words.byFormat?.[shape.format!] : undefined
  const rule = words.rules.get(named ?? byFormat ?? GENERAL[fault])!
  const detail = `${nameAt(pointer)} must be ${wanted(words, shape, fault)}, found ${shown(value)}`
  listener.fault(rule, pointer, detail, { fix: () => fixValue(telling, shape, fault, value, pointer) })
}

function wanted({ grammar = {} }: Words, shape: Shape, fault: Fault): string {
  switch (fault) {
    case 'type':
      return typeNames(shape.types)
    case 'enum':
      return `one of ${shape.options!.join(', ')}`
    case 'pattern':
      return grammar[shape.pattern!.source]!
    case 'format':
      return grammar[shape.format!]!
    case 'range':
      if (shape.rule !== undefined && grammar[shape.rule] !== undefined) return grammar[shape.rule]!
      return shape.maximum === Number.POSITIVE_INFINITY
        ? `at least ${shape.minimum}`
        : `from ${shape.minimum} to ${shape.maximum}`
    default:
      return shape.types[0] === 'array' ? 'an array with an item at least' : 'a string that is not empty'
  }
}

function fixValue(telling: Telling, shape: Shape, fault: Fault, value: unknown, pointer: string): Fix | undefined {
  const { document, words } = telling
  if (typeof value !== 'string') {
    return fault === 'type' && typeof value === 'number' ? fixNumber(document, shape, pointer) : undefined
  }
  if (fault === 'enum') {
    const meant = suggest(snakeCase(value.trim()), shape.options!)
    return meant === undefined
      ? undefined
      : { ...replaceText(document, pointer, meant), hint: `did you mean '${meant}'?` }
  }
  if (fault === 'pattern') return words.mend?.(shape, value) ?? fixVersion(document, shape, value, pointer)
  if (fault !== 'type') return undefined
  if (shape.types.includes('boolean') && (value === 'true' || value === 'false'))
    return replaceLiteral(document, pointer, value)
  const isNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(value)
  return isNumber && /number|integer/.test(shape.types.join()) ? replaceLiteral(document, pointer, value) : undefined
}

function fixVersion(document: Document, { pattern }: Shape, value: string, pointer: string): Fix | undefined {
  const version = versionOf(pattern!, value)
  if (version === undefined) return undefined
  return { ...replaceText(document, pointer, version), hint: `did you mean ${version}?` }
}

/** The fix for a number where text is required: quotes the digits as written. YAML reads `1.0` as a number. */
function fixNumber(document: Document, { types, pattern, format, options }: Shape, pointer: string): Fix | undefined {
  if (!types.includes('string') || format !== undefined || options !== undefined) return undefined
  const written = document.tape.source(document.tape.find(parsePointer(pointer)!))
  const text = pattern === undefined || pattern.test(written) ? written : versionOf(pattern, written)
  if (text === undefined || text.length > LONGEST_NUMBER) return undefined
  return { ...replaceText(document, pointer, text), hint: `put it in quotes: "${text}"` }
}

/** The full version for a short one: 1.0.0 for `1.0`. Undefined when the result is not a valid version. */
function versionOf(pattern: RegExp, text: string): string | undefined {
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined
  const version = text.includes('.') ? `${text}.0` : `${text}.0.0`
  return pattern.test(version) ? version : undefined
}
