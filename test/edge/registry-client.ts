// A small client of the registry for tests. It checks each answer against openapi.json.
import { createHash } from 'node:crypto'
import { sealContainer } from '../../bindings/agentlang/container/seal.ts'
import { generateKey, type PrivateKey } from '../../bindings/keys/index.ts'
import type { Runtime } from '../support/runtime.ts'
import { checkContract } from './contract.ts'
import { tokenOf } from './tokens.ts'

export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json'
const ARTIFACT_TYPE = 'application/vnd.agentlang.agent.v1'
/** image-spec, Guidance for an Empty Descriptor. */
export const EMPTY = {
  mediaType: 'application/vnd.oci.empty.v1+json',
  digest: 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  size: 2,
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

let key: Promise<PrivateKey> | undefined

/** A signed container, whose size `context` sets. */
export async function containerOf(version: string, own: Readonly<Record<string, string>> = {}): Promise<Uint8Array> {
  const { name = 'coach', developer = 'acme', context = 'x' } = own
  key ??= generateKey('Ed25519')
  const agent = `name: ${name}\nversion: ${version}\ndeveloper: ${developer}\n`
  const files = new Map(
    Object.entries({ 'agent.yaml': agent, 'context/x.md': context }).map(([p, t]) => [p, bytesOf(t)]),
  )
  return sealContainer({ name, version, developer, files, key: await key })
}

export const manifestOf = (container: Uint8Array, change: object = {}): Uint8Array<ArrayBuffer> =>
  bytesOf(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST_TYPE,
      artifactType: ARTIFACT_TYPE,
      config: EMPTY,
      layers: [{ mediaType: ARTIFACT_TYPE, digest: digestOf(container), size: container.length }],
      ...change,
    }),
  )

export interface RegistryRequest {
  readonly body?: Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
  /** The developer of the token; null sends none. */
  readonly holder?: string | null
  readonly scope?: string
}

export function registryClient(runtime: () => Pick<Runtime, 'origin'>) {
  async function ask(method: string, path: string, given: RegistryRequest = {}) {
    const { origin } = runtime()
    const { body, headers = {}, holder = 'acme', scope = 'push' } = given
    const token = holder === null ? {} : { authorization: `Bearer ${tokenOf(origin, { scope, holder })}` }
    const address = new URL(path, origin).href
    const response = await fetch(address, {
      method,
      headers: { connection: 'close', ...token, ...headers },
      ...(body !== undefined && { body: body as string }),
    })
    const bytes = new Uint8Array(await response.clone().arrayBuffer())
    await checkContract(method, address, response)
    const isJson = /[/+]json$/.test(response.headers.get('content-type') ?? '')
    const value = isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : {}
    return { status: response.status, headers: response.headers, bytes, value, code: value.errors?.[0].code }
  }
  const put = (path: string, body: Uint8Array, given: RegistryRequest = {}) =>
    ask('PUT', path, { ...given, body, headers: { 'content-type': MANIFEST_TYPE, ...given.headers } })
  const push = (repository: string, blob: Uint8Array, given: RegistryRequest = {}) =>
    ask('POST', `/v2/${repository}/blobs/uploads/?digest=${digestOf(blob)}`, { ...given, body: blob })
  /** Pushes a whole version. */
  async function publish(repository: string, tag: string, container: Uint8Array, given: RegistryRequest = {}) {
    await push(repository, bytesOf('{}'), given)
    await push(repository, container, given)
    return put(`/v2/${repository}/manifests/${tag}`, manifestOf(container), given)
  }
  const begin = async (repository: string, given?: RegistryRequest) => {
    const { status, headers } = await ask('POST', `/v2/${repository}/blobs/uploads/`, given)
    return { status, place: headers.get('location')! }
  }
  return { ask, put, push, publish, begin }
}
