// A container as an OCI artifact: a manifest with one layer (image-spec 1.1, "Guidelines for Artifact Usage").
import { digestOf, type Manifest } from '../../agentlang/container/archive.ts'
import { MOST_BYTES } from '../../agentlang/folder.ts'
import { canonicalizeValue } from '../../core/value.ts'
import { membersOf } from '../../document/parse.ts'
import { valueAt } from '../../text/members.ts'
import { ARTIFACT_TYPE, CONTAINER_TYPE, DIGEST, EMPTY, MANIFEST_TYPE } from './names.ts'

/** In bytes. Ours have about 800. */
export const LARGEST_ARTIFACT = 1 << 16

/** A blob by its digest. */
export interface BlobDescriptor {
  readonly digest: string
  readonly size: number
}

/** A repository of a registry, or of an OCI layout folder. Its methods throw RegistryError. */
export interface ContainerStore {
  /** The bytes of a manifest by tag or digest; undefined if it is missing. */
  getManifest(reference: string): Promise<Uint8Array | undefined>
  putManifest(tag: string, bytes: Uint8Array): Promise<void>
  /** The bytes of a blob, which the caller checks; undefined if it is missing. */
  getBlob(blob: BlobDescriptor): Promise<Uint8Array | undefined>
  putBlob(blob: BlobDescriptor, bytes: Uint8Array): Promise<void>
}

/** The reason for which a container was not published or pulled. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  /**
   * `unreachable`: no answer. `refused`: the server refuses. `login`: it needs a login. `missing`: there is no such
   * container. `invalid`: it sent something else. `exists`: the version has other bytes. `container` and `secret`: the
   * container is invalid, or holds a secret.
   */
  readonly kind: 'unreachable' | 'refused' | 'login' | 'missing' | 'invalid' | 'exists' | 'container' | 'secret'

  constructor(kind: RegistryError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export const sha256Of = async (bytes: Uint8Array) => `sha256:${await digestOf(bytes, crypto.subtle)}`

/** The manifest of a container: the same bytes for the same container. */
export function writeArtifact({ developer, name, version }: Manifest, layer: BlobDescriptor): Uint8Array {
  const of = (member: string) => `org.opencontainers.image.${member}`
  const annotations = { [of('title')]: `${name}@${version}.agent` }
  return canonicalizeValue({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    artifactType: ARTIFACT_TYPE,
    config: EMPTY,
    layers: [{ ...layer, mediaType: CONTAINER_TYPE, annotations }],
    annotations: { [of('title')]: name, [of('vendor')]: developer, [of('version')]: version },
  })
}

/** The layer of a manifest with a container. */
export function readArtifact(bytes: Uint8Array): BlobDescriptor {
  const manifest = membersOf(bytes)
  const [type, config, digest, size, second] = [
    '/artifactType',
    '/config/digest',
    '/layers/0/digest',
    '/layers/0/size',
    '/layers/1',
  ].map((pointer) => valueAt(manifest, pointer))
  if (type !== ARTIFACT_TYPE || config !== EMPTY.digest || second !== undefined)
    throw new RegistryError('invalid', `expected an artifact of the type ${ARTIFACT_TYPE} with one layer`)
  if (!DIGEST.test(String(digest)) || !Number.isSafeInteger(size))
    throw new RegistryError('invalid', 'expected a layer with its SHA-256 and its size')
  if ((size as number) > MOST_BYTES)
    throw new RegistryError('invalid', `expected a layer of at most ${MOST_BYTES} bytes, found ${size}`)
  return { digest: String(digest), size: size as number }
}
