/**
 * A directory of agents: verifies and stores cards, and finds the best ones for a query.
 * @module
 */

export { DEFAULT_LIMITS, type DirectoryLimits, type DirectoryOptions } from './admission.ts'
export { createDirectory, type Directory, restoreDirectory } from './directory.ts'
export { handleInvocation, mergeAnswers } from './invocation.ts'
export { type CardStore, createMemoryStore, type Standing, type StoredCard } from './memory-store.ts'
export { readQuery, sumQueryStatistics } from './query.ts'
export { DEFAULT_RANKING, type RankingProfile, withCard } from './results.ts'
export type {
  AdvertiseResult,
  AgentSignals,
  DescribeOptions,
  DescribeResult,
  IndexQuery,
  QueryStatistics,
  SearchOptions,
  SearchQuery,
  SearchResponse,
  SearchResult,
  Sender,
  SignalSource,
} from './types.ts'
