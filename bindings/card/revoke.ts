import type { Signed } from '../frame/signed.ts'
import type { Source } from '../frame/source.ts'
import { type UpdateOptions, update } from './update.ts'

/**
 * The card by which an agent says that it is gone: an update without tools and endpoints. It counts once it is signed.
 *
 * @example
 * const { document } = revoke(bytes, { now: new Date() })
 * isRevocation(document.value) // true
 *
 * @throws {TypeError} for wrong arguments.
 */
export function revoke(previous: Source, options: UpdateOptions = {}): Signed {
  return update(previous, { tools: [], endpoints: [] }, options)
}
