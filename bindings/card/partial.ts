import { inJson, withMembers } from '../document/rewrite.ts'
import type { Signed } from '../document/signed.ts'
import { type CardSource, openCard } from './open.ts'

/** A card as it is given to somebody: the whole one, or a part. */
export interface CardPart extends Signed {
  /** Members were left out. What carries the part marks it as one, for `verifyCard` to be told. */
  readonly partial: boolean
}

/** What always comes (section 4.1). */
export const ALWAYS: readonly string[] = ['id', 'name']

/**
 * The members of a card that are asked for, with `id` and `name` (section 4.1). Names that it has not are ignored. A part
 * carries no signature, for that is one of the whole card.
 *
 * @example
 * partialCard(bytes, ['tools']) // { document: { id, name, tools }, partial: true, ... }
 *
 * @param fields when absent, the whole card.
 * @throws {TypeError} when fields are no list of texts.
 */
export function partialCard(source: CardSource, fields?: readonly string[]): CardPart {
  if (fields !== undefined && !(Array.isArray(fields) && fields.every((field) => typeof field === 'string'))) {
    throw new TypeError('fields: expected an array of strings')
  }
  const { card, diagnostics } = openCard(source)
  if (card === undefined) return { document: undefined, bytes: undefined, diagnostics, partial: false }
  const whole = inJson(card.document)
  const wanted = fields && new Set([...ALWAYS, ...fields])
  if (wanted === undefined || Object.keys(card.root.value).every((name) => wanted.has(name))) {
    return { document: whole, bytes: whole.bytes, diagnostics, partial: false }
  }
  const document = withMembers(whole, (name) => name !== 'signature' && wanted.has(name))
  return { document, bytes: document.bytes, diagnostics, partial: true }
}
