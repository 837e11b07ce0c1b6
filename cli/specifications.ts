// The specifications, each loaded for the first document of its kind. A test compares this list with that in
// bindings/specifications.ts.
import type { Specification } from '../bindings/frame/specification.ts'
import type { Kind } from '../bindings/kinds.ts'

export const SPECIFICATIONS: Readonly<Partial<Record<Kind, () => Promise<Specification>>>> = {
  adl: async () => (await import('../bindings/adl/specification.ts')).ADL,
  'adl-discovery': async () => (await import('../bindings/adl/discovery/specification.ts')).ADL_DISCOVERY,
  card: async () => (await import('../bindings/card/specification.ts')).AGENT_CARD,
  a2a: async () => (await import('../bindings/a2a/specification.ts')).A2A,
  trace: async () => (await import('../bindings/discover/trace/specification.ts')).TRACE,
  wellknown: async () => (await import('../bindings/wellknown/specification.ts')).METADATA,
  invite: async () => (await import('../bindings/wellknown/invite/specification.ts')).INVITE,
  'mcp-server': async () => (await import('../bindings/mcp-server/specification.ts')).MCP_SERVER,
  'ai-catalog': async () => (await import('../bindings/ai-catalog/specification.ts')).AI_CATALOG,
}

/** The specification of a kind; undefined for kinds without rules. */
export async function specificationOf(kind: Kind | undefined): Promise<Specification | undefined> {
  return kind === undefined ? undefined : SPECIFICATIONS[kind]?.()
}
