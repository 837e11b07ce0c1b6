import { A2A_READING } from '../a2a/subject.ts'
import { SENSITIVITIES } from '../adl/places.ts'
import { ADL_READING } from '../adl/subject.ts'
import { isAgentUri } from '../card/agent-uri.ts'
import type { Document } from '../document/parse.ts'
import { read } from '../document/read.ts'
import type { Diagnostic } from '../document/types.ts'
import { detectKind, fits } from '../frame/detect.ts'
import { open } from '../frame/open.ts'
import type { Source } from '../frame/source.ts'
import { type OtherVersion, type Reading, ruleDiagnostic, versionWarnings } from '../frame/subject.ts'
import { rowOf } from '../kinds.ts'
import { LISTS, type ListName, type McpVersion } from '../mcp/messages.ts'
import { SERVER_READING } from '../mcp-server/subject.ts'
import {
  elements,
  isObject,
  isText,
  type JsonObject,
  objectMember,
  type PlacedObject,
  valueAt,
} from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { publishedIn } from './adl-mcp/server.ts'
import { CONVERT_SOURCE, CONVERT_VERSION } from './findings.ts'
import {
  type ConversionResult,
  type ConvertFormat,
  type ConvertOptions,
  FORMATS,
  MOST,
  ROWS,
  type Row,
  SOURCE_FORMATS,
  type SourceFormat,
} from './formats.ts'
import type { Problem } from './job.ts'
import { CARD_EXTENSION, CARD_META, EXTENSION, META } from './ledger.ts'
import { type Hub, routes } from './pairs.ts'
import { extensionOf } from './sides/a2a.ts'
import { carriedIn, readBundle } from './sides/definition.ts'
import { type Journey, travel } from './steps.ts'

export declare namespace convert {
  type Result = ConversionResult
  type Options = ConvertOptions
}

/**
 * Converts a document that describes an agent into another format, and accounts for every member. Without a direct
 * converter, it goes through an Agent Card or an agent definition: the one whose members the document carries, or else
 * the one that loses less.
 *
 * @example
 * const { document, loss } = convert(definition, { to: 'a2a-1.0', url: 'https://example.com/a2a' })
 * document.value.supportedInterfaces[0].url // 'https://example.com/a2a'
 * loss.filter(({ outcome }) => outcome === 'dropped') // members that the card cannot express
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; a document that cannot be converted gives diagnostics.
 */
export function convert(
  source: Source,
  { to, ...options }: { readonly to: ConvertFormat } & ConvertOptions,
): ConversionResult {
  checkFormat('to', to, FORMATS)
  if (options.from !== undefined) checkFormat('from', options.from, SOURCE_FORMATS)
  checkDefaults(options)
  const { file } = options
  const {
    document,
    diagnostics: reading,
    kind,
  } = open(read, source, { ...(file !== undefined && { file }), most: MOST })
  if (document === undefined) return { document: undefined, loss: [], asked: [], diagnostics: reading }
  const { value } = document
  const refuse = (detail: string): ConversionResult => {
    const refusal = ruleDiagnostic(document, CONVERT_SOURCE, 'error', '', detail)
    return { document: undefined, loss: [], asked: ['from'], diagnostics: [...reading, refusal] }
  }
  if (!isObject(value)) return refuse('expected a JSON object')
  // An agent.yaml is an agent, whatever its members.
  const from = options.from ?? (kind === 'agentlang' ? kind : detect(document, value))
  if (from === undefined) {
    const known = detectKind(document)
    if (known === undefined) return refuse(`expected one of ${SOURCE_FORMATS.join(', ')}: name it with the option from`)
    const others = 'if it is something else, name its format with the option from'
    return refuse(`${rowOf(known).plural} cannot be converted; ${others}`)
  }
  if (from === to) return refuse(`it is ${to} already`)
  const diagnostics = [...reading, ...otherVersionIn(from, document)]
  const best = routes(from, to, carriedBy(from, value))
    .map((route) => watched(options, (seen) => travel(document, route, seen)))
    .reduce(better)
  // Errors first: a warning about a missing result does not help.
  const problems = [...best.problems].sort((a, b) => Number(isError(b)) - Number(isError(a)))
  const ownDiagnostics = problems.map(({ rule, pointer, detail }) =>
    ruleDiagnostic(document, rule, rule.severity, pointer, detail),
  )
  const { loss, asked } = best
  return { document: best.document, loss, asked, diagnostics: [...diagnostics, ...ownDiagnostics, ...best.diagnostics] }
}

/** Runs a conversion and records which options its converters read. */
function watched(
  options: ConvertOptions,
  go: (options: ConvertOptions) => Journey,
): Journey & Pick<ConversionResult, 'asked'> {
  const asked = new Set<keyof ConvertOptions>(['from'])
  const seen = new Proxy(options, {
    get(given, name: keyof ConvertOptions) {
      asked.add(name)
      return given[name]
    },
  })
  return { ...go(seen), asked: [...asked] }
}

const isError = ({ rule }: Problem) => rule.severity === 'error'

