// What cases call of blazon/card, blazon/a2a and blazon/agentlang: tags, endpoints, cards of A2A, containers.
import { fromHex, toHex } from '../../bindings/text/bytes.ts'
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
  async buildContainer(api, vector) {
    const { files, seed, secret, epoch } = vector as unknown as Record<'seed' | 'secret', string> & {
      files: Record<string, string>
      epoch: number
    }
    const encoded = Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)] as const)
    const { load, buildContainer } = api['agentlang']
    const key = await api['importKey'](fromHex(seed), { format: 'raw-private' })
    const { name, bytes } = await buildContainer(load(new Map(encoded)), { key, secret: fromHex(secret), epoch })
    return { name, sha256: toHex(api['sha256'](bytes)) }
  },
  async verifyA2aCard(api, vector) {
    const { keys } = vector as { keys?: unknown[] }
    const expect = keys === undefined ? {} : { keys }
    const { verdict, steps } = await api['a2a'].verify(contentBytes(vector as Content), { expect })
    const rules = (steps as Told[]).find(({ name }) => name === 'rules')?.data?.rules ?? null
    return { verdict, rules, told: (steps as Told[]).flatMap(({ diagnostic }) => diagnostic?.code ?? []) }
  },
}
