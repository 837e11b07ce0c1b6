// Registries of agents, and publishing to them.
import { posix, resolve } from 'node:path'
import type { Manifest } from '../../bindings/agentlang/container/archive.ts'
import { buildContainer } from '../../bindings/agentlang/container/build.ts'
import { type OpenedContainer, openContainer } from '../../bindings/agentlang/container/seal.ts'
import { isBelow } from '../../bindings/agentlang/container/verify.ts'
import { parseVersion } from '../../bindings/agentlang/lock/range.ts'
import {
  type ContainerStore,
  openRegistry,
  parsePlace,
  parseReference,
  publishContainer,
  pullContainer,
  RegistryError,
  repositoryOf,
  sha256Of,
} from '../../bindings/agentlang/registry/client.ts'
import { DIGEST, MANIFEST_TYPE, versionOf } from '../../bindings/agentlang/registry/names.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { diagnoseNowhere } from '../../bindings/document/diagnose.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import type { Key } from '../../bindings/keys/key.ts'
import type { GuardedInit } from '../../bindings/net/fetch.ts'
import { isLoopback } from '../../bindings/net/guard.ts'
import { elements, isObject, type JsonObject, valueAt } from '../../bindings/text/members.ts'
import {
  compact,
  EXIT,
  type Outcome,
  type Result,
  type Tools,
  Unreadable,
  UsageError,
  type Values,
} from '../command.ts'
import { FETCH_DIRECTORY, PUBLISH_REFUSED, REGISTRY_LOGIN } from '../findings.ts'
import { expected, readKey, secretBytes, signedWith } from '../keys.ts'
import { saveOver } from '../save.ts'
import { epochOf, loadAgent, readIndex } from './folder.ts'
import { type LOGIN, LOGIN_VARIABLE, readAgentSecret } from './options.ts'

/** Returns what opens repositories at an origin, with the login of the user. */
async function registryAt(origin: string, options: Values<typeof LOGIN>, tools: Tools) {
  const { host } = tools
  const source = options.login ?? (host.env[LOGIN_VARIABLE] ? `env:${LOGIN_VARIABLE}` : undefined)
  const text = source && new TextDecoder().decode(await secretBytes('login', source, tools)).trim()
  const [, user, password] = /^([^:]+):(.+)$/.exec(text ?? '') ?? []
  if (text !== undefined && user === undefined)
    throw new UsageError('invalid-value', `--login: ${source} is not USER:PASSWORD`, 'separate the two with a colon')
  const login = user !== undefined && password !== undefined ? { user, password } : undefined
  // The user named this server. Others are the choice of the server, and must be public.
  const isNamed = (url: string) => new URL(url).origin === origin || isLoopback(new URL(url).hostname)
  const fetch = (url: string, init: GuardedInit) => (isNamed(url) ? host.send(url, init) : host.fetch(url, init))
  const asked = { fetch, loginHosts: options['login-host'], ...compact({ login }) }
  return (repository: string) => openRegistry({ origin, repository }, asked)
}

const LOG_IN = `give USER:PASSWORD by ${LOGIN_VARIABLE} or --login, and a token server that you trust by --login-host`

/** Why a container was not pulled, or not published when `refused` is that finding. */
function faultDiagnostic(file: string, { kind, message }: RegistryError, refused = FETCH_DIRECTORY): Diagnostic {
  const [rule, fix] =
    kind === 'login'
      ? [REGISTRY_LOGIN, { hint: LOG_IN }]
      : [['unreachable', 'missing', 'invalid'].includes(kind) ? FETCH_DIRECTORY : refused]
  return diagnoseNowhere(rule, { detail: message, fix }, file)
}

type PublishOptions = Values<typeof LOGIN> & {
  readonly [Name in 'key' | 'secret' | 'index']: string | undefined
} & { readonly 'dry-run': boolean }

/** Publishes containers, and agents in folders as their lockfiles have them. */
export async function publishAgents(
  registry: string,
  [names, options]: readonly [readonly string[], PublishOptions],
  tools: Tools,
): Promise<Outcome> {
  const layout = layoutOf(registry)
  const place = layout === undefined ? parsePlace(registry) : { origin: registry, repository: '' }
  if (place === undefined)
    throw new UsageError(
      'invalid-value',
      `--registry: expected a host or oci:FOLDER, got "${registry}"`,
      'as in registry.example.com',
    )
  const { secret } = await readAgentSecret(options.secret, tools)
  const opened = { prefix: place.repository, ...compact({ secret }) }
  const openAt = layout === undefined ? await registryAt(place.origin, options, tools) : () => openLayout(layout, tools)
  const open = options['dry-run'] ? undefined : openAt
  const results: Result[] = []
  for (const name of names) {
    const [file, bytes, faults] = await containerOf(name, { ...options, secret }, tools)
    const { fault, ...sent } = bytes ? await publishContainer(bytes, { ...opened, ...compact({ open }) }) : {}
    const diagnostics = fault === undefined ? faults : [faultDiagnostic(file, fault, PUBLISH_REFUSED)]
    results.push({ file, kind: 'container', valid: bytes !== undefined && fault === undefined, diagnostics, ...sent })
    const at = layout === undefined ? `${new URL(place.origin).host}/${sent.repository}` : registry
    if ('digest' in sent) tools.print(`${at}:${sent.tag}@${sent.digest}\n`)
  }
  const old = results.filter(({ isNew }) => isNew === false).length
  const published = results.filter(({ valid }) => valid).length - old
  const verb = options['dry-run'] ? 'would be sent' : 'published'
  const there = old === 0 ? '' : `; ${old} ${old === 1 ? 'is' : 'are'} there already`
  return { results, notes: [`${published} of ${names.length} ${verb} at ${place.origin}${there}`] }
}

