import type { Signed } from '../document/signed.ts'
import type { CardSource } from './open.ts'
import { type UpdateOptions, updateCard } from './update.ts'

/**
 * The card by which an agent says that it is gone: an update without tools and endpoints. It counts once it is signed.
 *
 * @example
 * const { document } = revokeCard(bytes, { now: new Date() })
 * isRevocation(document.value) // true
 *
 * @throws {TypeError} for wrong arguments.
 */
export function revokeCard(previous: CardSource, options: UpdateOptions = {}): Signed {
  return updateCard(previous, { tools: [], endpoints: [] }, options)
}
