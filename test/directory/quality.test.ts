import { expect, it } from 'vitest'
import { createDirectory } from '../../bindings/directory/index.ts'
import { agents, ndcg } from './quality.mjs'
import { storeOf } from './stored.ts'

it('finds relevant agents: nDCG@10 on the labelled queries, minisearch has 0.88 and Orama 0.82 at best', async () => {
  const directory = createDirectory({ store: storeOf(agents) })
  const find = (min_score: number) => (query: string) =>
    directory.discover({ query, min_score }).results.map(({ agent_card: { id } }) => id)
  expect(await ndcg(find(0))).toBeGreaterThan(0.95)
  expect(await ndcg(find(0.1))).toBeGreaterThan(0.9)
})
