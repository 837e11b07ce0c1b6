import { escapeToken, isObject, member } from '../../text/members.ts'
import type { Job, Product } from '../job.ts'
import { equal, type MutableObject } from '../json.ts'
import { Ledger } from '../ledger.ts'
import { Problems } from '../problems.ts'

/** Marks members of the source that follow from the card: the opposite conversion gives the same. */
export function skipRemade(job: Job, card: MutableObject, remake: (job: Job) => Product): void {
  const again = remake({
    ...job,
    root: { pointer: '', value: structuredClone(card) },
    options: { carry: 'nothing' },
    ledger: new Ledger(undefined),
    problems: new Problems(),
  })
  skip(job.ledger, '', job.root.value, again.document)
}

function skip(ledger: Ledger, pointer: string, value: unknown, again: unknown): void {
  if (pointer !== '' && ledger.isOpen(pointer) && equal(value, again)) {
    ledger.implied(pointer, 'follows from the rest', '')
  } else if (Array.isArray(value) && Array.isArray(again)) {
    // The rest of a list must still be a list, so only lists read element by element are compared this way.
    for (const [i, element] of value.entries()) {
      if (!ledger.isOpen(`${pointer}/${i}`)) skip(ledger, `${pointer}/${i}`, element, again[i])
    }
  } else if (isObject(value) && isObject(again)) {
    for (const [name, inner] of Object.entries(value)) {
      skip(ledger, `${pointer}/${escapeToken(name)}`, inner, member(again, name))
    }
  }
}
