/**
 * ADP Agent Cards (draft-song-anp-adp-00).
 * @module
 */

export type { JsonObject, Placed, PlacedObject } from '../document/members.ts'
export { Card } from './card.ts'
export type { AgentCard, CardConstraints, CardEndpoint, CardMetadata, CardTool } from './types.ts'
