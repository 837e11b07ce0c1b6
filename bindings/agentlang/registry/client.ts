// A client of OCI registries (distribution-spec 1.1) for one repository. Nothing that a registry answers is trusted.

import { canonicalizeValue } from '../../core/value.ts'
import { membersOf } from '../../document/parse.ts'
import { encodeBase64 } from '../../keys/base64.ts'
import { anonymous, deadline, isRedirect, readAtMost } from '../../net/deadline.ts'
import { reason } from '../../net/failure.ts'
import type { GuardedInit } from '../../net/fetch.ts'
import { isLoopback, refuseUrl } from '../../net/guard.ts'
import { isText, member, valueAt } from '../../text/members.ts'
import { isBearerToken } from '../../text/moment.ts'
import { secretIn } from '../../text/secret-shapes.ts'
import { quoted } from '../../text/words.ts'
import { digestOf, type Manifest } from '../container/archive.ts'
import { type OpenedContainer, openContainer, readableFiles, type VerifyContainerOptions } from '../container/seal.ts'
import { MOST_BYTES } from '../files.ts'
import { ARTIFACT_TYPE, CONTAINER_TYPE, DIGEST, EMPTY, MANIFEST_TYPE, tagOf, versionOf } from './names.ts'

export declare namespace openRegistry {
  interface Options {
    /** Default: the platform's fetch. */
    readonly fetch?: (url: string, init: GuardedInit) => Promise<Response>
    /** Sent only when the registry asks for it, and only to the registry. */
    readonly login?: { readonly user: string; readonly password: string }
    /** The hosts of token servers that may get the login as well, with their ports. */
    readonly loginHosts?: readonly string[]
    /** For each request; default: 120,000. */
    readonly timeoutMs?: number
  }
}

const PATIENCE_MS = 120_000
const MOST_REDIRECTS = 3
const MOST_TRIES = 4
const LONGEST_WAIT_S = 10

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

interface Ask {
  readonly body?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly maxBytes?: number
}

/** Opens a repository of a registry. Only its methods send requests. */
export const openRegistry = (
  { origin, repository }: Pick<ContainerReference, 'origin' | 'repository'>,
  options: openRegistry.Options = {},
): ContainerStore => new Repository(origin, repository, options)

class Repository implements ContainerStore {
  readonly #origin: string
  readonly #name: string
  readonly #url: URL
  readonly #options: openRegistry.Options
  #authorization: string | undefined

  constructor(origin: string, name: string, options: openRegistry.Options) {
    this.#origin = origin
    this.#name = name
    this.#url = new URL(`${origin}/v2/${name}/`)
    this.#options = options
  }

