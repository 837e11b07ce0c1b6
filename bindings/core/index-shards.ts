/**
 * Several indexes that answer as one.
 * @module
 */
import type { Statistics } from '../wasm/rank.ts'

/**
 * Combines the statistics of several shards for a query. With them each shard answers like a part of one index, and the
 * best of all their hits are the hits of that index.
 *
 * @example
 * const statistics = sumStatistics(shards.map((shard) => shard.statistics(query)))
 * const hits = shards.flatMap((shard) => shard.query({ ...query, statistics }))
 *
 * @throws {RangeError} when the list is empty, or the statistics are for different queries.
 */
export function sumStatistics(parts: readonly Statistics[]): Statistics {
  const [first] = parts
  if (first === undefined) throw new RangeError('parts: expected the statistics of one shard at least, got none')
  const words = first.frequencies.length
  if (parts.some((part) => part.frequencies.length !== words)) {
    throw new RangeError('parts: expected statistics of the same query, got different numbers of words')
  }
  const sum = (of: (part: Statistics) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    documents: sum((part) => part.documents),
    length: sum((part) => part.length),
    frequencies: first.frequencies.map((_, i) => sum((part) => part.frequencies[i] as number)),
  }
}
