/**
 * ADP Agent Cards (draft-song-anp-adp-00).
 * @module
 */

export type { PlacedValue } from '../text/members.ts'
export { type AgentUri, type AgentUriFault, agentIdOf, isAgentUri, readAgentUri } from './agent-uri.ts'
export { fromCbor, toCbor } from './cbor.ts'
export { disclose, partial } from './disclosure.ts'
export { PROTOCOLS, selectEndpoint } from './endpoints.ts'
export { limiter, parseRateLimit } from './limiter.ts'
export { type AgentCard, CARD_SCHEMA, Card, isRevocation } from './subject.ts'
export { type CardVersion, compare, freshness, revoke, type UpdateOptions, update, versionOf } from './supersede.ts'
export { ALIASES, matchTag, normalizeTag, STANDARD_TAGS, suggestTag, TAG_CATEGORIES } from './tags.ts'
export { describeAll } from './templates.ts'
export { sign, validate, verify } from './verbs.ts'
