// The formats of conversions, and how to recognize formats that are not a kind of document.
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

/**
 * The limits of formats that are not a kind: the result for the largest definition (ADL 18.5) must be convertible back.
 */
export const MOST: Bounds = { bytes: 4 << 20, depth: 64 }
