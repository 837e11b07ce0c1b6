// Builds a container: encrypts its prompts, lists its files, and signs the list.
import { canonicalizeValue } from '../../core/value.ts'
import type { Files } from '../../document/types.ts'
import { hasShape } from '../../frame/shape.ts'
import { type PlatformOptions, subtleOf } from '../../keys/platform.ts'
import type { KeySource } from '../../keys/read.ts'
import { openSigner } from '../../keys/sign.ts'
import { compareBytes } from '../../text/bytes.ts'
import { PathSet } from '../../text/safe-path.ts'
import { quoted } from '../../text/words.ts'
import { LOCK_FILE } from '../files.ts'
import { MANIFEST, writeArchive } from './archive.ts'
import {
  type ContainerFile,
  digestOf,
  FORMAT,
  LARGEST_MANIFEST,
  type Manifest,
  nameVersion,
  SIGNATURE,
  signerOf,
  sourcePath,
  storedPath,
} from './manifest.ts'
import { openSecret } from './secret.ts'
import { containerShape } from './specification.ts'

export interface SealOptions extends PlatformOptions {
  readonly name: string
  readonly version: string
  readonly developer: string
  /** The source files by path. */
  readonly files: Files
  /** agent.lock with the entries of `sealedLockEntry` for encrypted files. */
  readonly lock?: Uint8Array
  /** The private Ed25519 key of the developer. */
  readonly key: KeySource | CryptoKeyPair
  /** Encrypts the prompts: 32 bytes, or their text form. Required if there are prompts. */
  readonly secret?: Uint8Array | string
}

/**
 * Builds a container: the same bytes for the same input, in whatever order the files are.
 *
 * @example
 * await sealContainer({ name: 'coach', version: '1.0.0', developer: 'acme', files, key, secret })
 *
 * @throws {RangeError} for invalid names, paths and sizes, {TypeError} for a missing secret, {KeyError} for a key that is
 * not a private Ed25519 key.
 */
export async function sealContainer(options: SealOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { name, version, developer, files, lock, key, secret } = options
  for (const member of ['name', 'version', 'developer'] as const)
    if (!hasShape(containerShape().members!.get(member)!, options[member], () => false))
      throw new RangeError(`${member}: expected one that a manifest may have, got ${quoted(String(options[member]))}`)
  const subtle = subtleOf(options)
  const signer = await openSigner(key, { algorithm: 'Ed25519', subtle })
  const opened = secret === undefined ? undefined : await openSecret(secret, nameVersion(options), { subtle })
  const stored = new Map<string, Uint8Array>()
  const encrypted: ContainerFile['encrypted'] = opened && { alg: 'AES-256-GCM', key_id: opened.id }
  const sources = new PathSet()
  for (const [path, bytes] of files) {
    if (sources.add(path) !== undefined) throw new RangeError(`files: ${quoted(path)} collides with another path`)
    if ([MANIFEST, SIGNATURE, LOCK_FILE].includes(path) || sourcePath(path) !== path)
      throw new RangeError(`files: a container makes ${quoted(path)} itself`)
    const at = storedPath(path)
    if (at === path) stored.set(path, bytes)
    else if (opened === undefined) throw new TypeError(`secret: expected one, because ${quoted(path)} is encrypted`)
    else stored.set(at, await opened.encrypt(path, bytes))
  }
  if (lock !== undefined) stored.set(LOCK_FILE, lock)
  const encoder = new TextEncoder()
  const listed = Array.from(stored, async ([path, bytes]) => {
    const isSealed = sourcePath(path) !== path
    const sha256 = await digestOf(bytes, subtle)
    const file: ContainerFile = { path, sha256, size: bytes.length, ...(isSealed && encrypted && { encrypted }) }
    return { name: encoder.encode(path), file }
  })
  const manifest: Manifest = {
    format: FORMAT,
    name,
    version,
    developer,
    files: (await Promise.all(listed)).sort((a, b) => compareBytes(a.name, b.name)).map(({ file }) => file),
    ...(lock !== undefined && { lock_sha256: await digestOf(lock, subtle) }),
    signer: signerOf(signer.publicKey),
  }
  const signed = canonicalizeValue(manifest)
  if (signed.length > LARGEST_MANIFEST)
    throw new RangeError(`files: expected a shorter list, got ${signed.length} bytes`)
  return writeArchive(new Map([[MANIFEST, signed], [SIGNATURE, await signer.sign(signed)], ...stored]))
}
