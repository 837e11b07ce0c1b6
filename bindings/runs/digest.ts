// What stands in a record instead of a value: its digest, or a mark (docs/guide/runs.md).
import { toHex } from '../text/bytes.ts'
import { isText } from '../text/members.ts'
import { sha256 } from '../wasm/sha256.ts'

/** The member of a step's metadata with the digest that binds its verdict to the draft that was judged. */
export const CONTENT_DIGEST = 'pvs.content_digest'
/** The member of an object that stands for a value, and the prefix of a text that does. */
export const COMMIT = 'adp.commit'
export const REDACTED = 'adp.redacted'
export const MASK = '[redacted]'

/** `sha256:` and the digest of canonical bytes. */
export const digestOfBytes = (canonical: Uint8Array): string => `sha256:${toHex(sha256(canonical))}`

/** True for a value that stands for another one, or is missing. */
export function isHidden(value: unknown): boolean {
  if (isText(value)) return value === MASK || value.startsWith(`${COMMIT}:`)
  return value === undefined || (typeof value === 'object' && value !== null && (COMMIT in value || REDACTED in value))
}
