import { canonicalizeValue } from '../../core/value.ts'
import type { Invitation } from './invitation.ts'

export const SIGNATURE = '/signature'
/** Only we define what is signed: the line keeps it apart from what the same key signs otherwise. */
const DIALECT = new TextEncoder().encode('blazon/invite/1\n')

/** The bytes that are signed: the line, and the member `invite` in canonical form. */
export function payloadOf({ invite }: Invitation): Uint8Array<ArrayBuffer> {
  const canonical = canonicalizeValue(invite?.value ?? {})
  const payload = new Uint8Array(DIALECT.length + canonical.length)
  payload.set(DIALECT)
  payload.set(canonical, DIALECT.length)
  return payload
}
