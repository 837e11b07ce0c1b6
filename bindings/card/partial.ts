import { inJson, withMembers } from '../document/rewrite.ts'
import { readAs } from '../frame/as.ts'
import type { SignResult } from '../frame/signed.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { CARD_READING } from './reading.ts'

/** A card as it is given to a caller: the whole card, or a part of it. */
export interface CardPart extends SignResult {
  /** Members were left out. The transport marks the card as partial, which `verify` needs to know. */
  readonly partial: boolean
}

export interface PartialOptions extends FileOptions {
  /** The requested members. Default: the whole card. */
  readonly fields?: readonly string[] | undefined
}

/** The members that every part has (section 4.1). */
export const ALWAYS: readonly string[] = ['id', 'name']

/**
 * Returns the requested members of a card, with `id` and `name` (section 4.1). Names that the card lacks are ignored. A
 * part carries no signature, because the signature covers the whole card.
 *
 * @example
 * partial(bytes, { fields: ['tools'] }) // { document: { id, name, tools }, partial: true, ... }
 *
 * @throws {TypeError} when fields is not an array of strings.
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
