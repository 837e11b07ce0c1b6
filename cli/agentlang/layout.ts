// An OCI layout folder (image-spec 1.1, "Image Layout") with the versions of an agent, as skopeo reads and writes it.
import { posix, resolve } from 'node:path'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import { type ContainerStore, RegistryError, sha256Of } from '../../bindings/host/registry/client.ts'
import { DIGEST, MANIFEST_TYPE, versionOf } from '../../bindings/host/registry/names.ts'
import { elements, isObject, type JsonObject, valueAt } from '../../bindings/text/members.ts'
import type { Tools } from '../command.ts'
import { saveOver } from '../save.ts'

const TAG = 'org.opencontainers.image.ref.name'
const OWN = ['blobs', 'oci-layout']

/** The folder of `oci:FOLDER`. */
export const layoutOf = (text: string): string | undefined => /^oci:(.+)$/s.exec(text)?.[1]

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
