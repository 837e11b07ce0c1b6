// The entry of a card in catalogs of AI resources: AI Catalog and ARD share the form (ard-ai-catalog.schema.json).
import type { AgentCard } from 'blazon/card'
import type { Standing } from 'blazon/directory'

/** No type is registered for Agent Cards; this one follows those of A2A's and MCP's cards. */
export const CARD_TYPE = 'application/adp-agent-card+json'

/** The path of a card, relative to the address of the directory. */
export function cardPath(id: string): string {
  return `/agents/${encodeURIComponent(id.slice('agent://'.length))}/card.json`
}

/** The id of the agent named by the open part of such a path. */
export function idOfName(name: string): string {
  return `agent://${name}`
}

/**
 * The entry of a card in the directory at `origin`. The card was checked on arrival, so present members have the right
 * types.
 */
export function catalogEntry(card: AgentCard, standing: Standing, origin: string) {
  const { description, skills, tools, version, metadata } = card
  const capabilities = tools?.map(({ name }) => name) ?? []
  return {
    identifier: urnOf(card.id, new URL(origin).hostname),
    displayName: card.name,
    type: CARD_TYPE,
    url: origin + cardPath(card.id),
    ...(description !== undefined && { description }),
    ...(skills !== undefined && skills.length > 0 && { tags: skills }),
    ...(capabilities.length > 0 && { capabilities }),
    ...(version !== undefined && { version }),
    ...(metadata?.updated_at !== undefined && { updatedAt: metadata.updated_at }),
    metadata: { id: card.id, standing, verified: standing === 'signature' || standing === 'pinned' },
  }
}

/** `urn:air:PUBLISHER:NAMESPACE:NAME`: its segments allow fewer characters than URIs. */
function urnOf(id: string, host: string): string {
  const segments = id.slice('agent://'.length).split('/')
  const safe = segments.map((segment) =>
    segment.replace(/[^\w.-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`),
  )
  return ['urn:air', host.replace(/[^a-zA-Z0-9.-]/g, '-'), 'agents', ...safe].join(':')
}
