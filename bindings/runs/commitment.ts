// Salted digests of values: without the salt, nobody can guess the value (docs/guide/runs.md).
import { canonicalizeValue } from '../core/value.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { COMMIT, digestOfBytes } from './digest.ts'

/** `sha256:` and the digest of a value's canonical bytes. */
export const digestOf = (value: unknown): string => digestOfBytes(canonicalizeValue(value))

/** A commitment to a value at a place of a run. */
export function commitmentTo(value: unknown, runId: string, pointer: string, salt: Uint8Array): string {
  return digestOf([`${COMMIT}/1`, runId, pointer, encodeBase64url(salt), value])
}

/** What stands for an object, or for a text where the schema requires one. */
export const committedObject = (digest: string) => ({ [COMMIT]: digest })
export const committedText = (digest: string) => `${COMMIT}:${digest}`
