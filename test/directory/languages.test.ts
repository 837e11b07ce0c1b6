import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createDirectory } from '../../bindings/directory/index.ts'
import { storeOf } from './stored.ts'

interface Labelled {
  readonly agents: readonly { readonly id: string; readonly description: string }[]
  readonly queries: readonly {
    readonly language: string
    readonly query: string
    readonly relevant: readonly string[]
  }[]
}

const { agents, queries }: Labelled = JSON.parse(readFileSync('fixtures/directory/languages.json', 'utf8'))
const directory = createDirectory({ store: storeOf(agents) })

// The figures in docs/guide/directory.md. A change may raise them.
it.each([
  ['de', 0.833, 0.854],
  ['es', 0.941, 0.985],
  ['zh', 0.85, 0.85],
  ['ja', 0.952, 0.897],
])(
  'finds relevant agents in %s: recall@5 %d and reciprocal rank %d on the labelled queries',
  (language, recall, rank) => {
    const asked = queries.filter((row) => row.language === language)
    const mean = (of: (found: readonly string[], relevant: readonly string[]) => number) =>
      asked.reduce((sum, { query, relevant }) => sum + of(find(query), relevant), 0) / asked.length
    expect(mean(recallAtFive)).toBeGreaterThan(recall - 0.001)
    expect(mean(reciprocalRank)).toBeGreaterThan(rank - 0.001)
  },
)

const find = (query: string) => directory.discover({ query, min_score: 0 }).results.map(({ agent_card: { id } }) => id)

const recallAtFive = (found: readonly string[], relevant: readonly string[]) =>
  relevant.filter((id) => found.slice(0, 5).includes(id)).length / relevant.length

const reciprocalRank = (found: readonly string[], relevant: readonly string[]) => {
  const first = found.findIndex((id) => relevant.includes(id))
  return first < 0 ? 0 : 1 / (first + 1)
}
