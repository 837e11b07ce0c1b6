/**
 * A directory of agents: verifies and stores cards, and finds the best ones for a query.
 * @module
 */

export type { Factors } from '../wasm/rank.ts'
export { DEFAULT_LIMITS, type DirectoryLimits, type DirectoryOptions } from './admission.ts'
export type { Directory } from './directory.ts'
export { createDirectory, type RestoredDirectory, restoreDirectory } from './directory.ts'
export {
  handleInvocation,
  type Invocation,
  type InvocationAnswer,
  type MergeOptions,
  mergeAnswers,
} from './invocation.ts'
export type { CardStore, Expiring, Standing, StoredCard } from './memory-store.ts'
export { createMemoryStore } from './memory-store.ts'
export { readQuery, sumQueryStatistics } from './query.ts'
export type { Grouping } from './results.ts'
export { DEFAULT_RANKING, type RankingProfile, withCard } from './results.ts'
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
