import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Query, SearchIndex } from '../../bindings/core/index.ts'
import type { Oracle } from './oracle.ts'

/** The same hits, in the same order, every score and factor to the last bit. */
export function agree(index: SearchIndex, oracle: Oracle, query: Query): void {
  const got = index.query(query)
  const wanted = oracle.query(query)
  // Cheaper than `expect`, which then says where they differ.
  if (!isDeepStrictEqual(got, wanted)) expect({ query, hits: got }).toEqual({ query, hits: wanted })
  const statistics = index.statistics(query)
  if (!isDeepStrictEqual(statistics, oracle.statistics(query))) expect(statistics).toEqual(oracle.statistics(query))
}
