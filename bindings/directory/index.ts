/**
 * A directory of agents: cards come in, are verified and kept, and the best of them for a query go out.
 * @module
 */

export { type MergeOptions, mergeAnswers, nextDepth } from './answer.ts'
export { createDirectory, type RestoredDirectory, restoreDirectory } from './create.ts'
export { type Directory, MOST_EQUIVOCATIONS } from './directory.ts'
export { type Crowd, type Grouping, groupingOf } from './grouping.ts'
export { discoverAnswer, handleInvocation, type Invocation, type InvocationAnswer } from './invocation.ts'
export { createMemoryStore } from './memory-store.ts'
export { sumQueryStatistics } from './question.ts'
export type { DirectoryLimits, DirectoryOptions } from './settings.ts'
export type { CardStore, Expiring, Standing, StoredCard } from './stored.ts'
export type {
  Advertised,
  AgentSignals,
  ColdStart,
  Correction,
  Described,
  DescribeOptions,
  Discovered,
  DiscoverOptions,
  DiscoverQuery,
  DiscoverResult,
  FactorShare,
  GroupedResults,
  Invocable,
  MissingShards,
  NearWord,
  QueryStatistics,
  RankingProfile,
  Reason,
  SameAgent,
  Sender,
  SignalSource,
  Status,
  TextFields,
  WordStatistics,
} from './types.ts'
