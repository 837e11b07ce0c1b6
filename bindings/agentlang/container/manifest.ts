// The manifest of a container: what is in it, and which key signed it.
import { encodeBase64 } from '../../keys/base64.ts'
import { type Key, publicMembers, writeSpki } from '../../keys/key.ts'
import type { Subtle } from '../../keys/platform.ts'
import { toHex } from '../../text/bytes.ts'
import { sha256 } from '../../wasm/sha256.ts'

/** In bytes: a list of 10,000 files takes about two million. */
export const LARGEST_MANIFEST = 4 << 20
export const FORMAT = 'agentlang-container/1'
export const SIGNATURE = 'signature.sig'
const SEALED = '.enc'

export interface ContainerFile {
  readonly path: string
  /** The digest of the stored bytes: the encrypted ones of a prompt. */
  readonly sha256: string
  readonly size: number
  readonly encrypted?: { readonly alg: 'AES-256-GCM'; readonly key_id: string }
}

export interface Manifest {
  readonly format: typeof FORMAT
  readonly name: string
  readonly version: string
  readonly developer: string
  /** All files but the manifest and the signature, in the order of the archive. */
  readonly files: readonly ContainerFile[]
  readonly lock_sha256?: string
  readonly signer: ManifestSigner
}

export interface ManifestSigner {
  readonly alg: 'Ed25519'
  /** SPKI in base64, which is a PEM without its first and last line. */
  readonly public_key: string
  /** The first eight digits of the SHA-256 of the SPKI. */
  readonly key_id: string
}

const isPrompt = (path: string) => /(?:^|[/-])prompt\.yaml$/.test(path)

/** The path of a source in the archive: prompt.yaml and *-prompt.yaml are encrypted in any folder. */
export const storedPath = (path: string): string => (isPrompt(path) ? path + SEALED : path)

/** The path of the source of a stored file. */
export function sourcePath(path: string): string {
  const source = path.endsWith(SEALED) ? path.slice(0, -SEALED.length) : path
  return storedPath(source) === path ? source : path
}

export const nameVersion = ({ name, version }: Pick<Manifest, 'name' | 'version'>): string => `${name}@${version}`

export function signerOf(key: Key): ManifestSigner {
  const spki = writeSpki(key.kind, publicMembers(key))
  return { alg: 'Ed25519', public_key: encodeBase64(spki), key_id: toHex(sha256(spki)).slice(0, 8) }
}

/** The SHA-256 of bytes in hexadecimal. The platform refuses shared memory with a TypeError. */
export async function digestOf(bytes: Uint8Array, subtle: Subtle): Promise<string> {
  return toHex(new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)))
}
