// Measures the quality of a ranking, for the tests and the benchmark.
import { readFileSync } from 'node:fs'

const { agents, queries } = JSON.parse(readFileSync('fixtures/directory/relevance.json', 'utf8'))

export { agents }

const gain = (grades) => grades.reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)

/** nDCG@10, averaged over the labelled queries. `find` returns ids for a text, best first. */
export async function ndcg(find) {
  let sum = 0
  for (const { query, relevant } of queries) {
    const found = await find(query)
    const best = Object.values(relevant).sort((a, b) => b - a)
    sum += gain(found.slice(0, 10).map((id) => relevant[id] ?? 0)) / gain(best.slice(0, 10))
  }
  return sum / queries.length
}
