/**
 * ADP Agent Cards (draft-song-anp-adp-00).
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export type { PlacedObject, PlacedValue } from '../text/members.ts'
export { type AgentUri, type AgentUriFault, agentIdOf, isAgentUri, readAgentUri } from './agent-uri.ts'
export { type CborCard, fromCbor, toCbor } from './cbor.ts'
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
export { type Limiter, type LimiterOptions, limiter, parseRateLimit, type RateLimit } from './limiter.ts'
export type { SignOptions, VerifyOptions } from './signing.ts'
export type { AgentCard } from './subject.ts'
export { CARD_SCHEMA, Card, isRevocation } from './subject.ts'
export {
  type CardVersion,
  compare,
  type Freshness,
  type FreshnessOptions,
  freshness,
  revoke,
  type SupersedeOptions,
  type Supersession,
  type UpdateOptions,
  update,
  versionOf,
} from './supersede.ts'
export { ALIASES, matchTag, normalizeTag, STANDARD_TAGS, suggestTag, TAG_CATEGORIES, type TagCategory } from './tags.ts'
export { type Describe, type DescribeAllOptions, type DescribedCard, describeAll } from './templates.ts'
export { sign, validate, verify } from './verbs.ts'
