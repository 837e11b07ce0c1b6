import { inJson, withMembers } from '../document/rewrite.ts'
import { readAs } from '../frame/as.ts'
import type { Signed } from '../frame/signed.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { CARD_READING } from './reading.ts'

/** A card as it is given to somebody: the whole one, or a part. */
export interface CardPart extends Signed {
  /** Members were left out. What carries the part marks it as one, for `verify` to be told. */
  readonly partial: boolean
}

export interface PartialOptions extends FileOptions {
  /** Members that are asked for; when absent, the whole card. */
  readonly fields?: readonly string[] | undefined
}

/** The members that every part has (section 4.1). */
export const ALWAYS: readonly string[] = ['id', 'name']

/**
 * The members of a card that are asked for, with `id` and `name` (section 4.1). Names that it has not are ignored. A part
 * carries no signature, for that is one of the whole card.
 *
 * @example
 * partial(bytes, { fields: ['tools'] }) // { document: { id, name, tools }, partial: true, ... }
 *
 * @throws {TypeError} when fields are no list of texts.
 */
export function partial(source: Source, { fields, file }: PartialOptions = {}): CardPart {
  if (fields !== undefined && !(Array.isArray(fields) && fields.every((field) => typeof field === 'string'))) {
    throw new TypeError('fields: expected an array of strings')
  }
  const { subject: card, diagnostics } = readAs(CARD_READING, source, file)
  if (card === undefined) return { document: undefined, bytes: undefined, diagnostics, partial: false }
  const whole = inJson(card.document)
  const wanted = fields && new Set([...ALWAYS, ...fields])
  if (wanted === undefined || Object.keys(card.root.value).every((name) => wanted.has(name))) {
    return { document: whole, bytes: whole.bytes, diagnostics, partial: false }
  }
  const document = withMembers(whole, (name) => name !== 'signature' && wanted.has(name))
  return { document, bytes: document.bytes, diagnostics, partial: true }
}
