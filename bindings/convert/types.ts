import type { Sensitivity } from '../adl/places.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { SourceFormat } from './formats.ts'

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
export interface Classification {
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
