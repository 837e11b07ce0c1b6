import type { Sensitivity } from '../adl/classification.ts'
import type { Document } from '../document/document.ts'
import type { Diagnostic } from '../document/types.ts'

/** What can be converted into each other. */
export const FORMATS = [
  'adl',
  'card',
  'wellknown',
  'a2a-1.0',
  'a2a-0.3',
  'mcp-2025-11-25',
  'mcp-2026-07-28',
  'mcp-server',
  'mcp-client',
  'oasf-record',
  'oasf-descriptor',
] as const

export type Format = (typeof FORMATS)[number]

/**
 * What became of a member: `kept` under its name or said by something else; `renamed`: the same, elsewhere or otherwise
 * written; `changed`: the target says less or something else; `dropped`: the target does not say it; `added`: the target
 * needs it and the source does not say it.
 */
export type LossOutcome = 'kept' | 'renamed' | 'changed' | 'dropped' | 'added'

/** What became of one member of the source and of everything below it. */
export interface LossRow {
  /** In the source; absent for what was added. */
  readonly pointer?: string
  /** In the document that was made; absent for what is not in it. */
  readonly target?: string
  readonly outcome: LossOutcome
  readonly detail: string
}

/** Every leaf of the source is covered by exactly one row: that of the leaf, or of a member that it is in. */
export type LossReport = readonly LossRow[]

/** The data classification of a definition that is made of a document without one (ADL 10.4). */
export interface Classification {
  readonly sensitivity: Sensitivity
  readonly [member: string]: unknown
}

export interface ConvertOptions {
  /** What the source is; detected when absent. */
  readonly from?: Format
  /** What diagnostics call the source. */
  readonly file?: string
  /**
   * What is carried along, where the target has room for other formats, of what it has no member for: `public`, the
   * default, all but what ADL sections 18.4 and 18.9 warn of publishing; `all`; or `nothing`.
   */
  readonly carry?: 'public' | 'all' | 'nothing'
  /** The agent:// URI of an Agent Card that is made of a document that does not say it. */
  readonly id?: string
  /** Where the agent is reached: A2A, server.json, client configurations, Agent Cards. */
  readonly url?: string
  /** How it is spoken to at `url`: JSONRPC when absent. */
  readonly binding?: 'JSONRPC' | 'GRPC' | 'HTTP+JSON'
  /** Where an API key is sent, which ADL does not say. */
  readonly apiKey?: { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  /** The name in a registry, such as `com.example/weather`; made of the agent's id or DID when absent. */
  readonly serverName?: string
  /** How a client starts the server, in place of `url`. */
  readonly command?: string
  readonly args?: readonly string[]
  /** Which one of several servers in a client configuration. */
  readonly server?: string
  /** For a definition that is made of a document that does not say it; the others for cards as well. */
  readonly classification?: Classification
  readonly version?: string
  readonly description?: string
  /** When a record of OASF is made of a card that does not say when it was made: now, when absent. */
  readonly now?: Date
}

export interface Converted {
  /** What was made, as JSON; undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  readonly loss: LossReport
  readonly diagnostics: readonly Diagnostic[]
}
