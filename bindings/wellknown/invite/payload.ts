import { canonicalizeValue } from '../../core/value.ts'
import type { Invitation } from './invitation.ts'

export const SIGNATURE = '/signature'
/**
 * The signed bytes are Blazon's own definition. This line separates them from everything else that the same key signs.
 */
const DIALECT = new TextEncoder().encode('blazon/invite/1\n')

/** The signed bytes: the line, and the member `invite` in canonical form. */
export function payloadOf({ invite }: Invitation): Uint8Array<ArrayBuffer> {
  const canonical = canonicalizeValue(invite?.value ?? {})
  const payload = new Uint8Array(DIALECT.length + canonical.length)
  payload.set(DIALECT)
  payload.set(canonical, DIALECT.length)
  return payload
}
