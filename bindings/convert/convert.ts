import { A2A_READING } from '../a2a/subject.ts'
import { SENSITIVITIES, type Sensitivity } from '../adl/places.ts'
import { ADL_READING, Agent } from '../adl/subject.ts'
import { isAgentUri } from '../card/agent-uri.ts'
import { Card } from '../card/subject.ts'
import type { Document } from '../document/parse.ts'
import { read } from '../document/read.ts'
import type { Diagnostic } from '../document/types.ts'
import { detectKind, fits } from '../frame/detect.ts'
import { open } from '../frame/open.ts'
import type { Source } from '../frame/source.ts'
import { type OtherVersion, type Reading, ruleDiagnostic, versionWarnings } from '../frame/subject.ts'
import { type Bounds, type Kind, rowOf, type Tell } from '../kinds.ts'
import { LISTS, type ListName, type McpVersion } from '../mcp/messages.ts'
import { SERVER_READING } from '../mcp-server/specification.ts'
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
import { fromCard as fromA2a, toCard as toA2a } from './adl-a2a/adl-a2a.ts'
import { cardFromAdl, cardToAdl } from './adl-card/adl-card.ts'
import { fromBundle, toBundle } from './adl-mcp/bundle.ts'
import { fromClient, fromServer, publishedIn, toClient, toServer } from './adl-mcp/server.ts'
import { agentToAdl, agentToClient } from './agent/agent.ts'
import { cardFromA2a, cardToA2a } from './card-a2a/card-a2a.ts'
import { cardFromMcp, cardFromServer, cardToMcp, cardToServer } from './card-mcp/card-mcp.ts'
import { cardFromRecord, cardToRecord } from './card-oasf/card-oasf.ts'
import { cardFromDescriptor, cardToDescriptor } from './card-oasf/descriptor.ts'
import { cardFromWellknown, cardToWellknown } from './card-wellknown/card-wellknown.ts'
import { CONVERT_SOURCE, CONVERT_VERSION } from './findings.ts'
import { type Converter, type ExportJob, type Journey, type Problem, type Product, travel } from './job.ts'
import { CARD_EXTENSION, CARD_META, EXTENSION, META } from './ledger.ts'
import { extensionOf } from './sides/a2a.ts'
import { carriedIn, readBundle } from './sides/definition.ts'

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

// The formats of conversions, and how to recognize formats that are not a kind of document.

export interface Row {
  readonly format: string
  /** The kind of its documents; absent for formats that are not a kind. */
  readonly kind?: Kind
  /**
   * Members that identify the format among documents of the kind, or of unknown kind; one entry must fit. Without it,
   * all do.
   */
  readonly tells?: readonly Tell[]
  /** Formats that this one takes precedence over if both fit. */
  readonly before?: readonly string[]
}

export const ROWS = [
  { format: 'adl', kind: 'adl' },
  { format: 'card', kind: 'card' },
  { format: 'wellknown', kind: 'wellknown' },
  { format: 'a2a-1.0', kind: 'a2a', tells: [{ has: ['supportedInterfaces'] }], before: ['a2a-0.3'] },
  { format: 'a2a-0.3', kind: 'a2a' },
  { format: 'mcp-2025-11-25', tells: [{ is: { initialize: 'object' } }] },
  { format: 'mcp-2026-07-28', tells: [{ is: { 'server/discover': 'object' } }], before: ['mcp-2025-11-25'] },
  { format: 'mcp-server', kind: 'mcp-server' },
  { format: 'mcp-client', tells: [{ is: { mcpServers: 'object' } }], before: ['mcp-2025-11-25', 'mcp-2026-07-28'] },
  { format: 'oasf-record', tells: [{ is: { schema_version: 'string', skills: 'array' } }] },
  {
    format: 'oasf-descriptor',
    tells: [{ starts: { kind: 'AgentDescriptor' }, is: { metadata: 'object', spec: 'object' } }],
  },
] as const satisfies readonly Row[]

/** Formats that can be converted into each other. */
export type ConvertFormat = (typeof ROWS)[number]['format']
export const FORMATS: readonly ConvertFormat[] = ROWS.map(({ format }) => format)

