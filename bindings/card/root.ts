import { isObject, type PlacedObject } from '../text/members.ts'
import { Card } from './card.ts'
import type { AgentCard } from './types.ts'

/**
 * Returns the members of a parsed card, or of the JSON value of one. The value is not trusted: it may come from a
 * stranger.
 */
export function rootOf(card: Card | AgentCard): PlacedObject {
  if (card instanceof Card) return card.root
  if (isObject(card)) return { pointer: '', value: card }
  throw new TypeError(`card: expected a Card or the JSON object of one, got ${card === null ? 'null' : typeof card}`)
}
