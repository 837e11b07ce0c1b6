// Opens a document for every verb in the same way, so that all of them agree on its kind and its limits.
import { canonicalizeValue } from '../core/value.ts'
import { diagnoseNowhere } from '../document/diagnose.ts'
import { DocumentError } from '../document/finding.ts'
import { formatOf } from '../document/format.ts'
import { Document, type Format, LARGEST_DOCUMENT, type ParseResult } from '../document/parse.ts'
import { ARRAY, OBJECT, STRING, type Tape } from '../document/tape.ts'
import type { Diagnostic, Files } from '../document/types.ts'
import { type Bounds, KIND_NAMES, type Kind, type KindRow, rowOf } from '../kinds.ts'
import { KINDS } from '../tables/kinds.ts'
import { isObject, type JsonObject } from '../text/members.ts'
import { oneOf } from '../text/words.ts'
import { DEFAULT_DEPTH } from '../wasm/json.ts'
import { glanceAt, kindOfMembers, kindOfName } from './detect.ts'
import { KIND_FOLDER } from './findings.ts'
import type { FormReaders, Reader, Source } from './source.ts'

export interface OpenOptions {
  /**
   * The document's name in diagnostics. Its extension selects YAML or JSON, and the kind when the members do not show
   * it.
   */
  readonly file?: string
  readonly format?: Format
  /** The kind of the document; default: detected by its members. */
  readonly as?: Kind
  /** The caller's limit for documents of any kind; default: the core's own limit. */
  readonly most?: Bounds
  /** Limits that replace those of the row. */
  readonly bounds?: Readonly<Partial<Record<Kind, Bounds>>>
}

/**
 * A parsed document, or the diagnostics that explain why reading failed; with its kind where that could be detected.
 */
export interface OpenResult extends ParseResult {
  readonly kind: Kind | undefined
}

const MOST: Bounds = { bytes: LARGEST_DOCUMENT, depth: DEFAULT_DEPTH }

const ROWS: readonly KindRow[] = KINDS

/** A document within these limits is within the limits of every kind. */
const LEAST: Bounds = {
  bytes: Math.min(...KINDS.map(({ bounds }) => bounds.bytes)),
  depth: Math.min(...KINDS.map(({ bounds }) => bounds.depth)),
}

/** Throws when `as` is not a known kind. */
function checkAs(as: Kind | undefined): void {
  if (as === undefined || KIND_NAMES.includes(as)) return
  throw new RangeError(`as: expected one of ${KIND_NAMES.join(', ')}, got ${String(as)}`)
}

/**
 * Reads a document within the limits of its kind.
 *
 * @throws {TypeError} when the source has none of the types of `Source`, {RangeError} for an invalid option.
 */
export function open(read: Reader, source: Source, options: OpenOptions = {}, readers: FormReaders = {}): OpenResult {
  checkAs(options.as)
  if (isFiles(source)) return openFolder(read, source, options, readers)
  const { as, file = source instanceof Document ? source.file : undefined } = options
  const { kind, form } = glanceAt(source instanceof Document ? source.lines.bytes : source, { as, file })
  const decided = kind === undefined || kind === as ? options : { ...options, as: kind }
  const reader = readers[form] ?? read
  if (isValue(source)) return openValue(form === 'lines' ? reader : read, source, decided)
  const isOneLine = form === 'lines' && source instanceof Document && !Array.isArray(source.value)
  return openSource(reader, isOneLine ? source.lines.bytes : source, decided)
}

/** Opens the document of a folder: the file that its kind names. */
function openFolder(read: Reader, files: Files, options: OpenOptions, readers: FormReaders): OpenResult {
  const { as, file: folder } = options
  const row = ROWS.find(({ kind, inFolder }) => (as ?? kind) === kind && inFolder !== undefined && files.has(inFolder))
  if (row === undefined) return { document: undefined, diagnostics: [noDocument(as, folder)], kind: as }
  const { kind, inFolder } = row
  const file = folder === undefined || folder === '.' ? inFolder! : `${folder.replace(/\/$/, '')}/${inFolder}`
  const opened = open(read, files.get(inFolder!)!, { ...options, as: kind, file }, readers)
  opened.document?.keepFiles(files)
  return opened
}