  async #send(method: string, url: URL, { body, headers, maxBytes = LARGEST_ARTIFACT }: Ask): Promise<Answer> {
    const { fetch = globalThis.fetch, timeoutMs = PATIENCE_MS } = this.#options
    const late = deadline(timeoutMs, undefined)
    const sent = { ...(headers && { headers }), ...(body && { body: body as Uint8Array<ArrayBuffer> }) }
    try {
      const limits = { signal: late.signal, maxBytes, timeoutMs }
      const response = await fetch(url.href, { method, redirect: 'manual', ...limits, ...anonymous(), ...sent })
      const bytes = await readAtMost(response, maxBytes)
      if (bytes !== undefined) return { status: response.status, headers: response.headers, bytes }
    } catch (error) {
      throw new RegistryError('unreachable', `${url.host}: ${late.isOver() ? 'it takes too long' : reason(error)}`)
    } finally {
      late.end()
    }
    throw new RegistryError('invalid', `${url.host} sends more than ${maxBytes} bytes`)
  }

  /** Sends a request with the login that the registry asks for. Follows redirects of downloads. */
  async #ask(method: string, path: string | URL, given: Ask = {}): Promise<Answer> {
    let url = new URL(path, this.#url)
    let hasLoggedIn = false
    for (let [redirects, waits] = [0, 0]; ; ) {
      const isOwn = url.origin === this.#origin
      const authorization = isOwn ? this.#authorization : undefined
      const headers = { ...given.headers, ...(authorization !== undefined && { authorization }) }
      const answer = await this.#send(method, url, { ...given, headers })
      const { status, bytes } = answer
      const wait = Number(answer.headers.get('retry-after'))
      if (status === 401 && isOwn && !hasLoggedIn) {
        hasLoggedIn = true
        this.#authorization = await this.#authorize(answer.headers.get('www-authenticate') ?? '', method !== 'GET')
      } else if (method === 'GET' && isRedirect(status) && redirects++ < MOST_REDIRECTS)
        url = this.#otherUrl(answer.headers.get('location') ?? '', url)
      else if (status === 429 && wait > 0 && wait <= LONGEST_WAIT_S && ++waits < MOST_TRIES)
        await new Promise((resolve) => setTimeout(resolve, wait * 1000))
      else if ((status >= 200 && status < 300) || (method === 'GET' && status === 404)) return answer
      else {
        const words = valueAt(membersOf(bytes), '/errors/0/message')
        const kind = status === 401 ? 'login' : status >= 500 ? 'unreachable' : 'refused'
        throw new RegistryError(kind, `${this.#url.host} answers ${status}${isText(words) ? `: ${quoted(words)}` : ''}`)
      }
    }
  }

  /** A registry may lead to public hosts only. One on this machine may lead to others here. */
  #otherUrl(text: string, from?: URL): URL {
    const url = URL.canParse(text, from) ? new URL(text, from) : undefined
    const isHere = url !== undefined && isLoopback(this.#url.hostname) && isLoopback(url.hostname)
    const why = url === undefined ? 'not a URL' : url.origin === this.#origin || isHere ? undefined : refuseUrl(url)
    if (url !== undefined && why === undefined) return url
    throw new RegistryError('refused', `${this.#url.host} leads to ${quoted(text)}: ${why}`)
  }

  async #authorize(challenge: string, pushes: boolean): Promise<string> {
    const { login, loginHosts = [] } = this.#options
    const { host } = this.#url
    const basic = login && `Basic ${encodeBase64(new TextEncoder().encode(`${login.user}:${login.password}`))}`
    const bearer = challenge.split(/\bBearer /i)[1]
    if (bearer === undefined && basic !== undefined) return basic
    if (bearer === undefined) throw new RegistryError('login', `${host} needs a login`)
    const [realm = '', service] = ['realm', 'service'].map((name) => new RegExp(`${name}="([^"]*)"`).exec(bearer)?.[1])
    const url = this.#otherUrl(realm)
    if (basic !== undefined && url.origin !== this.#origin && !loginHosts.includes(url.host))
      throw new RegistryError('login', `${host} wants the login to be sent to ${url.host}, which is not allowed`)
    if (service !== undefined) url.searchParams.set('service', service)
    // The challenge could name the scope of another repository.
    url.searchParams.set('scope', `repository:${this.#name}:${pushes ? 'pull,push' : 'pull'}`)
    const { status, bytes } = await this.#send(
      'GET',
      url,
      basic === undefined ? {} : { headers: { authorization: basic } },
    )
    const members = membersOf(bytes)
    const token = member(members, 'token') ?? member(members, 'access_token')
    if (status === 200 && isText(token) && isBearerToken(token)) return `Bearer ${token}`
    throw new RegistryError('login', `${url.host} does not accept the login (${status})`)
  }

  async #download(path: string, given: Ask): Promise<Uint8Array | undefined> {
    const { status, bytes } = await repeatedly(() => this.#ask('GET', path, given))
    return status === 404 ? undefined : bytes
  }

  /** The URL of an upload. A registry behind a proxy may write another scheme than the client used. */
  #uploadUrl({ headers }: Answer): URL {
    const text = headers.get('location') ?? ''
    const url = URL.canParse(text, this.#url.href) ? new URL(text, this.#url) : undefined
    if (url?.host === this.#url.host) return new URL(url.pathname + url.search, this.#origin)
    throw new RegistryError('refused', `${this.#url.host} wants the container at ${quoted(text)}`)
  }

  getManifest(reference: string): Promise<Uint8Array | undefined> {
    return this.#download(`manifests/${reference}`, { headers: { accept: MANIFEST_TYPE } })
  }

  async putManifest(tag: string, body: Uint8Array): Promise<void> {
    await repeatedly(() => this.#ask('PUT', `manifests/${tag}`, { body, headers: { 'content-type': MANIFEST_TYPE } }))
  }

  getBlob({ digest, size }: BlobDescriptor): Promise<Uint8Array | undefined> {
    return this.#download(`blobs/${digest}`, { maxBytes: Math.min(size, MOST_BYTES) })
  }

  async putBlob({ digest }: BlobDescriptor, bytes: Uint8Array): Promise<void> {
    let place: URL | undefined
    await repeatedly(async () => {
      // What the registry has of an upload that was cut. "0-0" means nothing, or one byte.
      const before = place && (await this.#ask('GET', place))
      const last = Number(/^(?:bytes=)?0-(\d{1,12})$/.exec(before?.headers.get('range') ?? '')?.[1] ?? 0)
      const isResumed = before?.status === 204 && last > 0 && last < bytes.length
      place = undefined
      place = this.#uploadUrl(isResumed ? before : await this.#ask('POST', 'blobs/uploads/'))
      const rest = isResumed ? bytes.subarray(last + 1) : bytes
      if (isResumed && rest.length > 0) {
        const headers = { ...BINARY, 'content-range': `${last + 1}-${bytes.length - 1}` }
        place = this.#uploadUrl(await this.#ask('PATCH', place, { body: rest, headers }))
      }
      const end = new URL(place)
      end.searchParams.set('digest', digest)
      await this.#ask('PUT', end, isResumed ? {} : { body: rest, headers: BINARY })
    })
  }
}

const BINARY = { 'content-type': 'application/octet-stream' }

/** Repeats what failed because a connection was cut. */
async function repeatedly<Made>(work: () => Promise<Made>): Promise<Made> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof RegistryError) || error.kind !== 'unreachable') throw error
    }
  }
}

