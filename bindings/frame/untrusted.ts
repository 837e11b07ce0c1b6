// The finding for a valid signature by a key that the caller does not trust. It differs from that of a changed
// document, and so does the remedy.

import { KeyError } from '../keys/base64.ts'
import { fingerprint } from '../keys/export.ts'
import { type Algorithm, isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { verifyBytes } from '../keys/verify.ts'

export const ASK_FOR_THE_KEY = {
  hint: 'ask the signer for the public key, but not through this document: if it is the key above, pass it with --key; otherwise do not use the document',
}

/** A message names at most this many trusted keys. */
const MOST_NAMED = 3

interface Signature {
  readonly algorithm: Algorithm
  readonly message: Uint8Array
  readonly signature: Uint8Array
  readonly subtle: Subtle
}

/** The detail when the document's own key verifies the signature but is not trusted; undefined otherwise. */
export async function byUntrusted(
  own: Key,
  trusted: readonly Key[],
  { algorithm, message, signature, subtle }: Signature,
): Promise<string | undefined> {
  if (!own.algorithms.includes(algorithm) || trusted.some((key) => isSameKey(key, own))) return undefined
  try {
    if (!(await verifyBytes({ algorithm, publicKey: own, message, signature, subtle }))) return undefined
  } catch (error) {
    // A platform without the algorithm fails the signature like any other failure.
    if (error instanceof KeyError) return undefined
    throw error
  }
  return untrustedWords(own, trusted, subtle)
}

export async function untrustedWords(own: Key, trusted: readonly Key[], subtle: Subtle): Promise<string> {
  const print = async (key: Key) => `the thumbprint ${await fingerprint(key, { subtle })}`
  const named = await Promise.all(trusted.slice(0, MOST_NAMED).map(print))
  const more = trusted.length > named.length ? ` and ${trusted.length - named.length} more` : ''
  const only = trusted.length === 0 ? 'no key' : `only keys with ${named.join(', ')}${more}`
  return `the signature is valid, made by the key in the document, with ${await print(own)}, but you trust ${only}`
}
