// Detects the kind of a document by its members: the first matching row wins.
import { type Document, parse } from '../document/parse.ts'
import { type Form, formOf, type Kind, type KindRow, type Tell } from '../kinds.ts'
import { KINDS } from '../tables/kinds.ts'
import { isObject, type JsonObject, member, objectOf } from '../text/members.ts'

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

const ROWS: readonly KindRow[] = KINDS
const NAMES: readonly (readonly [name: RegExp, row: KindRow])[] = ROWS.flatMap((row) =>
  row.files.map((name) => [patternOf(name), row] as const),
)
const IN_LINES = /\.jsonl\$?$/i
const DECIDING = NAMES.filter(
  ([{ source }, { isNamed, form = 'document' }]) => isNamed || form !== 'document' || IN_LINES.test(source),
)

/** The pattern of a name in a row. */
export function patternOf(name: string): RegExp {
  const written = name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')
  return new RegExp(`${name.startsWith('.') ? '' : '(?:^|/)'}${written}$`, 'i')
}

/** The kind of a document, detected by its file name: for documents whose members do not show it (ADL section 17.1). */
export function kindOfName(file: string | undefined, names = NAMES): Kind | undefined {
  if (typeof file !== 'string') return undefined
  const path = file.replaceAll('\\', '/')
  return names.find(([name]) => name.test(path))?.[1].kind
}

const PROOFS = ROWS.flatMap(({ kind, proofs }) =>
  proofs === undefined ? [] : [{ kind, names: proofs.files.map(patternOf), tells: proofs.tells }],
)

/** The kind of document about which a file proves something, by its name or by its members. */
export function kindProvedBy(file: string | undefined, root?: unknown): Kind | undefined {
  const isNamed = (name: RegExp) => file !== undefined && name.test(file)
  return PROOFS.find(({ names, tells }) => names.some(isNamed) || (isObject(root) && fits(tells, root)))?.kind
}

/** The kind of a source whose name or place decides, whatever its members are. */
function kindOfPlace(file: string | undefined): Kind | undefined {
  return kindOfName(file, DECIDING)
}

const decoder = new TextDecoder()
/** The first line must show its type early: otherwise most documents would be read twice. */
const EARLY = 256
const TYPE = /"type"\s*:\s*"[a-z]+\./

/** The kind of a source with a JSON document in each line, detected by the first one. */
function kindOfLines(source: unknown): Kind | undefined {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) return undefined
  if (!TYPE.test(typeof source === 'string' ? source.slice(0, EARLY) : decoder.decode(source.subarray(0, EARLY))))
    return undefined
  const end = typeof source === 'string' ? source.indexOf('\n') : source.indexOf(0x0a)
  const first = parse(end < 0 ? source : source.slice(0, end), { bom: 'warn' }).document?.value
  if (!isObject(first) || kindOfMembers(first) !== undefined) return undefined
  return ROWS.find(({ lines = [] }) => fits(lines, first))?.kind
}

/** What is known about a source before it is read: by its name and its place, or by its first line. */
export function glanceAt(
  source: unknown,
  { as, file }: { readonly as?: Kind | undefined; readonly file?: string | undefined },
): { readonly kind: Kind | undefined; readonly form: Form } {
  const kind = as ?? kindOfPlace(file) ?? kindOfLines(source)
  const { lines } = ROWS.find((row) => row.kind === kind) ?? {}
  const isLines = lines !== undefined && (IN_LINES.test(file ?? '') || kindOfLines(source) === kind)
  return { kind, form: isLines ? 'lines' : formOf(kind) }
}

/** True when the root matches at least one of these patterns. */
export function fits(tells: readonly Tell[], root: JsonObject): boolean {
  return tells.some((tell) => holds(tell, root))
}

function holds({ has, starts, is, any, each }: Tell, root: JsonObject): boolean {
  return (
    (has === undefined || has.every((name) => Object.hasOwn(root, name))) &&
    (starts === undefined || Object.entries(starts).every(([name, start]) => begins(member(root, name), start))) &&
    (is === undefined || Object.entries(is).every(([name, type]) => typeOf(member(root, name)) === type)) &&
    (any === undefined || any.slice(1).some((name) => Object.hasOwn(objectOf(member(root, any[0])), name))) &&
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
