// Registries of agents, and publishing to them.
import { posix, resolve } from 'node:path'
import { buildContainer } from '../../bindings/agentlang/container/build.ts'
import {
  type ContainerStore,
  openRegistry,
  parsePlace,
  publishContainer,
  RegistryError,
  sha256Of,
} from '../../bindings/agentlang/registry/client.ts'
import { DIGEST, MANIFEST_TYPE, versionOf } from '../../bindings/agentlang/registry/names.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { diagnoseNowhere } from '../../bindings/document/diagnose.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { GuardedInit } from '../../bindings/net/fetch.ts'
import { isLoopback } from '../../bindings/net/guard.ts'
import { elements, isObject, type JsonObject, valueAt } from '../../bindings/text/members.ts'
import type { Tools, Values } from '../command.ts'
import { FETCH_DIRECTORY, PUBLISH_REFUSED, REGISTRY_LOGIN } from '../findings.ts'
import { readKey, secretBytes, signedWith } from '../keys.ts'
import type { Outcome, Result } from '../outcome.ts'
import { saveOver } from '../save.ts'
import { given, UsageError } from '../usage.ts'
import { epochOf, loadAgent, readIndex } from './folder.ts'
import { type LOGIN, LOGIN_VARIABLE, readAgentSecret } from './options.ts'

/** Returns what opens repositories at an origin, with the login of the user. */
export async function registryAt(origin: string, options: Values<typeof LOGIN>, tools: Tools) {
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
  const asked = { fetch, loginHosts: options['login-host'], ...given({ login }) }
  return (repository: string) => openRegistry({ origin, repository }, asked)
}

const LOG_IN = `give USER:PASSWORD by ${LOGIN_VARIABLE} or --login, and a token server that you trust by --login-host`

/** Why a container was not pulled, or not published when `refused` is that finding. */
export function faultDiagnostic(file: string, { kind, message }: RegistryError, refused = FETCH_DIRECTORY): Diagnostic {
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
  const opened = { prefix: place.repository, ...given({ secret }) }
  const openAt = layout === undefined ? await registryAt(place.origin, options, tools) : () => openLayout(layout, tools)
  const open = options['dry-run'] ? undefined : openAt
  const results: Result[] = []
  for (const name of names) {
    const [file, bytes, faults] = await containerOf(name, { ...options, secret }, tools)
    const { fault, ...sent } = bytes ? await publishContainer(bytes, { ...opened, ...given({ open }) }) : {}
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
    buildContainer(loaded, { frozen: true, ...epochOf(tools.host), ...given(asked), key: asked.key }),
  )
  return [file, built.bytes, built.diagnostics]
}

// An OCI layout folder (image-spec 1.1, "Image Layout") with the versions of an agent, as skopeo reads and writes it.

const TAG = 'org.opencontainers.image.ref.name'
const OWN = ['blobs', 'oci-layout']

/** The folder of `oci:FOLDER`. */
const layoutOf = (text: string): string | undefined => /^oci:(.+)$/s.exec(text)?.[1]

/** Parses `oci:FOLDER:VERSION` and `oci:FOLDER@DIGEST`. */
export function parseLayout(text: string) {
  const [, folder, digest, tag] = /^oci:(.+?)(?:@(sha256:[\da-f]{64})|:([\w.+-]{1,128}))$/s.exec(text) ?? []
  if (folder === undefined) return undefined
  if (digest !== undefined) return { folder, digest }
  const version = versionOf(tag!)
  return version === undefined ? undefined : { folder, version }
}

/** Opens a folder, which the first version creates. */
export function openLayout(folder: string, { host, reader }: Tools): ContainerStore {
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
