// The formats of conversions, and how to recognize formats that are not a kind of document.

import type { Sensitivity } from '../adl/places.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Bounds, Kind, Tell } from '../kinds.ts'

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

/** Configurations of runners, which convert from and to the permissions of a definition. */
export const RUNNER_FORMATS = ['claude-settings', 'sandbox-runtime', 'codex-config'] as const
export type RunnerFormat = (typeof RUNNER_FORMATS)[number]

/**
 * The limits of formats that are not a kind: the result for the largest definition (ADL 18.5) must be convertible back.
 */
export const MOST: Bounds = { bytes: 4 << 20, depth: 64 }

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
