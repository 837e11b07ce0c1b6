// What cases call of blazon/directory: who is found for a query, and with what score.
import type { Api } from './body.ts'
import type { Vector } from './content.ts'

interface Found {
  readonly agent_card: { readonly id: string }
  readonly score: number
  readonly matched_tags: readonly string[]
}

export const DIRECTORY_RUNNERS: Readonly<Record<string, (api: Api, vector: Vector) => unknown>> = {
  async directory(api, { cards, signals, query }) {
    const directory = api['createDirectory']({ store: api['createMemoryStore'](), acceptUnverified: true })
    for (const card of cards as object[]) await directory.advertise(JSON.stringify({ name: 'an agent', ...card }))
    for (const [id, told] of Object.entries((signals ?? {}) as object)) directory.setSignals(id, told)
    const { results } = directory.discover(query)
    return {
      found: (results as Found[]).map(({ agent_card: { id }, score, matched_tags }) => [id, score, ...matched_tags]),
    }
  },
}
