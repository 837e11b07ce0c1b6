// What stands in a record instead of a value: its digest, or a commitment to it (docs/guide/runs.md).
import { canonicalizeValue } from '../core/value.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { toHex } from '../text/bytes.ts'
import { isText } from '../text/members.ts'
import { sha256 } from '../wasm/sha256.ts'

/** The member of a step's metadata with the digest that binds its verdict to the draft that was judged. */
export const CONTENT_DIGEST = 'pvs.content_digest'
const COMMIT = 'adp.commit'
export const REDACTED = 'adp.redacted'
export const MASK = '[redacted]'

/** `sha256:` and the digest of a value's canonical bytes. */
export const digestOf = (value: unknown): string => `sha256:${toHex(sha256(canonicalizeValue(value)))}`

/** A commitment to a value at a place of a run: without the salt, nobody can guess the value. */
export function commitmentTo(value: unknown, runId: string, pointer: string, salt: Uint8Array): string {
  return digestOf([`${COMMIT}/1`, runId, pointer, encodeBase64url(salt), value])
}

/** What stands for an object, or for a text where the schema requires one. */
export const committedObject = (digest: string) => ({ [COMMIT]: digest })
export const committedText = (digest: string) => `${COMMIT}:${digest}`

/** True for a value that stands for another one, or is missing. */
export function isHidden(value: unknown): boolean {
  if (isText(value)) return value === MASK || value.startsWith(`${COMMIT}:`)
  return value === undefined || (typeof value === 'object' && value !== null && (COMMIT in value || REDACTED in value))
}
