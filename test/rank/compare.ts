import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Query, SearchIndex } from '../../bindings/core/index-search.ts'
import type { Oracle } from './oracle.ts'

/** Expects the same hits in the same order, with every score and factor equal to the last bit. */
export function agree(index: SearchIndex, oracle: Oracle, query: Query): void {
  const got = index.query(query)
  const wanted = oracle.query(query)
  // Faster than `expect`, which then shows the difference.
  if (!isDeepStrictEqual(got, wanted)) expect({ query, hits: got }).toEqual({ query, hits: wanted })
  const statistics = index.statistics(query)
  if (!isDeepStrictEqual(statistics, oracle.statistics(query))) expect(statistics).toEqual(oracle.statistics(query))
}
