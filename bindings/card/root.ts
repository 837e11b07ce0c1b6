import { isObject, type PlacedObject } from '../text/members.ts'
import { Card } from './card.ts'
import type { AgentCard } from './types.ts'

/** The members of a card that was read, or of its JSON value. Of the value nothing is trusted: it may be a stranger's. */
export function rootOf(card: Card | AgentCard): PlacedObject {
  if (card instanceof Card) return card.root
  if (isObject(card)) return { pointer: '', value: card }
  throw new TypeError(`card: expected a Card or the JSON object of one, got ${card === null ? 'null' : typeof card}`)
}
