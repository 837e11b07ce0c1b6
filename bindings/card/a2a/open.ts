import { Document } from '../../document/document.ts'
import { isObject } from '../../document/members.ts'
import { read } from '../../document/read.ts'
import { ruleDiagnostic } from '../../document/rule.ts'
import type { Diagnostic } from '../../document/types.ts'
import type { CardSource } from '../open.ts'
import { A2aCard } from './a2a-card.ts'
import { memberType } from './rules/schema.ts'

/** A card that was read, or why there is none. */
export interface OpenedA2aCard {
  readonly card: A2aCard | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** No registry takes a tenth of it. */
const MOST_BYTES = 1 << 20

/** Reads the card that a verb is given. */
export function openA2aCard(source: CardSource, file?: string): OpenedA2aCard {
  const { document, diagnostics } =
    source instanceof Document
      ? { document: source, diagnostics: [] }
      : read(source, { ...(file !== undefined && { file }), maxBytes: MOST_BYTES })
  if (document === undefined) return { card: undefined, diagnostics }
  if (isObject(document.value)) return { card: new A2aCard(document), diagnostics }
  const refusal = ruleDiagnostic(document, memberType, 'error', '', 'Expected a JSON object')
  return { card: undefined, diagnostics: [...diagnostics, refusal] }
}
