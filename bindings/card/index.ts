/**
 * ADP Agent Cards (draft-song-anp-adp-00).
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export type { PlacedObject, PlacedValue } from '../text/members.ts'
export { type AgentUri, type AgentUriFault, isAgentUri, readAgentUri } from './agent-uri.ts'
export { type CborCard, fromCbor, toCbor } from './cbor.ts'
export { type Describe, type DescribeAllOptions, type DescribedCard, describeAll } from './describe-all.ts'
export {
  type CardPart,
  type DiscloseOptions,
  type Disclosure,
  type DisclosureRule,
  disclose,
  type PartialOptions,
  partial,
} from './disclosure.ts'
export { type EndpointSelection, type EndpointWish, PROTOCOLS, selectEndpoint } from './endpoints.ts'
export { type Freshness, type FreshnessOptions, freshness } from './freshness.ts'
export { type Limiter, type LimiterOptions, limiter, parseRateLimit, type RateLimit } from './limiter.ts'
export { agentIdOf } from './peer-id.ts'
export type { SignOptions, VerifyOptions } from './signing.ts'
export { CARD_SCHEMA, Card, isRevocation } from './subject.ts'
export { type CardVersion, compare, type SupersedeOptions, type Supersession, versionOf } from './supersede.ts'
export { ALIASES, matchTag, normalizeTag, STANDARD_TAGS, suggestTag, TAG_CATEGORIES, type TagCategory } from './tags.ts'
export type { AgentCard } from './types.ts'
export { revoke, type UpdateOptions, update } from './update.ts'
export { sign, validate, verify } from './verbs.ts'
