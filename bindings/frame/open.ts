// Reading a document for whatever is done with it next: one way for all, so that one document has one answer.
import { canonicalizeValue } from '../core/value.ts'
import { Document, type Format } from '../document/document.ts'
import { DocumentError } from '../document/error.ts'
import { LARGEST_DOCUMENT, type Parsed, type ParseOptions } from '../document/parse.ts'
import { formatOf } from '../document/read-format.ts'
import type { Diagnostic } from '../document/types.ts'
import { type Bounds, KIND_NAMES, KINDS, type Kind, rowOf } from '../kinds.ts'
import { isObject, type JsonObject } from '../text/members.ts'
import { DEFAULT_DEPTH } from '../wasm/json.ts'
import { kindOfMembers, kindOfName } from './detect.ts'
import { glance, glanceYaml } from './glance.ts'
import type { Source } from './source.ts'

/** Reads a source within limits: `read` of bindings/document, or a reader without YAML. */
export type Reader = (source: Uint8Array | string, options: ParseOptions & { readonly format: Format }) => Parsed

export interface OpenOptions {
  /** The name of the document in diagnostics; its ending tells YAML from JSON, and in doubt the kind. */
  readonly file?: string
  readonly format?: Format
  /** The kind of the document; told by its members when absent. */
  readonly as?: Kind
  /** The most that the caller takes of any document: the core's own limit when absent. */
  readonly most?: Bounds
  /** Bounds in place of those of kinds.ts. */
  readonly bounds?: Readonly<Partial<Record<Kind, Bounds>>>
}

/** A document that was read, or the reasons that it could not be; in either case its kind, as far as that can be told. */
export interface Opened extends Parsed {
  readonly kind: Kind | undefined
}

const MOST: Bounds = { bytes: LARGEST_DOCUMENT, depth: DEFAULT_DEPTH }

/** Within these a document exceeds the bounds of no kind. */
const LEAST: Bounds = {
  bytes: Math.min(...KINDS.map(({ bounds }) => bounds.bytes)),
  depth: Math.min(...KINDS.map(({ bounds }) => bounds.depth)),
}

/** Throws when `as` is no kind. */
function checkAs(as: Kind | undefined): void {
  if (as === undefined || KIND_NAMES.includes(as)) return
  throw new RangeError(`as: expected one of ${KIND_NAMES.join(', ')}, got ${String(as)}`)
}

/**
 * Reads a document within the bounds of its kind.
 *
 * @throws {TypeError} when the source is of no type that `Source` has, {RangeError} for a wrong option.
 */
export function open(read: Reader, source: Source, options: OpenOptions = {}): Opened {
  checkAs(options.as)
  if (source instanceof Document) return reopen(read, source, options)
  if (isValue(source)) return openValue(read, source, options)
  const { as, most = MOST } = options
  if (as !== undefined) return opened(readWithin(read, source, options, boundsOf(as, options)), as)
  const parsed = readWithin(read, source, options, smaller(LEAST, most))
  if (parsed.document !== undefined) return judged(read, source, parsed, kindOf(parsed.document, options), options)
  if (!parsed.diagnostics.some(isLimit)) return opened(parsed, kindOfName(options.file))
  return openLarge(read, source, options)
}

function isValue(source: Exclude<Source, Document>): source is JsonObject {
  return typeof source !== 'string' && !(source instanceof Uint8Array) && isObject(source)
}

/** The object itself. It is written out and read again, so that nothing can change it afterwards. */
function openValue(read: Reader, value: JsonObject, options: OpenOptions): Opened {
  try {
    return open(read, canonicalizeValue(value), { ...options, format: 'json' })
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { document: undefined, diagnostics: error.diagnostics, kind: options.as ?? kindOfName(options.file) }
  }
}

/** A document beyond the bounds of every kind: its kind decides which bounds count. */
function openLarge(read: Reader, source: Uint8Array | string, options: OpenOptions): Opened {
  const { file, most = MOST } = options
  if (formatOf(source, options) === 'yaml') {
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source.subarray(0, most.bytes))
    const kind = kindOfMembers(glanceYaml(text)) ?? kindOfName(file)
    const parsed = readWithin(read, source, options, kind === undefined ? most : boundsOf(kind, options))
    if (parsed.document === undefined) return opened(parsed, kind)
    return judged(read, source, parsed, kindOf(parsed.document, options), options)
  }
  const parsed = readWithin(read, source, options, most)
  if (parsed.document === undefined) return opened(parsed, kindOfName(file))
  return judged(read, source, parsed, kindOfMembers(glance(parsed.document)) ?? kindOfName(file), options)
}

/** A document that was read before, perhaps within other bounds. */
function reopen(read: Reader, document: Document, options: OpenOptions): Opened {
  const { file = document.file, as } = options
  const isSmall = document.lines.bytes.length <= LEAST.bytes
  const kind = as ?? kindOfMembers(isSmall ? document.value : glance(document)) ?? kindOfName(file)
  const given = { ...options, ...(file !== undefined && { file }), format: document.format }
  return judged(read, document.lines.bytes, { document, diagnostics: document.warnings }, kind, given)
}

/** Holds a document against the bounds of its kind, and reads it again when these refuse it. */
function judged(
  read: Reader,
  source: Uint8Array | string,
  parsed: Parsed,
  kind: Kind | undefined,
  options: OpenOptions,
): Opened {
  const bounds = kind === undefined ? (options.most ?? MOST) : boundsOf(kind, options)
  return opened(isWithin(parsed.document!, bounds) ? parsed : readWithin(read, source, options, bounds), kind)
}

/** Name by name: V8 takes microseconds to spread one object into another and add to it. */
function opened({ document, diagnostics }: Parsed, kind: Kind | undefined): Opened {
  return { document, diagnostics, kind }
}

function isWithin(document: Document, { bytes, depth }: Bounds): boolean {
  // The places of everything are only made where the document may be deeper.
  return document.lines.bytes.length <= bytes && (document.maxDepth <= depth || !document.tape.isDeeperThan(depth))
}

function kindOf(document: Document, { file }: OpenOptions): Kind | undefined {
  return kindOfMembers(document.value) ?? kindOfName(file)
}

function boundsOf(kind: Kind, { most = MOST, bounds }: OpenOptions): Bounds {
  return smaller(bounds?.[kind] ?? rowOf(kind).bounds, most)
}

const smaller = (a: Bounds, b: Bounds): Bounds => ({
  bytes: Math.min(a.bytes, b.bytes),
  depth: Math.min(a.depth, b.depth),
})

function readWithin(read: Reader, source: Uint8Array | string, options: OpenOptions, { bytes, depth }: Bounds): Parsed {
  const { file } = options
  const format = formatOf(source, options)
  return read(source, { format, maxBytes: bytes, maxDepth: depth, bom: 'warn', ...(file !== undefined && { file }) })
}

const isLimit = ({ code }: Diagnostic) => code === 'DOC-113' || code === 'DOC-114'