/** Formats that can be converted from: agents of AgentLang in addition, whose files a definition cannot give back. */
export type SourceFormat = ConvertFormat | 'agentlang'
export const SOURCE_FORMATS: readonly SourceFormat[] = [...FORMATS, 'agentlang']

/**
 * The limits of formats that are not a kind: the result for the largest definition (ADL 18.5) must be convertible back.
 */
export const MOST: Bounds = { bytes: 4 << 20, depth: 64 }

// The direct conversions from one format to another.

type Converters = Readonly<Partial<Record<SourceFormat, Converter>>>

const ofDefinition =
  (make: (job: ExportJob) => Product): Converter =>
  (job) =>
    make({ ...job, agent: new Agent(job.document) })

const ofCard =
  (make: Converter): Converter =>
  (job) => {
    const seq = new Card(job.document).seq?.value ?? 0n
    if (seq > Number.MAX_SAFE_INTEGER) job.ledger.dropped('/seq', 'rounding it could change the order of cards')
    return make(job)
  }

/** From an agent definition to other formats. */
const FROM_ADL: Converters = {
  'a2a-1.0': ofDefinition((job) => toA2a(job, '1.0')),
  'a2a-0.3': ofDefinition((job) => toA2a(job, '0.3')),
  'mcp-2025-11-25': ofDefinition((job) => toBundle(job, '2025-11-25')),
  'mcp-2026-07-28': ofDefinition((job) => toBundle(job, '2026-07-28')),
  'mcp-server': ofDefinition(toServer),
  'mcp-client': ofDefinition(toClient),
  card: cardFromAdl,
}

/** From other formats to an agent definition. */
const TO_ADL: Converters = {
  'a2a-1.0': (job) => fromA2a(job, '1.0'),
  'a2a-0.3': (job) => fromA2a(job, '0.3'),
  'mcp-2025-11-25': (job) => fromBundle(job, '2025-11-25'),
  'mcp-2026-07-28': (job) => fromBundle(job, '2026-07-28'),
  'mcp-server': fromServer,
  'mcp-client': fromClient,
  card: ofCard(cardToAdl),
}

/** From an agent of AgentLang to other formats. */
const FROM_AGENT: Converters = { adl: agentToAdl, 'mcp-client': agentToClient }

/** From an Agent Card to other formats. */
const FROM_CARD: Converters = {
  'a2a-1.0': ofCard((job) => cardToA2a(job, '1.0')),
  'a2a-0.3': ofCard((job) => cardToA2a(job, '0.3')),
  'mcp-2025-11-25': ofCard((job) => cardToMcp(job, '2025-11-25')),
  'mcp-2026-07-28': ofCard((job) => cardToMcp(job, '2026-07-28')),
  'mcp-server': ofCard(cardToServer),
  'oasf-record': ofCard(cardToRecord),
  'oasf-descriptor': ofCard(cardToDescriptor),
  wellknown: ofCard(cardToWellknown),
}

/** From other formats to an Agent Card. */
const TO_CARD: Converters = {
  'a2a-1.0': (job) => cardFromA2a(job, '1.0'),
  'a2a-0.3': (job) => cardFromA2a(job, '0.3'),
  'mcp-2025-11-25': (job) => cardFromMcp(job, '2025-11-25'),
  'mcp-2026-07-28': (job) => cardFromMcp(job, '2026-07-28'),
  'mcp-server': cardFromServer,
  'oasf-record': cardFromRecord,
  'oasf-descriptor': cardFromDescriptor,
  wellknown: cardFromWellknown,
}

/** Formats that indirect conversions go through. */
const HUBS = ['card', 'adl'] as const
type Hub = (typeof HUBS)[number]

/** The direct converter from one format to another, if there is one. */
export function converterOf(from: SourceFormat, to: SourceFormat): Converter | undefined {
  if (from === 'adl') return FROM_ADL[to]
  if (from === 'agentlang') return FROM_AGENT[to]
  if (to === 'adl') return TO_ADL[from]
  if (from === 'card') return FROM_CARD[to]
  return to === 'card' ? TO_CARD[from] : undefined
}

