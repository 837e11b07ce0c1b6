import type { Diagnostic } from '../document/types.ts'
import type { Reading } from '../frame/subject.ts'
import { type Card, cardOf } from './card.ts'
import { ROOT_OBJECT } from './rules/document.ts'

/** The reading of Agent Cards. */
export const CARD_READING: Reading<Card> = {
  kind: 'card',
  rootObject: ROOT_OBJECT,
  subject: cardOf,
  onRead: ofSeq,
}

/** Other integers that large belong into strings; of seq there is the advice to stay below (section 3.1: uint64). */
function ofSeq(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.source.pointer !== '/seq' || diagnostic.rule !== 'json/unsafe-integer') return diagnostic
  return { ...diagnostic, fix: { hint: 'count from a lower number: signatures cover a seq up to 9007199254740991' } }
}
