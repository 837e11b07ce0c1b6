// The key of an agent and its fingerprint: SHA-256 of the 32 bytes, not of their SPKI (sections 2 and 5.1).
import { decodeBase64url, encodeBase64url, readBase64url } from '../keys/base64.ts'
import { isSoundPoint } from '../keys/ed25519.ts'
import { KeyError } from '../keys/error.ts'
import { type Key, publicMembers } from '../keys/key.ts'
import { writePem } from '../keys/pem.ts'
import { readMaterial } from '../keys/read.ts'
import { writeSpki } from '../keys/spki.ts'
import { sha256 } from '../wasm/sha256.ts'

const PREFIX = 'ed25519:'

/**
 * Returns the 32 bytes of a key in `publicKey.full`. It is PEM in the draft. The author's program and earlier drafts
 * use base64url of the SPKI or of the 32 bytes.
 *
 * @throws {KeyError} for a text that is not an Ed25519 key.
 */
export function readFull(full: string): Uint8Array<ArrayBuffer> {
  const source = full.trimStart().startsWith('-----') ? full : decodeBase64url(full)
  const { members } = readMaterial(source, { algorithm: 'Ed25519' })
  if (members['d'] !== undefined) throw new KeyError('KEY-102', 'expected a public key, found a private one')
  const raw = decodeBase64url(members['x']!)
  if (isSoundPoint(raw)) return raw
  throw new KeyError('KEY-104', 'expected a point of large order, found one for which anybody can sign')
}

/** The fingerprint of the 32 bytes of a key. */
export const fingerprintOf = (raw: Uint8Array): string => PREFIX + encodeBase64url(sha256(raw))

/** The fingerprint that many tools compute by mistake: it includes the twelve bytes that give the type of the key. */
export const spkiFingerprintOf = (raw: Uint8Array): string =>
  PREFIX + encodeBase64url(sha256(writeSpki('Ed25519', { kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(raw) })))

/** An Ed25519 key in the form of metadata (section 6.3.2). */
export function publicKeyBlock(key: Key): Readonly<Record<'algorithm' | 'fingerprint' | 'full', string>> {
  const members = publicMembers(key)
  const full = writePem('PUBLIC KEY', writeSpki('Ed25519', members))
  return { algorithm: 'ed25519', fingerprint: fingerprintOf(decodeBase64url(members['x']!)), full }
}

/** Returns the bytes of a text with `ed25519:` and base64url. Undefined for other text. */
export const readPrefixed = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text.startsWith(PREFIX) ? readBase64url(text.slice(PREFIX.length)) : undefined

/** Writes bytes like fingerprints and signatures. */
export const writePrefixed = (bytes: Uint8Array): string => PREFIX + encodeBase64url(bytes)

/** Returns what is wrong with a text that is not a key. Undefined for a key. */
export function faultOfFull(full: string): string | undefined {
  try {
    readFull(full)
  } catch (error) {
    if (error instanceof KeyError) return error.message
    throw error
  }
}
