// The annotation of ours in documents of OASF, whose annotations are texts: members of a card as JSON.
import { isObject, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { parse } from '../../document/parse.ts'
import { restoreCard } from '../card/card.ts'
import { child, type Made } from '../json.ts'
import { type Carrier, Ledger } from '../ledger.ts'

const NOTE = 'blazon.card'

/** Cards are not deeper where others carry them. */
const DEPTH = 64

/** Puts what is carried of a card into the annotations of an object. */
export function noteCarrier(owner: Made, pointer: string): Carrier {
  return {
    target: `${pointer}/annotations/${NOTE}`,
    opaque: true,
    take(residue) {
      child(owner, 'annotations')[NOTE] = JSON.stringify(residue)
    },
  }
}

/** What is carried there; nothing when it is no JSON. */
export function noteOf(owner: PlacedObject | undefined): PlacedObject | undefined {
  const annotations = objectMember(owner, 'annotations')
  const text = member(annotations?.value, NOTE)
  const value = typeof text === 'string' ? parse(text, { maxDepth: DEPTH }).document?.value : undefined
  return isObject(value) ? { pointer: `${annotations!.pointer}/${NOTE}`, value } : undefined
}

/** Puts it back: the note as one is told of, for its parts have no place in the source. */
export function restoreNote(ledger: Ledger, note: PlacedObject, card: Made): void {
  restoreCard(new Ledger(undefined), note, card)
  ledger.rewritten(note.pointer, '', 'put back where it came from')
}
