import type { FindingKind } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import { NUMBER } from '../document/tape.ts'
import type { Diagnostic } from '../document/types.ts'
import { KeyError } from '../keys/base64.ts'
import { fingerprint } from '../keys/export.ts'
import { type Algorithm, isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { verifyBytes } from '../keys/verify.ts'
import { type JsonObject, type PlacedObject, parsePointer } from '../text/members.ts'
import { ruleDiagnostic } from './subject.ts'

/** Locating each of very many integers would be slow, and nobody reads such a long list. */
export const MOST_FINDINGS = 100

/** Finds integers beyond 2^53 - 1, which programs read differently: a warning when reading, an error when signing. */
export function unsafeIntegers(document: Document, rule: FindingKind): Diagnostic[] {
  const { tape } = document
  const findings: Diagnostic[] = []
  for (let entry = 0; entry < tape.next(0) && findings.length < MOST_FINDINGS; entry++) {
    if (tape.kind(entry) !== NUMBER) continue
    const text = tape.source(entry)
    if (!isUnsafe(text)) continue
    const detail = `${text.length > 40 ? `${text.slice(0, 40)}…` : text} is beyond 2^53 - 1: put the digits in a string`
    findings.push(ruleDiagnostic(document, rule, 'error', tape.pointerOf(entry), detail))
  }
  return findings
}

/**
 * An object's members as text templates need them: integers beyond 2^53 - 1, which no double can hold, become strings
 * of the digits as written.
 */
export function exactMembers({ tape }: Document, { pointer, value }: PlacedObject): JsonObject {
  const exact: [name: string, value: unknown][] = []
  for (const name of tape.children(tape.find(parsePointer(pointer)!))) {
    const text = tape.text(name)
    const written = tape.kind(name + 1) === NUMBER ? tape.source(name + 1) : ''
    exact.push([text, isUnsafe(written) ? written : value[text]])
  }
  return Object.fromEntries(exact)
}

const isUnsafe = (text: string): boolean => !/[.eE]/.test(text) && !Number.isSafeInteger(Number(text))

// The finding for a valid signature by a key that the caller does not trust. It differs from that of a changed
// document, and so does the remedy.

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
