/**
 * A directory of agents: verifies and stores cards, and finds the best ones for a query.
 * @module
 */

export type { DisclosureRule } from '../card/disclosure.ts'
export type { AnsResolver } from '../card/identity.ts'
export type { Supersession } from '../card/supersede.ts'
export type { AgentCard } from '../card/types.ts'
export type { Document } from '../document/document.ts'
export type { Diagnostic } from '../document/types.ts'
export type { KeyResolver } from '../frame/expected.ts'
export type { KeySource } from '../keys/read.ts'
export type { Factors } from '../wasm/rank.ts'
export { type MergeOptions, mergeAnswers, nextDepth } from './answer.ts'
export { createDirectory, type RestoredDirectory, restoreDirectory } from './create.ts'
export type { Directory } from './directory.ts'
export { type Crowd, type Grouping, groupingOf } from './grouping.ts'
export { discoverAnswer, handleInvocation, type Invocation, type InvocationAnswer } from './invocation.ts'
export { createMemoryStore } from './memory-store.ts'
export { sumQueryStatistics } from './question.ts'
export { DEFAULT_RANKING } from './ranking.ts'
export { DEFAULT_LIMITS, type DirectoryLimits, type DirectoryOptions } from './settings.ts'
export type { CardStore, Expiring, Standing, StoredCard } from './stored.ts'
export type {
  AdvertiseResult,
  AgentSignals,
  ColdStart,
  Correction,
  DescribeOptions,
  DescribeResult,
  FactorShare,
  GroupedResults,
  Invocable,
  MissingShards,
  NearWord,
  Offer,
  QueryStatistics,
  RankingProfile,
  Reason,
  Refusal,
  SameAgent,
  SearchOptions,
  SearchQuery,
  SearchResponse,
  SearchResult,
  Sender,
  SignalSource,
  Status,
  TextFields,
  WordStatistics,
} from './types.ts'
