// What cases call of blazon/card and blazon/a2a: tags, endpoints, cards of A2A.
import type { Api } from './body.ts'
import { type Content, contentBytes, type Vector } from './content.ts'

interface Told {
  readonly name: string
  readonly data?: { readonly rules?: readonly string[] }
  readonly diagnostic?: { readonly code: string }
}

export const AGENT_RUNNERS: Readonly<Record<string, (api: Api, vector: Vector) => unknown>> = {
  matchTag: (api, { query, tags }) => ({ matches: (tags as string[]).filter((tag) => api['matchTag'](query, tag)) }),
  normalizeTag: (api, { tags }) => ({ normal: (tags as string[]).map((tag) => api['normalizeTag'](tag)) }),
  selectEndpoint: (api, { card, wish }) => {
    const { endpoints, skipped } = api['selectEndpoint'](card, wish)
    return {
      endpoints: endpoints.map(({ pointer }: { pointer: string }) => pointer),
      skipped: skipped.map(({ pointer, cause }: { pointer: string; cause: string }) => [pointer, cause]),
    }
  },
  async verifyA2aCard(api, vector) {
    const { keys } = vector as { keys?: unknown[] }
    const expect = keys === undefined ? {} : { keys }
    const { verdict, steps } = await api['a2a'].verify(contentBytes(vector as Content), { expect })
    const rules = (steps as Told[]).find(({ name }) => name === 'rules')?.data?.rules ?? null
    return { verdict, rules, told: (steps as Told[]).flatMap(({ diagnostic }) => diagnostic?.code ?? []) }
  },
}
