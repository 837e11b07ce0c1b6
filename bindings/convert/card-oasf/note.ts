// Our annotation in OASF documents: members of a card as JSON, because annotations there are strings.

import { parse } from '../../document/parse.ts'
import { isObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { child, type MutableObject } from '../json.ts'
import { type Carrier, Ledger } from '../ledger.ts'
import { restoreCard } from '../sides/card.ts'

const NOTE = 'blazon.card'

/** The deepest nesting of a card in another document. */
const DEPTH = 64

/** Carries members of a card in the annotations of an object. */
export function noteCarrier(owner: MutableObject, pointer: string): Carrier {
  return {
    target: `${pointer}/annotations/${NOTE}`,
    opaque: true,
    take(residue) {
      child(owner, 'annotations')[NOTE] = JSON.stringify(residue)
    },
  }
}

/** The carried members; undefined when the annotation is not JSON. */
export function noteOf(owner: PlacedObject | undefined): PlacedObject | undefined {
  const annotations = objectMember(owner, 'annotations')
  const text = member(annotations?.value, NOTE)
  const value = typeof text === 'string' ? parse(text, { maxDepth: DEPTH }).document?.value : undefined
  return isObject(value) ? { pointer: `${annotations!.pointer}/${NOTE}`, value } : undefined
}

/** Restores the note. Reports it as a whole, because its parts have no place in the source. */
export function restoreNote(ledger: Ledger, note: PlacedObject, card: MutableObject, shows: boolean): void {
  restoreCard(new Ledger(undefined), note, card, shows)
  ledger.rewritten(note.pointer, '', 'put back in its place')
}
