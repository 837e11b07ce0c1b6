// Detects the kind of a document by its members: the first matching row wins.
import type { Document } from '../document/document.ts'
import type { Kind, KindRow, Tell } from '../kinds.ts'
import { KINDS } from '../tables/kinds.ts'
import { isObject, type JsonObject, member } from '../text/members.ts'

/**
 * Detects the kind of a document by its members; undefined for an unknown kind.
 *
 * @example
 * detectKind(parse('{"adl_spec": "0.1.0"}').document) // 'adl'
 */
export function detectKind(document: Document): Kind | undefined {
  return kindOfMembers(document.value)
}

/** The kind of a document, detected by the members of its root. */
export function kindOfMembers(root: unknown): Kind | undefined {
  return isObject(root) ? KINDS.find(({ tells }) => fits(tells, root))?.kind : undefined
}

const NAMES: readonly (readonly [name: RegExp, row: KindRow])[] = KINDS.flatMap((row) =>
  row.files.map((name) => [patternOf(name), row] as const),
)
const DECIDING = NAMES.filter(([, { isNamed, form = 'document' }]) => isNamed || form !== 'document')

function patternOf(name: string): RegExp {
  const written = name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')
  return new RegExp(`${name.startsWith('.') ? '' : '(?:^|/)'}${written}$`, 'i')
}

/** The kind of a document, detected by its file name: for documents whose members do not show it (ADL section 17.1). */
export function kindOfName(file: string | undefined, names = NAMES): Kind | undefined {
  if (typeof file !== 'string') return undefined
  const path = file.replaceAll('\\', '/')
  return names.find(([name]) => name.test(path))?.[1].kind
}

/** The kind of a source whose name or place decides, whatever its members are. */
export function kindOfPlace(file: string | undefined): Kind | undefined {
  return kindOfName(file, DECIDING)
}

/** True when the root matches at least one of these patterns. */
export function fits(tells: readonly Tell[], root: JsonObject): boolean {
  return tells.some((tell) => holds(tell, root))
}

function holds({ has, starts, is, each }: Tell, root: JsonObject): boolean {
  return (
    (has === undefined || has.every((name) => Object.hasOwn(root, name))) &&
    (starts === undefined || Object.entries(starts).every(([name, start]) => begins(member(root, name), start))) &&
    (is === undefined || Object.entries(is).every(([name, type]) => typeOf(member(root, name)) === type)) &&
    (each === undefined || hasEach(member(root, each[0]), each[1]))
  )
}

function begins(value: unknown, start: string): boolean {
  return typeof value === 'string' && value.slice(0, start.length).toLowerCase() === start.toLowerCase()
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value
}

function hasEach(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.some((element) => isObject(element) && Object.hasOwn(element, name))
}
