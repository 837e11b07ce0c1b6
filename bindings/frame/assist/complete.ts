// What can be written at a place of a document, and what its members mean: from the shapes that check it.
import { type Document, parse } from '../../document/parse.ts'
import { arrayIndex, formatPointer, isObject, isText, member, parsePointer, valueAt } from '../../text/members.ts'
import type { Shape } from '../shape.ts'
import type { ShapedValue, Specification } from '../specification.ts'
import { otherRoots } from '../subject.ts'
import type { Cursor, Notation } from './cursor.ts'

/** Something to write instead of a cursor's token. */
export interface Completion {
  readonly label: string
  readonly isMember: boolean
  /** True for a member that its object must have. */
  readonly isRequired: boolean
  /** What the member means. */
  readonly about?: string | undefined
  /** The types of a member's value. */
  readonly types: readonly string[]
  readonly text: string
}

/** Values of a document that are offered elsewhere. */
const MOST_VALUES = 500

/** The values with shapes of a document, or, without one, of the kind's documents in general. */
export function shapesOf(specification: Specification, document: Document | undefined): readonly ShapedValue[] {
  const readable = document !== undefined && otherRoots(specification, document).length === 0 ? document : undefined
  return specification.shapes(specification.subject(readable ?? parse('{}').document!))
}

/** The shapes of the value at a path. */
export function shapesAt(shaped: readonly ShapedValue[], path: readonly string[]): readonly Shape[] {
  return shaped.flatMap(({ shape, pointer }) => {
    const above = parsePointer(pointer) ?? []
    if (!above.every((token, i) => token === path[i])) return []
    let at: Shape | undefined = shape
    for (const token of path.slice(above.length)) {
      if (at === undefined) return []
      at = (at.items && arrayIndex(token) >= 0 ? at.items : undefined) ?? at.members?.get(token) ?? at.values
    }
    return at ?? []
  })
}

/** What else is known about a document. */
export interface Knowledge {
  /** The document as it was last readable. */
  readonly document: Document | undefined
  /** Values that a place may name: tools, files. */
  readonly names: readonly string[]
}

/** What can be written at a cursor. */
export function complete(
  cursor: Cursor,
  shaped: readonly ShapedValue[],
  notation: Notation,
  { document, names }: Knowledge,
): readonly Completion[] {
  const shapes = shapesAt(shaped, cursor.path)
  const found = new Map<string, Completion>()
  const add = (one: Completion) => {
    if (!found.has(one.label)) found.set(one.label, one)
  }
  if (cursor.expects !== 'value') {
    for (const shape of shapes) for (const one of members(shape, cursor, notation, document)) add(one)
    // The members of a map have the names that are known.
    if (shapes.some(({ values: any }) => any !== undefined))
      for (const label of names) add(memberOf(label, cursor, notation))
  }
  if (cursor.expects === 'name') return [...found.values()]
  const values = shapes.flatMap((shape) => valuesOf(shape))
  const texts = [...values, ...names, ...(found.size > 0 || values.length > 0 ? [] : elsewhere(document, cursor))]
  for (const label of texts) {
    const isLiteral = shapes.some(({ types }) => !types.includes('string')) && /^(?:true|false)$/.test(label)
    add({
      label,
      isMember: false,
      isRequired: false,
      types: [],
      text: isLiteral ? label : written(label, cursor, notation),
    })
  }
  return [...found.values()]
}

function* members(
  { members: all, required }: Shape,
  cursor: Cursor,
  notation: Notation,
  document: Document | undefined,
): Generator<Completion> {
  const object = valueAt(document?.value, formatPointer(cursor.path))
  for (const [label, { about, types }] of all ?? []) {
    // Those that the object has are left out, except the one that is being written.
    const isThere = cursor.others.includes(label) || (isObject(object) && member(object, label) !== undefined)
    if (isThere && label !== cursor.word) continue
    yield { ...memberOf(label, cursor, notation), isRequired: required.includes(label), about, types }
  }
}

function memberOf(label: string, cursor: Cursor, notation: Notation): Completion {
  const text = `${written(label, cursor, notation)}${cursor.hasColon ? '' : ': '}`
  return { label, isMember: true, isRequired: false, types: [], text }
}

function valuesOf({ options, types }: Shape): readonly string[] {
  return options ?? (types.length === 1 && types[0] === 'boolean' ? ['true', 'false'] : [])
}

/** A text in the notation: with the quotes that were begun, or that it needs. */
function written(text: string, { quote, expects }: Cursor, notation: Notation): string {
  if (notation === 'json') return JSON.stringify(text)
  if (quote === "'") return `'${text.replaceAll("'", "''")}'`
  const isPlain = /^[a-z$_][\w$ ./-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|~)$|\s$/i.test(text)
  return quote === '' && (isPlain || expects === 'name') ? text : JSON.stringify(text)
}

/** The texts at the same place in other elements of the document's lists: tags, hosts, names of models. */
function elsewhere(document: Document | undefined, { path, word }: Cursor): readonly string[] {
  const pattern = path.map((token) => (arrayIndex(token) >= 0 ? undefined : token))
  if (!pattern.includes(undefined)) return []
  const found = new Set<string>()
  const visit = (value: unknown, depth: number): void => {
    if (found.size >= MOST_VALUES) return
    if (depth === pattern.length) {
      if (isText(value) && value.length <= 200 && value !== word) found.add(value)
      return
    }
    const token = pattern[depth]
    if (token !== undefined) visit(isObject(value) ? member(value, token) : undefined, depth + 1)
    else if (Array.isArray(value)) for (const element of value) visit(element, depth + 1)
  }
  visit(document?.value, 0)
  return [...found]
}
