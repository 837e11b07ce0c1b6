import type { Diagnostic } from './types.ts'

/** What a document can be. */
export type Kind =
  | 'adl'
  | 'adl-discovery'
  | 'card'
  | 'wellknown'
  | 'invite'
  | 'run'
  | 'verdict'
  | 'agentlang'
  | 'prompt'
  | 'lock'
  | 'a2a'
  | 'mcp-server'
  | 'ai-catalog'

/** What checking a document came to. */
export interface ValidationReport {
  /** No diagnostic is an error. */
  readonly valid: boolean
  /** What the document is; undefined when that could not be told. */
  readonly kind: Kind | undefined
  /** In the order of the document. */
  readonly diagnostics: readonly Diagnostic[]
}
