import type { Sensitivity } from '../adl/classification.ts'
import type { Document } from '../document/document.ts'
import type { Diagnostic } from '../document/types.ts'
import type { ConvertFormat } from './formats.ts'

/**
 * The outcome of a member: `kept` under its name or implied by something else; `renamed`: the same, but elsewhere or in
 * another form; `changed`: the target says less or something else; `dropped`: the target does not say it; `added`: the
 * target needs it and the source does not say it.
 */
export type LossOutcome = 'kept' | 'renamed' | 'changed' | 'dropped' | 'added'

/** The outcome of one member of the source and of everything below it. */
export interface LossRow {
  /** JSON Pointer into the source; absent for additions. */
  readonly pointer?: string
  /** JSON Pointer into the result; absent for members that it does not have. */
  readonly target?: string
  readonly outcome: LossOutcome
  readonly detail: string
}

/** Every leaf of the source is covered by exactly one row: its own, or that of a member that contains it. */
export type LossReport = readonly LossRow[]

/** The data classification for a definition made from a document without one (ADL 10.4). */
export interface Classification {
  readonly sensitivity: Sensitivity
  readonly [member: string]: unknown
}

export interface ConvertOptions {
  /** The format of the source; detected when absent. */
  readonly from?: ConvertFormat
  /** The name of the source in diagnostics. */
  readonly file?: string
  /**
   * The members without a counterpart to carry along, where the target has room for other formats: `public`, the
   * default, all but those that ADL sections 18.4 and 18.9 warn against publishing; `all`; or `nothing`.
   */
  readonly carry?: 'public' | 'all' | 'nothing'
  /** The agent:// URI for an Agent Card made from a document without one. */
  readonly id?: string
  /** The address of the agent, for A2A, server.json, client configurations and Agent Cards. */
  readonly url?: string
  /** The protocol at `url`: JSONRPC when absent. */
  readonly binding?: 'JSONRPC' | 'GRPC' | 'HTTP+JSON'
  /** The place of an API key in requests, which ADL does not say. */
  readonly apiKey?: { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  /** The name in a registry, such as `com.example/weather`; made from the agent's id or DID when absent. */
  readonly serverName?: string
  /** The command with which a client starts the server, in place of `url`. */
  readonly command?: string
  readonly args?: readonly string[]
  /** The name of one of several servers in a client configuration. */
  readonly server?: string
  /** Defaults for a definition made from a document that lacks them; all but this one apply to cards as well. */
  readonly classification?: Classification
  readonly version?: string
  readonly description?: string
  /** The creation time of an OASF record made from a card without one: now, when absent. */
  readonly now?: Date
}

export interface ConversionResult {
  /** The result as JSON; undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  readonly loss: LossReport
  /** The options that were looked at, given or not: with another value of these the result may be another. */
  readonly asked: readonly (keyof ConvertOptions)[]
  readonly diagnostics: readonly Diagnostic[]
}
