/**
 * A directory of agents: cards come in, are verified and kept, and the best of them for a query go out.
 * @module
 */
export type {
  Advertised,
  AgentSignals,
  CardStore,
  ColdStart,
  Correction,
  Described,
  DescribeOptions,
  DirectoryLimits,
  Discovered,
  DiscoverOptions,
  DiscoverQuery,
  DiscoverResult,
  FactorShare,
  Invocation,
  InvocationAnswer,
  NearWord,
  NotStoredReason,
  QueryStatistics,
  RankingProfile,
  Sender,
  SignalSource,
  Standing,
  Status,
  StoredCard,
  StoredReason,
  WordStatistics,
} from './types.ts'