async function containerOf(
  name: string,
  { key, secret, index }: Pick<PublishOptions, 'key' | 'secret' | 'index'>,
  tools: Tools,
): Promise<readonly [string, Uint8Array | undefined, Result['diagnostics']]> {
  const isFolder = (await tools.host.list(resolve(tools.host.cwd, name))) !== undefined
  if (!isFolder) return [name, (await tools.reader.bytes(name)).bytes, []]
  if (key === undefined)
    throw new UsageError('missing-option', `publish needs --key to build ${name}`, 'or publish a container')
  const { file, loaded } = await loadAgent([name], tools)
  const asked = { key: await readKey(key, tools), index: await readIndex({ index, folder: name }, tools), secret }
  const built = await signedWith(
    buildContainer(loaded, { frozen: true, ...epochOf(tools.host), ...compact(asked), key: asked.key }),
  )
  return [file, built.bytes, built.diagnostics]
}

// An OCI layout folder (image-spec 1.1, "Image Layout") with the versions of an agent, as skopeo reads and writes it.

const TAG = 'org.opencontainers.image.ref.name'
const OWN = ['blobs', 'oci-layout']

/** The folder of `oci:FOLDER`. */
const layoutOf = (text: string): string | undefined => /^oci:(.+)$/s.exec(text)?.[1]

/** Parses `oci:FOLDER:VERSION` and `oci:FOLDER@DIGEST`. */
function parseLayout(text: string) {
  const [, folder, digest, tag] = /^oci:(.+?)(?:@(sha256:[\da-f]{64})|:([\w.+-]{1,128}))$/s.exec(text) ?? []
  if (folder === undefined) return undefined
  if (digest !== undefined) return { folder, digest }
  const version = versionOf(tag!)
  return version === undefined ? undefined : { folder, version }
}

/** Opens a folder, which the first version creates. */
function openLayout(folder: string, { host, reader }: Tools): ContainerStore {
  const pathOf = (digest: string) => `blobs/${digest.replace(':', '/')}`
  async function read(path: string): Promise<Uint8Array | undefined> {
    const file = posix.join(folder, path)
    return host.stamp(resolve(host.cwd, file)) === undefined ? undefined : (await reader.bytes(file)).bytes
  }
  async function write(path: string, bytes: Uint8Array): Promise<void> {
    const failed = await saveOver(host, posix.join(folder, path), bytes, { makeFolder: true })
    if (failed !== undefined) throw new RegistryError('refused', failed)
  }
  async function readIndex(): Promise<JsonObject> {
    const bytes = await read('index.json')
    const index = bytes ? membersOf(bytes) : { schemaVersion: 2, manifests: [] }
    if (!Array.isArray(valueAt(index, '/manifests')))
      throw new RegistryError('invalid', `${folder}/index.json is not the index of an OCI layout`)
    // What is left of a cut run may be there.
    const entries = (bytes ? undefined : await host.list(resolve(host.cwd, folder))) ?? []
    if (entries.some(({ name }) => !OWN.includes(name)))
      throw new RegistryError('refused', `${folder} has other files, and is not an OCI layout`)
    return index as JsonObject
  }
  const manifestsIn = (index: JsonObject) => elements({ value: index, pointer: '' }, 'manifests', isObject)
  return {
    async getManifest(reference) {
      const entries = manifestsIn(await readIndex()).map(({ value }) => value)
      const entry = entries.find((one) => valueAt(one, '/digest') === reference || tagOf(one) === reference)
      const digest = DIGEST.test(reference) ? reference : valueAt(entry, '/digest')
      if (!entry || typeof digest !== 'string' || !DIGEST.test(digest)) return undefined
      const bytes = await read(pathOf(digest))
      if (bytes === undefined || (await sha256Of(bytes)) === digest) return bytes
      throw new RegistryError('invalid', `the manifest ${digest} has other bytes`)
    },
    async putManifest(tag, bytes) {
      const index = await readIndex()
      const digest = await sha256Of(bytes)
      const entry = { mediaType: MANIFEST_TYPE, digest, size: bytes.length, annotations: { [TAG]: tag } }
      const manifests = [...manifestsIn(index).map(({ value }) => value), entry]
      await write(pathOf(digest), bytes)
      await write('oci-layout', new TextEncoder().encode('{"imageLayoutVersion":"1.0.0"}'))
      await write('index.json', canonicalizeValue({ ...index, manifests }))
    },
    getBlob: ({ digest }) => read(pathOf(digest)),
    putBlob: ({ digest }, bytes) => write(pathOf(digest), bytes),
  }
}

