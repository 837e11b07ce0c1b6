/**
 * A directory of agents: verifies and stores cards, and finds the best ones for a query.
 * @module
 */

export type { Factors } from '../wasm/rank.ts'
export { type MergeOptions, mergeAnswers } from './answer.ts'
export { createDirectory, type RestoredDirectory, restoreDirectory } from './create.ts'
export type { Directory } from './directory.ts'
export type { Grouping } from './grouping.ts'
export { handleInvocation, type Invocation, type InvocationAnswer } from './invocation.ts'
export { createMemoryStore } from './memory-store.ts'
export { readQuery } from './query.ts'
export { sumQueryStatistics } from './question.ts'
export { DEFAULT_RANKING, type RankingProfile } from './ranking.ts'
export { withCard } from './results.ts'
export { DEFAULT_LIMITS, type DirectoryLimits, type DirectoryOptions } from './settings.ts'
export type { CardStore, Expiring, Standing, StoredCard } from './stored.ts'
export type {
  AdvertiseResult,
  AgentSignals,
  DescribeOptions,
  DescribeResult,
  FactorShare,
  IndexQuery,
  Invocable,
  QueryStatistics,
  Reason,
  SearchOptions,
  SearchQuery,
  SearchResponse,
  SearchResult,
  Sender,
  SignalSource,
  Status,
} from './types.ts'
