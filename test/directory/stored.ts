import { type CardStore, createMemoryStore, type StoredCard } from '../../bindings/directory/index.ts'

const encoder = new TextEncoder()

/** A store with cards that were received at time zero and never expire. */
export function storeOf<Card extends { readonly id: string }>(cards: readonly Card[]): CardStore {
  const store = createMemoryStore()
  for (const card of cards) store.put(storedCard(card))
  return store
}

/** A stored card that never expires. */
export function storedCard(card: { readonly id: string }): StoredCard {
  return {
    id: card.id,
    bytes: encoder.encode(JSON.stringify({ name: 'an agent', ...card })),
    seq: undefined,
    standing: 'none',
    retrievedAt: 0,
    expiresAt: Number.POSITIVE_INFINITY,
    revoked: false,
    equivocations: [],
  }
}
