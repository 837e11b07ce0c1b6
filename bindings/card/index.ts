/**
 * ADP Agent Cards (draft-song-anp-adp-00).
 * @module
 */

export type { JsonObject, Placed, PlacedObject } from '../document/members.ts'
export { Card } from './card.ts'
export { matchTag } from './tags/match.ts'
export { normalizeTag } from './tags/normalize.ts'
export { suggestTag } from './tags/suggest.ts'
export { ALIASES, STANDARD_TAGS, TAG_CATEGORIES, type TagCategory } from './tags/vocabulary.ts'
export type { AgentCard, CardConstraints, CardEndpoint, CardMetadata, CardTool } from './types.ts'
