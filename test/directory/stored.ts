import { type CardStore, createMemoryStore } from '../../bindings/directory/index.ts'

const encoder = new TextEncoder()

/** A store with cards as they were received at the beginning of time, for good. */
export function storeOf<Card extends { readonly id: string }>(cards: readonly Card[]): CardStore {
  const store = createMemoryStore()
  for (const card of cards) {
    store.put({
      id: card.id,
      bytes: encoder.encode(JSON.stringify({ name: 'an agent', ...card })),
      seq: undefined,
      standing: 'none',
      retrievedAt: 0,
      expiresAt: Number.POSITIVE_INFINITY,
      revoked: false,
      equivocations: [],
    })
  }
  return store
}
