import { isObject, member } from '../../document/members.ts'
import { escapeToken } from '../../document/pointer.ts'
import type { Job, Product } from '../job.ts'
import { equal, type Made } from '../json.ts'
import { Ledger } from '../ledger.ts'
import { Problems } from '../problems.ts'

/** Leaves out of account what the source says only because the card does: made again of the card, it is the same. */
export function skipRemade(job: Job, card: Made, remake: (job: Job) => Product): void {
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
    ledger.implied(pointer, 'follows from the rest')
  } else if (Array.isArray(value) && Array.isArray(again)) {
    // What is left of a list has to be one: only what was read element by element is compared so.
    for (const [i, element] of value.entries()) {
      if (!ledger.isOpen(`${pointer}/${i}`)) skip(ledger, `${pointer}/${i}`, element, again[i])
    }
  } else if (isObject(value) && isObject(again)) {
    for (const [name, inner] of Object.entries(value)) {
      skip(ledger, `${pointer}/${escapeToken(name)}`, inner, member(again, name))
    }
  }
}