/** The conversion that loses less; the first one if they lose the same or neither can be completed. */
function better<J extends Journey>(a: J, b: J): J {
  if (a.document === undefined || b.document === undefined) return a.document === undefined && b.document ? b : a
  return b.lost < a.lost ? b : a
}

function checkFormat(name: string, format: unknown, formats: readonly unknown[]): void {
  if (formats.includes(format)) return
  throw new RangeError(`${name}: expected one of ${formats.join(', ')}, got ${JSON.stringify(format)}`)
}

/** Default values must be valid in the definitions they are written to (ADL 5.5, 10.4). */
function checkDefaults({ version, classification, id }: ConvertOptions): void {
  if (id !== undefined && !isAgentUri(id)) {
    throw new RangeError(`id: expected an agent:// URI, got ${JSON.stringify(id)}`)
  }
  if (version !== undefined && !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new RangeError(`version: expected MAJOR.MINOR.PATCH, got ${JSON.stringify(version)}`)
  }
  if (classification === undefined || SENSITIVITIES.includes(classification?.sensitivity)) return
  const came = JSON.stringify(classification?.sensitivity)
  throw new RangeError(`classification.sensitivity: expected ${SENSITIVITIES.join(', ')}, got ${came}`)
}

// Finds the members of a definition or Agent Card that a document carries from its source.

interface Marks {
  /** The URI of the extension in A2A. */
  readonly extension: string
  /** The member of `_meta` in MCP. */
  readonly meta: string
}

const MARKS: Readonly<Record<Hub, Marks>> = {
  adl: { extension: EXTENSION, meta: META },
  card: { extension: CARD_EXTENSION, meta: CARD_META },
}

type Carries = (root: PlacedObject, marks: Marks) => boolean

const inExtension: Carries = (root, { extension }) => extensionOf(root, extension).params !== undefined

const inBundle =
  (version: McpVersion): Carries =>
  (root, { meta }) => {
    const lists = (Object.keys(LISTS) as ListName[]).flatMap((name) =>
      elements(objectMember(root, LISTS[name]), name, isObject),
    )
    return [readBundle(root, version).start, ...lists].some((part) => carriedIn(part, meta) !== undefined)
  }

/** The formats that carry members of a source; cards and definitions restore them on any route. */
const CARRIES: Readonly<Partial<Record<SourceFormat, Carries>>> = {
  'a2a-1.0': inExtension,
  'a2a-0.3': inExtension,
  'mcp-2025-11-25': inBundle('2025-11-25'),
  'mcp-2026-07-28': inBundle('2026-07-28'),
  'mcp-server': (root, { meta }) => publishedIn(root, meta) !== undefined,
}

/** The kinds of source whose members a document carries. */
function carriedBy(format: SourceFormat, value: JsonObject): readonly Hub[] {
  const root = { pointer: '', value }
  return (Object.keys(MARKS) as Hub[]).filter((hub) => CARRIES[format]?.(root, MARKS[hub]) === true)
}

/** Detects the format of a document by its kind, or else by members that only one format has. */
export function detect(document: Document, members: JsonObject): ConvertFormat | undefined {
  const kind = detectKind(document)
  return choose(members, (row) => row.kind === kind) ?? choose(members, (row) => row.kind === undefined)
}

function choose(members: JsonObject, concerns: (row: Row) => boolean): ConvertFormat | undefined {
  const fitting = ROWS.filter((row: Row) => concerns(row) && (row.tells === undefined || fits(row.tells, members)))
  return fitting.find(({ format }) => !fitting.some((other: Row) => other.before?.includes(format)))?.format
}

// Whether a document is of a version that the converters read.

type Judge = (document: Document) => OtherVersion | undefined

const ofKind =
  <Subject>({ subject, otherVersion }: Reading<Subject>): Judge =>
  (document) =>
    otherVersion?.(subject(document))

/** For formats that are not a kind. */
const named =
  (pointer: string, known: RegExp): Judge =>
  ({ value }) => {
    const version = valueAt(value, pointer)
    if (!isText(version) || known.test(version)) return undefined
    return { rule: CONVERT_VERSION, pointer, detail: `Version ${quoted(version)} is not one that the converter reads` }
  }

/** Formats whose documents name a version. Metadata is not here: its converter refuses other versions. */
const JUDGES: Readonly<Partial<Record<SourceFormat, Judge>>> = {
  adl: ofKind(ADL_READING),
  'a2a-1.0': ofKind(A2A_READING),
  'a2a-0.3': ofKind(A2A_READING),
  'mcp-server': ofKind(SERVER_READING),
  'oasf-record': named('/schema_version', /^v?[01]\./),
  // Older ones have the same members, or fewer.
  'mcp-2025-11-25': named('/initialize/protocolVersion', /^20(?:24-|25-(?:0\d|10|11)-)/),
}

/** The warning for a document of a version that the converters were not written for. */
function otherVersionIn(from: SourceFormat, document: Document): readonly Diagnostic[] {
  return versionWarnings(document, JUDGES[from]?.(document))
}