// A container as an OCI artifact: a manifest with one layer (image-spec 1.1, "Guidelines for Artifact Usage").

/** In bytes. Ours have about 800. */
const LARGEST_ARTIFACT = 1 << 16

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
function writeArtifact({ developer, name, version }: Manifest, layer: BlobDescriptor): Uint8Array {
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
function readArtifact(bytes: Uint8Array): BlobDescriptor {
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

// Names of containers in OCI registries (distribution-spec 1.1, "Pulling manifests").

/** A container in a registry, by its version or by the digest of its manifest. */
export interface ContainerReference {
  /** `https://`, or `http://` on this machine, with the host and port. */
  readonly origin: string
  /** `developer/name` in lower case, after the prefix of a registry that has one. */
  readonly repository: string
  readonly version?: string
  readonly digest?: string
}

const LONGEST = 1024
const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const REPOSITORY = new RegExp(`^(?=.{1,255}$)${COMPONENT}(?:/${COMPONENT})*$`)
const PLACE = /^(?:(https?):\/\/)?([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?(?:\/(.+))?$/
const NAMED = /^([^/@]+\/.+?)(?:@(sha256:[\da-f]{64})|[:@]([\w.+-]{1,128}))$/

/**
 * Parses the name of a container. Returns undefined for an invalid one.
 *
 * @example
 * parseReference('registry.example.com/acme/coach:1.0.0') // { origin: 'https://registry.example.com', ... }
 */
export function parseReference(text: string): ContainerReference | undefined {
  const [, name = '', digest, tag] = (text.length <= LONGEST && NAMED.exec(text)) || []
  const place = parsePlace(name)
  if (place === undefined || !place.repository.includes('/')) return undefined
  if (digest !== undefined) return { ...place, digest }
  const version = versionOf(tag!)
  return version === undefined ? undefined : { ...place, version }
}

/** Parses `host[:port][/path]`. Requests to other machines use https, so that nobody reads a login in transit. */
export function parsePlace(text: string): Pick<ContainerReference, 'origin' | 'repository'> | undefined {
  const [, scheme, host, port = '', repository = ''] = (text.length <= LONGEST && PLACE.exec(text)) || []
  if (host === undefined || (repository !== '' && !REPOSITORY.test(repository))) return undefined
  const origin = `${scheme ?? (isLoopback(host) ? 'http' : 'https')}://${host}${port}`
  if (!URL.canParse(origin) || (scheme === 'http' && !isLoopback(host))) return undefined
  return { origin: new URL(origin).origin, repository }
}

/** The repository of an agent; undefined when no registry can have a repository of that name. */
export function repositoryOf({ developer, name }: Pick<Manifest, 'developer' | 'name'>, prefix = '') {
  const repository = `${prefix && `${prefix}/`}${developer}/${name}`.toLowerCase()
  return REPOSITORY.test(repository) ? repository : undefined
}

// Publishes containers in registries, and pulls them.

const LONGEST_TAG = 128

export declare namespace publishContainer {
  interface Options {
    /** Opens the repository of the container; without it, nothing is sent. */
    readonly open?: (repository: string) => ContainerStore
    /** The path in the registry before the developer's name. */
    readonly prefix?: string
    /** Opens the prompts, which are searched for secrets as other files are. */
    readonly secret?: Uint8Array | string
  }

  interface Result {
    readonly fault?: RegistryError
    readonly repository?: string
    readonly tag?: string
    /** The digest of the manifest, by which `pullContainer` gets exactly this container. */
    readonly digest?: string
    /** False when the registry already has this version with the same container. */
    readonly isNew?: boolean
  }
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
  { open, prefix, secret }: publishContainer.Options = {},
): Promise<publishContainer.Result> {
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

export declare namespace pullContainer {
  /** A container that is valid unless its proof failed. */
  interface Result {
    readonly fault?: RegistryError
    readonly bytes?: Uint8Array
    /** Its proof says whether the signer is known. */
    readonly opened?: OpenedContainer
  }
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
): Promise<pullContainer.Result> {
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
