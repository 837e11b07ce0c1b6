// The identity of an agent: its domain, its key, and the fingerprint of the key, which is SHA-256 of the 32 bytes, not of
// their SPKI (sections 2 and 5.1).
import { attempt, decodeBase64url, encodeBase64url, KeyError, readBase64url } from '../keys/base64.ts'
import { isSoundPoint } from '../keys/ed25519.ts'
import { type Key, publicMembers, writeSpki } from '../keys/key.ts'
import { type KeySource, readMaterial, writePem } from '../keys/read.ts'
import { isDomain } from '../text/host-name.ts'
import { sha256 } from '../wasm/sha256.ts'

/** The protocol version of metadata, invitations and messages that Blazon writes. */
export const PROTOCOL = 'ADP/1.1'

/** The identifier of an agent (ADP/1.1 section 2): `agent:` and its domain. */
export const agentUri = (domain: string): string => `agent:${domain}`

const PREFIX = /^agent:(?!\/\/)/i
/** Characters that would turn a name into a URL. */
const NO_NAME = /[\s/\\:@?#%[\]]/

/** Returns the DNS form of a domain, from a name or agent URI in any script. Undefined for other text. */
export function domainIn(text: string): string | undefined {
  const name = text.replace(PREFIX, '').replace(/\.$/, '')
  if (name.length > 1000 || NO_NAME.test(name) || !URL.canParse(`https://${name}`)) return undefined
  // The platform maps names to ASCII as browsers do (UTS 46).
  const ascii = new URL(`https://${name}`).hostname
  return isDomain(ascii) ? ascii : undefined
}

/**
 * Normalizes an identifier for comparison with that of a document: domains ignore case and may be written in any
 * script.
 */
export function idIn(text: string): string {
  const domain = PREFIX.test(text) ? domainIn(text) : undefined
  return domain === undefined ? text.toLowerCase() : agentUri(domain)
}

/** The agent that metadata or an invitation belongs to. */
export interface AgentIdentity {
  /** The domain of the agent: `alice.example.com`, or its URI, in any script. */
  readonly domain: string
  /** Its Ed25519 key. Only the public half of a private key is used. */
  readonly key: KeySource
}

/** Returns the ASCII form of the domain. Throws for an invalid domain. */
export function domainOf({ domain }: AgentIdentity): string {
  const ascii = typeof domain === 'string' ? domainIn(domain) : undefined
  if (ascii !== undefined) return ascii
  throw new TypeError(`domain: expected one such as alice.example.com, got ${String(domain).slice(0, 100)}`)
}

const KEY_PREFIX = 'ed25519:'

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
export const fingerprintOf = (raw: Uint8Array): string => KEY_PREFIX + encodeBase64url(sha256(raw))

/** The fingerprint that many tools compute by mistake: it includes the twelve bytes that give the type of the key. */
export const spkiFingerprintOf = (raw: Uint8Array): string =>
  KEY_PREFIX + encodeBase64url(sha256(writeSpki('Ed25519', { kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(raw) })))

/** An Ed25519 key in the form of metadata (section 6.3.2). */
export function publicKeyBlock(key: Key): Readonly<Record<'algorithm' | 'fingerprint' | 'full', string>> {
  const members = publicMembers(key)
  const full = writePem('PUBLIC KEY', writeSpki('Ed25519', members))
  return { algorithm: 'ed25519', fingerprint: fingerprintOf(decodeBase64url(members['x']!)), full }
}

/** Returns the bytes of a text with `ed25519:` and base64url. Undefined for other text. */
export const readPrefixed = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text.startsWith(KEY_PREFIX) ? readBase64url(text.slice(KEY_PREFIX.length)) : undefined

/** Writes bytes like fingerprints and signatures. */
export const writePrefixed = (bytes: Uint8Array): string => KEY_PREFIX + encodeBase64url(bytes)

/** Returns what is wrong with a text that is not a key. Undefined for a key. */
export const faultOfFull = (full: string): string | undefined =>
  attempt(
    () => void readFull(full),
    ({ message }) => message,
  )
