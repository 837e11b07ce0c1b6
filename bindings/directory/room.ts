// What a directory has room for: who asks is bounded in number and bytes, by the store and by each key that signs.
import type { Card } from '../card/card.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic } from '../document/types.ts'
import { noRoom } from './findings.ts'
import type { Settings } from './settings.ts'
import type { StoredCard } from './stored.ts'

export interface Shortage {
  /** `full`: for nobody. `quota`: for whose key signed the card. */
  readonly of: 'full' | 'quota'
  readonly diagnostic: Diagnostic
}

/** Why there is no room for a card in place of the one before; nothing when there is. */
export function shortageOf(
  { document }: Card,
  before: StoredCard | undefined,
  signer: string | undefined,
  { store, limits }: Pick<Settings, 'store' | 'limits'>,
): Shortage | undefined {
  const shortage = (of: Shortage['of'], detail: string): Shortage => {
    return { of, diagnostic: ruleDiagnostic(document, noRoom, noRoom.severity, '', detail) }
  }
  const { bytes, cards, cardsPerSigner } = limits
  const growth = document.bytes.length - (before?.bytes.length ?? 0)
  if (growth > 0 && store.bytes + growth > bytes) return shortage('full', `the directory keeps at most ${bytes} bytes`)
  if (before !== undefined) return undefined
  if (store.size >= cards) return shortage('full', `the directory keeps at most ${cards} cards`)
  if (signer === undefined || store.signedBy(signer) < cardsPerSigner) return undefined
  return shortage('quota', `the directory keeps at most ${cardsPerSigner} cards that one key signed`)
}
