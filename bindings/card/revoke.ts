import type { SignResult } from '../frame/signed.ts'
import type { Source } from '../frame/source.ts'
import { type UpdateOptions, update } from './update.ts'

/**
 * Returns a card that revokes the agent: an update with empty tools and endpoints. It takes effect once it is signed.
 *
 * @example
 * const { document } = revoke(bytes, { now: new Date() })
 * isRevocation(document.value) // true
 *
 * @throws {TypeError} for wrong arguments.
 */
export function revoke(previous: Source, options: UpdateOptions = {}): SignResult {
  return update(previous, { tools: [], endpoints: [] }, options)
}
