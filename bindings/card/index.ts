/**
 * ADP Agent Cards (draft-song-anp-adp-00).
 * @module
 */

export type { Document } from '../document/document.ts'
export type { Diagnostic, RelatedPlace } from '../document/types.ts'
export type { Expectation, KeyResolver } from '../frame/expected.ts'
export type { Proof, Step, StepOutcome, Verdict } from '../frame/proof.ts'
export type { ValidationReport } from '../frame/report.ts'
export type { SignResult } from '../frame/signed.ts'
export type { Source } from '../frame/source.ts'
export type { Key } from '../keys/key.ts'
export type { KeySource } from '../keys/read.ts'
export type { Kind } from '../kinds.ts'
export type { JsonObject, PlacedObject, PlacedValue } from '../text/members.ts'
export { type AgentUri, type AgentUriFault, isAgentUri, readAgentUri } from './agent-uri.ts'
export { Card } from './card.ts'
export { type CborCard, fromCbor, toCbor } from './cbor.ts'
export {
  type Describe,
  type DescribeAllOptions,
  type DescribedCard,
  type DescribedPart,
  describeAll,
} from './describe-all.ts'
export { type DiscloseOptions, type Disclosure, type DisclosureRule, disclose, type VisiblePart } from './disclosure.ts'
export {
  type EndpointSelection,
  type EndpointWish,
  PROTOCOLS,
  type SelectedEndpoint,
  type SkippedEndpoint,
  selectEndpoint,
} from './endpoints.ts'
export { type Freshness, type FreshnessOptions, freshness } from './freshness.ts'
export type { AnsResolver, CardKeyOrigin } from './identity.ts'
export { type Limiter, type LimiterOptions, limiter, type Turn, type Wait } from './limiter.ts'
export { type CardPart, type PartialOptions, partial } from './partial.ts'
export { agentIdOf } from './peer-id.ts'
export { parseRateLimit, type RateLimit } from './rate-limit.ts'
export { isRevocation } from './revocation.ts'
export { revoke } from './revoke.ts'
export { CARD_SCHEMA } from './shape.ts'
export { type SignOptions, sign } from './sign.ts'
export { type CardVersion, compare, type SupersedeOptions, type Supersession, versionOf } from './supersede.ts'
export { matchTag } from './tags/match.ts'
export { normalizeTag } from './tags/normalize.ts'
export { suggestTag } from './tags/suggest.ts'
export { ALIASES, STANDARD_TAGS, TAG_CATEGORIES, type TagCategory } from './tags/vocabulary.ts'
export type { AgentCard, CardConstraints, CardEndpoint, CardMetadata, CardTool } from './types.ts'
export { type UpdateOptions, update } from './update.ts'
export { type ValidateOptions, validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
