import { updateCard } from '../../bindings/card/update.ts'
import type { Context, Outcome } from '../context.ts'
import { writeNext } from '../next-card.ts'

/** `blazon bump`: the card with the next seq, signed when there is a key. */
export function run(context: Context): Promise<Outcome> {
  return writeNext(context, (card) => updateCard(card))
}
