import { Document } from '../document/document.ts'
import { isObject } from '../document/members.ts'
import { read } from '../document/read.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic } from '../document/types.ts'
import { Card } from './card.ts'
import { ROOT_OBJECT } from './rules/document.ts'

/** What a verb is given: text, bytes, or a document that was read before. */
export type CardSource = Uint8Array | string | Document

/** A card that was read, or why there is none. */
export type OpenedCard =
  | { readonly card: Card; readonly diagnostics: readonly Diagnostic[] }
  | { readonly card: undefined; readonly diagnostics: readonly Diagnostic[] }

/** Whoever sends more than a card may have is told so by its validation; beyond this nothing is read. */
export const MOST_BYTES = 1 << 20

/** Reads the card that a verb is given. */
export function openCard(source: CardSource, file?: string): OpenedCard {
  const { document, diagnostics } =
    source instanceof Document
      ? { document: source, diagnostics: [] }
      : read(source, { ...(file !== undefined && { file }), maxBytes: MOST_BYTES })
  if (document === undefined) return { card: undefined, diagnostics }
  if (isObject(document.value)) return { card: new Card(document), diagnostics }
  const refusal = ruleDiagnostic(document, ROOT_OBJECT, 'error', '', 'expected a JSON object')
  return { card: undefined, diagnostics: [...diagnostics, refusal] }
}
