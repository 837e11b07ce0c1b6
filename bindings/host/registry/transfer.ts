// Publishes containers in registries, and pulls them.
import {
  type OpenedContainer,
  openContainer,
  readableFiles,
  type VerifyContainerOptions,
} from '../../agentlang/container/seal.ts'
import { secretIn } from '../../text/secret-shapes.ts'
import { quoted } from '../../text/words.ts'
import { type ContainerStore, RegistryError, readArtifact, sha256Of, writeArtifact } from './artifact.ts'
import { EMPTY, tagOf } from './names.ts'
import { type ContainerReference, repositoryOf } from './reference.ts'

const LONGEST_TAG = 128

export interface PublishContainerOptions {
  /** Opens the repository of the container; without it, nothing is sent. */
  readonly open?: (repository: string) => ContainerStore
  /** The path in the registry before the developer's name. */
  readonly prefix?: string
  /** Opens the prompts, which are searched for secrets as other files are. */
  readonly secret?: Uint8Array | string
}

export interface PublishedContainer {
  readonly fault?: RegistryError
  readonly repository?: string
  readonly tag?: string
  /** The digest of the manifest, by which `pullContainer` gets exactly this container. */
  readonly digest?: string
  /** False when the registry already has this version with the same container. */
  readonly isNew?: boolean
}

/**
 * Publishes a container. Refuses an invalid one, one that holds a secret, and a version that exists with another
 * container.
 *
 * @example
 * await publishContainer(bytes, { open: (repository) => openRegistry({ origin, repository }, { login }) })
 *
 * @throws {RangeError} for a malformed secret.
 */
export async function publishContainer(
  container: Uint8Array,
  { open, prefix, secret }: PublishContainerOptions = {},
): Promise<PublishedContainer> {
  return orFault(async () => {
    const opened = await openContainer(container, secret === undefined ? {} : { secret })
    const { manifest, proof } = opened
    if (manifest === undefined) throw new RegistryError('container', `the container is invalid: ${whyFailed(proof)}`)
    for (const [path, bytes] of readableFiles(opened)) {
      const found = secretIn(new TextDecoder().decode(bytes))
      if (found !== undefined) throw new RegistryError('secret', `${quoted(path)} seems to hold ${found}`)
    }
    const [repository, tag] = [repositoryOf(manifest, prefix), tagOf(manifest.version)]
    if (repository === undefined || tag.length > LONGEST_TAG)
      throw new RegistryError(
        'container',
        `no registry can store ${quoted(`${manifest.developer}/${manifest.name}:${tag}`)}`,
      )
    const layer = { digest: await sha256Of(container), size: container.length }
    const artifact = writeArtifact(manifest, layer)
    const published = { repository, tag, digest: await sha256Of(artifact) }
    const store = open?.(repository)
    const before = await store?.getManifest(tag)
    if (before !== undefined) {
      if (readArtifact(before).digest === layer.digest)
        return { ...published, digest: await sha256Of(before), isNew: false }
      throw new RegistryError('exists', `version ${manifest.version} was published with another container`)
    }
    await store?.putBlob(EMPTY, new TextEncoder().encode('{}'))
    await store?.putBlob(layer, container)
    await store?.putManifest(tag, artifact)
    return { ...published, isNew: true }
  })
}

const whyFailed = ({ steps }: OpenedContainer['proof']) => steps.find(({ outcome }) => outcome === 'failed')?.detail

/** A container that is valid unless its proof failed. */
export interface PulledContainer {
  readonly fault?: RegistryError
  readonly bytes?: Uint8Array
  /** Its proof says whether the signer is known. */
  readonly opened?: OpenedContainer
}

/**
 * Pulls a container and verifies it. It must be the agent and version that the reference names. Without a repository, it
 * may be any agent: a folder has no name.
 *
 * @throws {KeyError} for a malformed key, {RangeError} for a malformed secret.
 */
export async function pullContainer(
  { repository, version, digest }: Partial<Omit<ContainerReference, 'origin'>>,
  store: ContainerStore,
  options: VerifyContainerOptions = {},
): Promise<PulledContainer> {
  return orFault(async () => {
    const named = digest ?? tagOf(version ?? '')
    const artifact = await store.getManifest(named)
    if (artifact === undefined) throw new RegistryError('missing', `there is no ${repository ?? 'version'} ${named}`)
    if (digest !== undefined && (await sha256Of(artifact)) !== digest)
      throw new RegistryError('invalid', `the manifest ${digest} has other bytes`)
    const layer = readArtifact(artifact)
    const bytes = await store.getBlob(layer)
    if (bytes === undefined) throw new RegistryError('missing', `there is no blob ${layer.digest}`)
    if (bytes.length !== layer.size || (await sha256Of(bytes)) !== layer.digest)
      throw new RegistryError('invalid', `the blob ${layer.digest} has other bytes`)
    const opened = await openContainer(bytes, options)
    const { manifest } = opened
    const own = manifest && repositoryOf(manifest)
    const isNamed = own !== undefined && `/${repository ?? own}`.endsWith(`/${own}`)
    if (manifest !== undefined && (!isNamed || (version ?? manifest.version) !== manifest.version)) {
      const found = quoted(`${manifest.developer}/${manifest.name}:${manifest.version}`)
      throw new RegistryError('invalid', `${repository ?? 'version'} ${named} is the container of ${found}`)
    }
    return { bytes, opened }
  })
}

async function orFault<Made>(work: () => Promise<Made>): Promise<Made | { readonly fault: RegistryError }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RegistryError) return { fault: error }
    throw error
  }
}
