// Builds a container: encrypts its prompts, lists its files, and signs the list.
import { canonicalizeValue } from '../../core/value.ts'
import { Document } from '../../document/parse.ts'
import type { Files } from '../../document/types.ts'
import { hasShape } from '../../frame/shape.ts'
import type { Proof } from '../../frame/source.ts'
import { verifyParsed } from '../../frame/verify.ts'
import { type PlatformOptions, subtleOf } from '../../keys/platform.ts'
import type { KeySource } from '../../keys/read.ts'
import { openSigner } from '../../keys/sign.ts'
import { rowOf } from '../../kinds.ts'
import { compareBytes } from '../../text/bytes.ts'
import { PathSet } from '../../text/safe-path.ts'
import { quoted } from '../../text/words.ts'
import { LOCK_FILE } from '../files.ts'
import {
  type ContainerFile,
  digestOf,
  FORMAT,
  LARGEST_MANIFEST,
  MANIFEST,
  type Manifest,
  nameVersion,
  parseArchive,
  SIGNATURE,
  signerOf,
  sourcePath,
  storedPath,
  writeArchive,
} from './archive.ts'
import { openSecret } from './secret.ts'
import { containerShape } from './specification.ts'
import { type ContainerContent, type ContainerOptions, verifying } from './verify.ts'

export declare namespace sealContainer {
  interface Options extends PlatformOptions {
    readonly name: string
    readonly version: string
    readonly developer: string
    /** The source files by path. */
    readonly files: Files
    /** agent.lock with the entries of `lockEntry` (secret.ts) for encrypted files. */
    readonly lock?: Uint8Array
    /** The private Ed25519 key of the developer. */
    readonly key: KeySource | CryptoKeyPair
    /** Encrypts the prompts: 32 bytes, or their text form. Required if there are prompts. */
    readonly secret?: Uint8Array | string
  }
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
export async function sealContainer(options: sealContainer.Options): Promise<Uint8Array<ArrayBuffer>> {
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

// Verifies containers for callers that have their bytes, and gives their files.

export interface VerifyContainerOptions extends Omit<ContainerOptions, 'expect'> {
  /** The keys that the caller trusts for this container. */
  readonly keys?: readonly KeySource[]
  /** The expected name@version. */
  readonly agent?: string
}

/**
 * Verifies a container. The verdict is `unverifiable` without a key of its developer: the key in a container shows only
 * that nobody changed it since.
 *
 * @example
 * (await verifyContainer(bytes, { keys: [developerKey], agent: 'coach@1.0.0' })).verdict // 'verified'
 *
 * @throws {KeyError} for a malformed key, {RangeError} for a malformed secret; never because of the container.
 */
export async function verifyContainer(bytes: Uint8Array, options: VerifyContainerOptions = {}): Promise<Proof> {
  return (await openContainer(bytes, options)).proof
}

/** Without `manifest` and files when a step failed. */
export type OpenedContainer = Partial<ContainerContent> & { readonly proof: Proof }

/** Verifies a container, and gives its content if no step failed. The proof says whether the signer is known. */
export async function openContainer(
  source: Uint8Array | Document,
  { keys, agent, ...options }: VerifyContainerOptions = {},
): Promise<OpenedContainer> {
  const { file } = options
  const { bytes: maxBytes, depth: maxDepth } = rowOf('container').bounds
  const parsed =
    source instanceof Document
      ? { document: source, diagnostics: [] }
      : parseArchive(source, { maxBytes, maxDepth, ...(file !== undefined && { file }) })
  const expect = { ...(keys !== undefined && { keys }), ...(agent !== undefined && { id: agent }) }
  let content: ContainerContent | undefined
  const take = (opened: ContainerContent) => {
    content = opened
  }
  const proof = await verifyParsed(verifying(take), parsed, { ...options, expect })
  return { ...content, proof }
}

/** The files of a container that could be read: those that are not encrypted, or were decrypted. */
export function readableFiles({ files = new Map(), encrypted }: OpenedContainer): Files {
  const sealed = new Set(encrypted)
  return new Map([...files].filter(([path]) => !sealed.has(path)))
}

/** The files to write for a container, by path; undefined unless it is verified. */
export async function unpackContainer(bytes: Uint8Array, options?: VerifyContainerOptions): Promise<Files | undefined> {
  const { files, proof } = await openContainer(bytes, options)
  return proof.verdict === 'verified' ? files : undefined
}
