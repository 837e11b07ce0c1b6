import type { Diagnostic } from '../document/types.ts'
import type { Reading } from '../frame/subject.ts'
import { type Card, cardOf } from './card.ts'
import { ROOT_OBJECT } from './findings.ts'

/** How Agent Cards are parsed. */
export const CARD_READING: Reading<Card> = {
  kind: 'card',
  rootObject: ROOT_OBJECT,
  subject: cardOf,
  onRead: ofSeq,
}

/**
 * Large integers elsewhere get the advice to become strings. A seq must stay a uint64 (section 3.1), so the advice is
 * to count from lower.
 */
function ofSeq(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.source.pointer !== '/seq' || diagnostic.rule !== 'json/unsafe-integer') return diagnostic
  return { ...diagnostic, fix: { hint: 'count from a lower number: signatures cover a seq up to 9007199254740991' } }
}
