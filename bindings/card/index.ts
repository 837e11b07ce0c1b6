/**
 * ADP Agent Cards (draft-song-anp-adp-00).
 * @module
 */

export type { JsonObject, Placed, PlacedObject } from '../document/members.ts'
export type { Signed } from '../document/signed.ts'
export type { PresenceRule } from './a2a/presence.ts'
export { type SignA2aOptions, signA2aCard } from './a2a/sign.ts'
export { type VerifyA2aOptions, verifyA2aCard } from './a2a/verify.ts'
export { type AgentUri, type AgentUriFault, isAgentUri, readAgentUri } from './agent-uri.ts'
export { Card } from './card.ts'
export { type CborCard, cardFromCbor, cardToCbor } from './cbor.ts'
export { checkCard } from './check.ts'
export {
  type Describe,
  type DescribeAllOptions,
  type DescribedCard,
  type DescribedPart,
  describeAll,
} from './describe-all.ts'
export { type Disclosed, type DisclosureRule, disclose, type Shown } from './disclosure.ts'
export {
  type EndpointSelection,
  type EndpointWish,
  PROTOCOLS,
  type SelectedEndpoint,
  type SkippedEndpoint,
  selectEndpoint,
} from './endpoints.ts'
export { type Freshness, type FreshnessOptions, freshness } from './freshness.ts'
export type { AnsResolver, CardKeyOrigin, KeyResolver } from './identity.ts'
export { type Limiter, type LimiterOptions, limiter, type Turn, type Wait } from './limiter.ts'
export type { CardSource } from './open.ts'
export { type CardPart, partialCard } from './partial.ts'
export { parseRateLimit, type RateLimit } from './rate-limit.ts'
export { isRevocation } from './revocation.ts'
export { revokeCard } from './revoke.ts'
export { CARD_SCHEMA } from './shape.ts'
export { type SignCardOptions, signCard } from './sign.ts'
export { type CardVersion, cardVersion, compareCards, type SupersedeOptions, type Supersession } from './supersede.ts'
export { matchTag } from './tags/match.ts'
export { normalizeTag } from './tags/normalize.ts'
export { suggestTag } from './tags/suggest.ts'
export { ALIASES, STANDARD_TAGS, TAG_CATEGORIES, type TagCategory } from './tags/vocabulary.ts'
export type { AgentCard, CardConstraints, CardEndpoint, CardMetadata, CardTool } from './types.ts'
export { type UpdateOptions, updateCard } from './update.ts'
export { type ValidateCardOptions, validateCard } from './validate.ts'
export { type CardExpected, type VerifyCardOptions, verifyCard } from './verify.ts'