function noDocument(as: Kind | undefined, file: string | undefined): Diagnostic {
  const names = ROWS.flatMap(({ kind, inFolder }) => ((as ?? kind) === kind ? (inFolder ?? []) : []))
  const detail =
    names.length === 0 ? 'Expected one document, found a folder' : `Expected a file ${oneOf(names)} in the folder`
  return diagnoseNowhere(KIND_FOLDER, { detail }, file)
}

function openSource(read: Reader, source: Uint8Array | string | Document, options: OpenOptions): OpenResult {
  if (source instanceof Document) return reopen(read, source, options)
  const { as, most = MOST } = options
  if (as !== undefined) return openResult(readWithin(read, source, options, boundsOf(as, options)), as)
  const parsed = readWithin(read, source, options, smaller(LEAST, most))
  if (parsed.document !== undefined) return applyLimits(read, source, parsed, kindOf(parsed.document, options), options)
  if (!parsed.diagnostics.some(isLimit)) return openResult(parsed, kindOfName(options.file))
  return openLarge(read, source, options)
}

function isFiles(source: Source): source is Files {
  return source instanceof Map
}

function isValue(source: Exclude<Source, Files>): source is JsonObject {
  return typeof source !== 'string' && !(source instanceof Uint8Array || source instanceof Document) && isObject(source)
}

/** Opens an object: serializes and reads it again, so that nothing can change it afterwards. */
function openValue(read: Reader, value: JsonObject, options: OpenOptions): OpenResult {
  try {
    return openSource(read, canonicalizeValue(value), { ...options, format: 'json' })
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { document: undefined, diagnostics: error.diagnostics, kind: options.as ?? kindOfName(options.file) }
  }
}

/** Opens a document that exceeds the limits of some kind: its own kind decides which limits apply. */
function openLarge(read: Reader, source: Uint8Array | string, options: OpenOptions): OpenResult {
  const { file, most = MOST } = options
  if (formatOf(source, options) === 'yaml') {
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source.subarray(0, most.bytes))
    const kind = kindOfMembers(glanceYaml(text)) ?? kindOfName(file)
    const parsed = readWithin(read, source, options, kind === undefined ? most : boundsOf(kind, options))
    if (parsed.document === undefined) return openResult(parsed, kind)
    return applyLimits(read, source, parsed, kindOf(parsed.document, options), options)
  }
  const parsed = readWithin(read, source, options, most)
  if (parsed.document === undefined) return openResult(parsed, kindOfName(file))
  return applyLimits(read, source, parsed, kindOfMembers(glance(parsed.document)) ?? kindOfName(file), options)
}

/** Opens a document that was already parsed, perhaps within other limits. */
function reopen(read: Reader, document: Document, options: OpenOptions): OpenResult {
  const { file = document.file, as } = options
  const isSmall = document.lines.bytes.length <= LEAST.bytes
  const kind = as ?? kindOfMembers(isSmall ? document.value : glance(document)) ?? kindOfName(file)
  const given = { ...options, ...(file !== undefined && { file }), format: document.format }
  return applyLimits(read, document.lines.bytes, { document, diagnostics: document.warnings }, kind, given)
}

/** Applies the limits of the document's kind, and reads the document again when it exceeds them. */
function applyLimits(
  read: Reader,
  source: Uint8Array | string,
  parsed: ParseResult,
  kind: Kind | undefined,
  options: OpenOptions,
): OpenResult {
  const bounds = kind === undefined ? (options.most ?? MOST) : boundsOf(kind, options)
  return openResult(isWithin(parsed.document!, bounds) ? parsed : readWithin(read, source, options, bounds), kind)
}

