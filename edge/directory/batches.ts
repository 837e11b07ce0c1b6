import type { StoredCard } from 'blazon/directory'

/** Splits cards into lists of at most this many bytes, unless a single card is larger. */
export function byBytes(cards: readonly StoredCard[], most: number): StoredCard[][] {
  const batches: StoredCard[][] = [[]]
  let bytes = 0
  for (const card of cards) {
    const size = card.equivocations.reduce((sum, other) => sum + other.length, card.bytes.length)
    if (bytes + size > most && bytes > 0) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)!.push(card)
    bytes += size
  }
  return batches
}
