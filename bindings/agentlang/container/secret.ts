// The secret of a developer encrypts the prompts of a container, and authenticates their entries in its lock. HKDF
// (RFC 5869) derives a key for each purpose, agent, version and path. Anyone who runs the agent needs the secret: it
// keeps prompts from registries, not from operators.
import { encodeBase64url, readBase64url } from '../../keys/base64.ts'
import { type PlatformOptions, subtleOf } from '../../keys/platform.ts'
import { joinBytes, toHex } from '../../text/bytes.ts'

const PREFIX = 'agentlang-key-1'
const [SECRET_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16]
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

const encoder = new TextEncoder()

/** The text form of a secret: `agentlang-key-1`, and 43 digits of base64url. */
export function writeSecret(secret: Uint8Array): string {
  if (secret.length !== SECRET_BYTES) throw new RangeError(`secret: expected 32 bytes, got ${secret.length}`)
  return PREFIX + encodeBase64url(secret)
}

export const MAKE_SECRET = 'blazon agent build FOLDER --key KEY --new-secret agent.secret makes one'

/** @throws {RangeError} when the source is not a secret. */
export function readSecret(source: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const isText = typeof source === 'string'
  const bytes = isText && source.startsWith(PREFIX) ? readBase64url(source.slice(PREFIX.length)) : source
  if (bytes instanceof Uint8Array && bytes.length === SECRET_BYTES) return new Uint8Array(bytes)
  // The message does not quote the value, which may be a secret.
  throw new RangeError(`secret: expected 32 bytes, or a text that begins with ${PREFIX}`)
}

/** A secret, opened for one version of an agent. Paths are those of the source files. */
interface OpenSecret {
  /** Names the secret, and reveals nothing else about it: eight hexadecimal digits. */
  readonly id: string
  /** Nonce, ciphertext and tag. The nonce depends on the bytes, so the same bytes give the same result. */
  encrypt(path: string, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>>
  /** Undefined unless this secret encrypted the bytes for this agent, version and path. */
  decrypt(path: string, sealed: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** The entry of an encrypted file in agent.lock. A plain digest would let anyone test guesses of the prompt. */
  lockEntry(path: string, bytes: Uint8Array): Promise<string>
}

/**
 * Opens a secret.
 *
 * @param agent name@version
 * @throws {RangeError} when the source is not a secret.
 */
export async function openSecret(
  source: Uint8Array | string,
  agent: string,
  options: PlatformOptions = {},
): Promise<OpenSecret> {
  const subtle = subtleOf(options)
  const secret = await subtle.importKey('raw', readSecret(source), 'HKDF', false, ['deriveBits'])
  const derive = (purpose: string, ...bound: readonly string[]) => {
    const info = encoder.encode([`agentlang/${purpose}/v1`, ...bound].join('\0'))
    return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, secret, 256)
  }
  const authenticate = async (key: ArrayBuffer, message: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await subtle.sign('HMAC', await subtle.importKey('raw', key, HMAC, false, ['sign']), message))
  const cipher = async (path: string, use: 'encrypt' | 'decrypt') =>
    subtle.importKey('raw', await derive('prompt-key', agent, path), 'AES-GCM', false, [use])
  const bound = (path: string, iv: Uint8Array<ArrayBuffer>) => {
    return { name: 'AES-GCM', iv, additionalData: encoder.encode(`${agent}\0${path}`) }
  }
  return {
    id: toHex(new Uint8Array(await derive('key-id'))).slice(0, 8),
    async encrypt(path, bytes) {
      const own = new Uint8Array(bytes)
      const nonce = (await authenticate(await derive('prompt-nonce', agent, path), own)).slice(0, NONCE_BYTES)
      const sealed = await subtle.encrypt(bound(path, nonce), await cipher(path, 'encrypt'), own)
      return joinBytes([nonce, new Uint8Array(sealed)])
    },
    async decrypt(path, sealed) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
      const own = new Uint8Array(sealed)
      const key = await cipher(path, 'decrypt')
      const plain = subtle.decrypt(bound(path, own.slice(0, NONCE_BYTES)), key, own.slice(NONCE_BYTES))
      return plain.then(
        (bytes) => new Uint8Array(bytes),
        () => undefined,
      )
    },
    async lockEntry(path, bytes) {
      const message = joinBytes([encoder.encode(`${path}\0`), bytes])
      return `hmac-sha256:${toHex(await authenticate(await derive('lock', agent), message))}`
    },
  }
}