/** Copies the members by name: V8 takes microseconds to spread one object into another and add to it. */
function openResult({ document, diagnostics }: ParseResult, kind: Kind | undefined): OpenResult {
  return { document, diagnostics, kind }
}

function isWithin(document: Document, { bytes, depth }: Bounds): boolean {
  // The tape is only built when the document may be deeper.
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

function readWithin(
  read: Reader,
  source: Uint8Array | string,
  options: OpenOptions,
  { bytes, depth }: Bounds,
): ParseResult {
  const { file } = options
  const format = formatOf(source, options)
  return read(source, { format, maxBytes: bytes, maxDepth: depth, bom: 'warn', ...(file !== undefined && { file }) })
}

const isLimit = ({ code }: Diagnostic) => code === 'DOC-113' || code === 'DOC-114'

// Reads only the root members that reveal the kind, before the document's value is built. The kind decides which limits
// apply, so it is needed for a document that exceeds the limits of some kinds.

/** The members that reveal kinds. A hostile root may have very many others. */
const TELLING: ReadonlySet<string> = new Set(
  KINDS.flatMap(({ tells }: KindRow) =>
    tells.flatMap(({ has = [], starts = {}, is = {}, each = [] }) => [
      ...has,
      ...Object.keys(starts),
      ...Object.keys(is),
      ...each,
    ]),
  ),
)
/** Texts that reveal a kind are short. */
const MOST_TEXT = 1000

/** The root's members that reveal the kind: texts are kept, objects and lists are left almost empty. */
export function glance({ tape }: Document): JsonObject | undefined {
  return tape.kind(0) === OBJECT ? shallow(tape, 0, elementsOf) : undefined
}

type Part = (tape: Tape, value: number) => unknown

function shallow(tape: Tape, object: number, list: Part): JsonObject {
  const members: [string, unknown][] = []
  for (const name of tape.children(object)) {
    const text = tape.end(name) - tape.start(name) > MOST_TEXT ? '' : tape.text(name)
    if (TELLING.has(text)) members.push([text, part(tape, name + 1, list)])
  }
  return Object.fromEntries(members)
}

function part(tape: Tape, value: number, list: Part): unknown {
  const kind = tape.kind(value)
  if (kind === STRING) return tape.end(value) - tape.start(value) > MOST_TEXT ? '' : tape.text(value)
  return kind === OBJECT ? {} : kind === ARRAY ? list(tape, value) : null
}

function elementsOf(tape: Tape, array: number): readonly JsonObject[] {
  const objects = tape.children(array).filter((element) => tape.kind(element) === OBJECT)
  return objects.map((element) => shallow(tape, element, () => []))
}

/** Matches `name: value` at the beginning of a line: a root member, where the root is a block mapping. */
const LINE = /^(?:"([^"\\\n]{1,99})"|'([^'\n]{1,99})'|([\w$][\w$.-]{0,98}))[ \t]*:(?:[ \t]+(.*))?\r?$/gm
/** Matches the first item of a list that follows a name without a value on its own line. */
const ITEM = /(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*-[ \t]/y

/**
 * The same for YAML, from its text: building a tree of 1 MB takes a second. Only the choice of limits depends on the
 * result.
 */
export function glanceYaml(text: string, isTelling = (name: string) => TELLING.has(name)): JsonObject {
  const members: [string, unknown][] = []
  for (const { 0: line, 1: double, 2: single, 3: plain, 4: value = '', index } of text.matchAll(LINE)) {
    const name = (double ?? single ?? plain)!
    if (isTelling(name)) members.push([name, scalarOf(value, text, index + line.length + 1)])
  }
  return Object.fromEntries(members)
}

function scalarOf(written: string, text: string, next: number): unknown {
  const value = written.replace(/(?:^|[ \t])#.*$/, '').trim()
  if (value === '') {
    ITEM.lastIndex = next
    return ITEM.test(text) ? [] : {}
  }
  return value.startsWith('[') ? [] : value.replace(/^(["'])(.*)\1$/, '$2')
}