/**
 * The shortest routes from one format to another. If a document carries members of a hub's format, it is converted into
 * that first: on other routes these members, for example schemas of tools, would end up where nothing reads them.
 */
function routes(
  from: SourceFormat,
  to: SourceFormat,
  carried: readonly Hub[] = [],
): readonly (readonly SourceFormat[])[] {
  if (carried.length === 0 || carried.some((hub) => hub === to)) return shortest(from, to)
  return carried.flatMap((hub) => shortest(hub, to).map((rest) => [from, ...rest]))
}

function shortest(from: SourceFormat, to: SourceFormat): readonly (readonly SourceFormat[])[] {
  const exist = (route: readonly SourceFormat[]) =>
    route.every((format, i) => i === 0 || converterOf(route[i - 1]!, format) !== undefined)
  const lengths = [
    [[from, to]],
    HUBS.map((hub) => [from, hub, to]),
    [
      [from, ...HUBS, to],
      [from, ...HUBS.toReversed(), to],
    ],
  ]
  return lengths.map((candidates) => candidates.filter(exist)).find((found) => found.length > 0) ?? []
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

/**
 * The outcome for a member. `kept`: under its name, or implied by something else. `renamed`: the same elsewhere or in
 * another form. `changed`: the target has less or something else. `dropped`: the target does not have it. `added`: the
 * target requires it and the source does not have it.
 */
export type LossOutcome = 'kept' | 'renamed' | 'changed' | 'dropped' | 'added'

/** The outcome for a member of the source and everything below it. */
export interface LossRow {
  /** JSON Pointer into the source; absent for additions and other files. */
  readonly pointer?: string
  /** Another file of the source's folder, which the row stands for as a whole. */
  readonly file?: string
  /** JSON Pointer into the result; absent for members that the result lacks. */
  readonly target?: string
  readonly outcome: LossOutcome
  readonly detail: string
  /** For runs, whose pointers are patterns, with `*` for each element: how many values the row stands for. */
  readonly count?: number
}

/** Every leaf of the source is covered by exactly one row: its own, or that of a member that contains it. */
export type LossReport = readonly LossRow[]

/** The data classification for a definition made from a document without one (ADL 10.4). */
interface Classification {
  readonly sensitivity: Sensitivity
  readonly [member: string]: unknown
}

export interface ConvertOptions {
  /** The format of the source; detected by default. */
  readonly from?: SourceFormat
  /** The name of the source in diagnostics. */
  readonly file?: string
  /**
   * The members without a counterpart to carry along, if the target has room for them: `public` (default) excludes
   * those that ADL sections 18.4 and 18.9 warn against publishing; `all`; or `nothing`.
   */
  readonly carry?: 'public' | 'all' | 'nothing'
  /** The agent:// URI for an Agent Card made from a document without one. */
  readonly id?: string
  /** The URL of the agent, for A2A, server.json, client configurations and Agent Cards. */
  readonly url?: string
  /** The protocol at `url`; default JSONRPC. */
  readonly binding?: 'JSONRPC' | 'GRPC' | 'HTTP+JSON'
  /** Where requests send an API key, which ADL does not say. */
  readonly apiKey?: { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  /** The name in a registry, such as `com.example/weather`; by default made from the agent's id or DID. */
  readonly serverName?: string
  /** The command that starts the server, instead of `url`. */
  readonly command?: string
  readonly args?: readonly string[]
  /** The name of a server, if a client configuration has several. */
  readonly server?: string
  /** Defaults for a definition made from a document without them; all except this one also apply to cards. */
  readonly classification?: Classification
  readonly version?: string
  readonly description?: string
  /** The creation time of an OASF record made from a card without one; default now. */
  readonly now?: Date
}

export interface ConversionResult {
  /** The result as JSON; undefined if a diagnostic is an error. */
  readonly document: Document | undefined
  readonly loss: LossReport
  /** The options that the conversion read: other values of these may change the result. */
  readonly asked: readonly (keyof ConvertOptions)[]
  readonly diagnostics: readonly Diagnostic[]
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