const tagOf = (entry: object) => valueAt(entry, `/annotations/${TAG}`)

// Containers by the names that registries and OCI layout folders have for them.

export interface PullOptions extends Values<typeof LOGIN> {
  readonly keys: readonly Key[]
  readonly secret?: string | undefined
  readonly accept: readonly string[]
}

export interface PulledAgent {
  readonly bytes: Uint8Array
  readonly opened: OpenedContainer
  /** Remembers the version, so that nobody leads this user back. Returns the reason if that failed. */
  remember(): Promise<string | undefined>
}

/** Pulls the container of a REF. It is verified, also against the versions that this user has seen. */
export async function pullAgent(name: string, options: PullOptions, tools: Tools): Promise<PulledAgent> {
  const { keys, secret, accept } = options
  const layout = parseLayout(name)
  const reference = parseReference(name)
  if (layout === undefined && reference === undefined)
    throw new UsageError('wrong-arguments', `${name} is not a REF`, 'as in registry.example.com/acme/coach:1.0.0')
  const store = layout
    ? openLayout(layout.folder, tools)
    : (await registryAt(reference!.origin, options, tools))(reference!.repository)
  const asked = { file: name, ...expected(keys), ...compact({ secret }) }
  const { fault, bytes, opened } = await pullContainer(layout ?? reference!, store, asked)
  if (fault !== undefined)
    throw new Unreadable(
      { file: name, kind: 'container', diagnostics: [faultDiagnostic(name, fault)] },
      EXIT.unreadable,
    )
  const { manifest } = opened!
  const memory = manifest && (await seenFile(manifest, tools))
  const seen = await readSeen(memory, tools)
  const isRefused = manifest && seen !== undefined && isBelow(manifest.version, seen) && !accept.includes('downgrade')
  return {
    bytes: bytes!,
    opened: isRefused ? await openContainer(bytes!, { ...asked, seen: [`${manifest.name}@${seen}`] }) : opened!,
    remember: async () => memory && remember(manifest!.version, memory, seen, tools),
  }
}

/** As for Docker, the host of a REF has a dot or a port, or is localhost. All else is a path, also `./a.b/c/d:1.0.0`. */
export function isRef(name: string): boolean {
  if (parseLayout(name) !== undefined) return true
  const host = name.slice(0, name.indexOf('/'))
  const isHost = host === 'localhost' || (/[.:]/.test(host) && host !== '.' && host !== '..')
  return isHost && parseReference(name) !== undefined
}

// The highest version of an agent that this user has pulled from a signer: ~/.blazon/seen/DEVELOPER/NAME/SIGNER.

/** Undefined without a home folder: then nothing is remembered. */
async function seenFile(manifest: Manifest, { host: { env } }: Tools): Promise<string | undefined> {
  const home = env['HOME'] ?? env['USERPROFILE']
  const signer = (await sha256Of(new TextEncoder().encode(manifest.signer.public_key))).replace(':', '-')
  return home && posix.join(home, '.blazon/seen', repositoryOf(manifest)!, signer)
}

/** The version that was seen, if it is valid. */
async function readSeen(file: string | undefined, { host, reader }: Tools): Promise<string | undefined> {
  if (file === undefined || host.stamp(resolve(host.cwd, file)) === undefined) return undefined
  const version = new TextDecoder().decode((await reader.bytes(file)).bytes).trim()
  return parseVersion(version) && version
}

/** Remembers a version if it is the highest one. Returns the reason if that failed. */
async function remember(version: string, file: string, seen: string | undefined, { host }: Tools) {
  if (seen !== undefined && !isBelow(seen, version)) return undefined
  return saveOver(host, file, new TextEncoder().encode(`${version}\n`), { makeFolder: true })
}

const TRUST_SIGNER = 'the signer is not known: give its key with --key, or --accept signer'

/** The result for a container, and the refusal of one with a step that neither passed nor is accepted by its name. */
export function judgeContainer(file: string, proof: Proof, accepted: readonly string[]) {
  const diagnostics = proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
  const result = { file, kind: 'container', valid: proof.verdict === 'verified', diagnostics, proof }
  const refused = proof.steps.filter(
    ({ name, outcome }) => outcome === 'failed' || (outcome === 'unknown' && !accepted.includes(name)),
  )
  if (refused.length === 0) return { result }
  const isUnknown = refused.every(({ name, outcome }) => name === 'signer' && outcome === 'unknown')
  const notes = ['nothing was written or started', ...(isUnknown ? [TRUST_SIGNER] : [])]
  return { result, refusal: { results: [result], exit: EXIT.unverified, notes } }
}
