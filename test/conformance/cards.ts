// What cases call of blazon/card: signatures, the order of cards, CBOR, ids. Validation is a matter of definitions.ts.
import type { Api } from './body.ts'
import { type Content, contentBytes, type Vector } from './content.ts'

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

interface Told {
  readonly diagnostic?: { readonly code: string }
}

/** A card and what is known of it, as the order of cards goes by. */
type Version = readonly [card: object | string, signed: boolean]

const versionOf = (api: Api, [card, signed]: Version) => {
  const text = typeof card === 'string' ? card : JSON.stringify(card)
  return api['card'].versionOf(new api['Card'](api['parse'](text).document), { signed })
}

export const CARD_RUNNERS: Readonly<Record<string, (api: Api, vector: Vector) => unknown>> = {
  async verifyCard(api, vector) {
    const { keys, options } = vector as { keys?: unknown[]; options?: object }
    const expect = keys === undefined ? {} : { keys }
    const { verdict, steps } = await api['card'].verify(contentBytes(vector as Content), { ...options, expect })
    return { verdict, told: (steps as Told[]).flatMap(({ diagnostic }) => diagnostic?.code ?? []) }
  },
  async signCard(api, vector) {
    const key = await api['importKey'](contentBytes({ hex: vector['key'] as string }), { format: 'raw-private' })
    const { bytes, diagnostics } = await api['card'].sign(contentBytes(vector as Content), key)
    const told = (diagnostics as { code: string }[]).map(({ code }) => code)
    return { text: bytes === undefined ? null : new TextDecoder().decode(bytes), told }
  },
  compareCards: (api, { held, offered, options }) => {
    const before = held === null ? undefined : versionOf(api, held as Version)
    const { stored, reason } = api['card'].compare(before, versionOf(api, offered as Version), options)
    return { stored, reason }
  },
  isRevocation: (api, { cards }) => ({ revoked: (cards as object[]).map((card) => api['isRevocation'](card)) }),
  cardToCbor: (api, vector) => {
    const { bytes } = api['card'].toCbor(contentBytes(vector as Content))
    const back = api['card'].fromCbor(bytes)
    return { cbor: hex(bytes), json: new TextDecoder().decode(back.bytes) }
  },
  cardFromCbor: (api, { cbor }) => {
    const { diagnostics } = api['card'].fromCbor(contentBytes({ hex: cbor as string }))
    return {
      told: diagnostics.map(({ code, source }: { code: string; source: { offset: number } }) => [code, source.offset]),
    }
  },
  readAgentUri: (api, { texts }) => ({
    read: (texts as string[]).map((text) => {
      const { authority, path, at } = api['readAgentUri'](text)
      return at ?? [authority, path]
    }),
  }),
}
