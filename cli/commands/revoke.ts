import { revokeCard } from '../../bindings/card/revoke.ts'
import type { Context, Outcome } from '../context.ts'
import { writeNext } from '../next-card.ts'

/** `blazon revoke`: the card that says that the agent is gone, signed when there is a key. */
export function run(context: Context): Promise<Outcome> {
  return writeNext(context, (card) => revokeCard(card))
}
