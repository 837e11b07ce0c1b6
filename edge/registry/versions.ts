// Versions of agents: a manifest each, with one container. A container is verified before its version counts.
import { openContainer } from 'blazon/agentlang'
import { ARTIFACT_TYPE, EMPTY, MANIFEST_TYPE, tagOf } from '../../bindings/host/registry/names.ts'
import { elements, isObject, isText, type JsonObject, member, valueAt } from '../../bindings/text/members.ts'
import type { Call } from '../access/route.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { publishedAnswer } from '../http/published.ts'
import { integer } from '../http/query.ts'
import { opened } from '../http/relay.ts'
import { inspectionOf } from './inspection.ts'
import { digestOf, expectDigest, ociProblem, type RepositoryCall, repositoryOf } from './repository.ts'
import { LARGEST_BLOB } from './uploads.ts'

/** The values of each manifest. */
const FIXED = {
  '/schemaVersion': 2,
  '/mediaType': MANIFEST_TYPE,
  '/artifactType': ARTIFACT_TYPE,
  '/config/digest': EMPTY.digest,
  '/config/size': EMPTY.size,
  '/layers/1': undefined,
}
const MOST_TAGS = 1000

type ReferenceCall = Call<'developer' | 'name' | 'reference'>

/** `GET .../manifests/TAG`, or a digest. */
export async function readManifest(call: ReferenceCall): Promise<Response> {
  const { name, registry } = repositoryOf(call)
  const found = await registry.manifest(name, call.parts.reference)
  if (found === undefined) throw unknownVersion()
  const own = { 'docker-content-digest': found.digest, 'content-length': String(found.bytes.byteLength) }
  return publishedAnswer(call.request, found.bytes, `"${found.digest}"`, MANIFEST_TYPE, { own })
}

/** `GET .../blobs/DIGEST`: a stream, so that readers take no memory. Answers one range; several get the whole blob. */
export async function readBlob(call: Call<'developer' | 'name' | 'digest'>): Promise<Response> {
  const { request, env, parts } = call
  const { name, registry } = repositoryOf(call)
  const blob = await registry.blob(name, parts.digest)
  const etag = `"${parts.digest}"`
  const range = blob && rangeIn(request, etag, blob.size)
  const stored = blob && (await env.BLOBS.get(blob.key, range && { range }))
  if (!stored) throw ociProblem('not-found', 'BLOB_UNKNOWN', 'There is no such blob.')
  const { offset, length } = range ?? { offset: 0, length: stored.size }
  const content = stored.body.pipeThrough(new FixedLengthStream(length))
  const own = { 'docker-content-digest': parts.digest, 'content-length': String(length), 'accept-ranges': 'bytes' }
  const whole = publishedAnswer(request, content, etag, 'application/octet-stream', { own })
  if (range === undefined || whole.status !== 200) return whole
  whole.headers.set('content-range', `bytes ${offset}-${offset + length - 1}/${stored.size}`)
  return new Response(whole.body, { status: 206, headers: whole.headers })
}

/** The range that a request asks for; undefined for the whole blob (RFC 9110 sections 14.2 and 13.1.5). */
function rangeIn({ method, headers }: Request, etag: string, size: number) {
  const [, first, last] = /^bytes=(?=.*\d)(\d{0,15})-(\d{0,15})$/i.exec(headers.get('range') ?? '') ?? []
  if (method !== 'GET' || first === undefined || (headers.get('if-range') ?? etag) !== etag) return undefined
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < offset) return undefined
  if (offset < end) return { offset, length: end - offset }
  throw new Problem('range-not-satisfiable', `The blob has ${size} bytes.`, {
    members: { code: 'SIZE_INVALID' },
    headers: { 'content-range': `bytes */${size}` },
  })
}

/** `PUT .../manifests/TAG`, or the digest: publishes a version. The tag is that of the container. */
export async function publish(call: ReferenceCall): Promise<Response> {
  const { env, body: manifest, parts } = call
  const { name, path, registry } = repositoryOf(call)
  const { digest: layer, size } = layerIn(objectIn(manifest))
  const blob = await registry.blob(name, layer)
  const stored = blob && (await env.BLOBS.get(blob.key))
  if (!stored || stored.size !== size)
    throw ociProblem('not-found', 'MANIFEST_BLOB_UNKNOWN', `There is no blob ${layer} of that size.`)
  const read = async () => versionIn(await stored.bytes())
  const { repository, tag, inspection } = await inMemory(parts.developer, stored.size, read)
  const digest = await digestOf(manifest)
  if (repository !== `${parts.developer}/${name}` || ![tag, digest].includes(parts.reference))
    throw invalid(`The container is of ${repository}:${tag}, and the manifest has ${digest}.`)
  const blobs = [layer, EMPTY.digest]
  opened(await registry.publish({ name, tag, digest, manifest, blobs, inspection }))
  const headers = apiHeaders({ location: `${path}/manifests/${digest}`, 'docker-content-digest': digest })
  return new Response(null, { status: 201, headers })
}

/** The containers that are verified here. A cancelled request does not remove its own, so each one ends by itself. */
let held: readonly { readonly developer: string; readonly size: number; readonly until: number }[] = []
/** This Worker has 128 MB. A developer may take half of this, so that none keeps the others out. */
const MOST_HELD = 2 * LARGEST_BLOB
const LONGEST_HELD_MS = 30_000

/** Does the work if there is memory for its bytes. */
async function inMemory<Made>(developer: string, size: number, work: () => Promise<Made>): Promise<Made> {
  held = held.filter(({ until }) => until > Date.now())
  const sum = (containers: typeof held) => containers.reduce((bytes, container) => bytes + container.size, size)
  const isOwnFull = sum(held.filter((container) => container.developer === developer)) > MOST_HELD / 2
  if (isOwnFull || sum(held) > MOST_HELD)
    throw new Problem('too-many-requests', 'Other containers are being verified. Try again in a second.', {
      headers: { 'retry-after': '1' },
    })
  const own = { developer, size, until: Date.now() + LONGEST_HELD_MS }
  held = [...held, own]
  try {
    return await work()
  } finally {
    held = held.filter((container) => container !== own)
  }
}

/** The descriptor of the container. */
function layerIn(manifest: JsonObject) {
  for (const [pointer, value] of Object.entries(FIXED))
    if (valueAt(manifest, pointer) !== value) throw invalid(`Expected ${value} at ${pointer}.`)
  const [layer] = elements({ value: manifest, pointer: '' }, 'layers', isObject)
  const digest = member(layer?.value, 'digest')
  return { digest: expectDigest(isText(digest) ? digest : ''), size: member(layer?.value, 'size') }
}

/** The address of a container and what its agent asks for, if it is valid. */
async function versionIn(bytes: Uint8Array) {
  const container = await openContainer(bytes)
  const { manifest, proof } = container
  if (manifest !== undefined) {
    const { developer, name, version } = manifest
    const repository = `${developer}/${name}`.toLowerCase()
    return { repository, tag: tagOf(version), inspection: inspectionOf(container) }
  }
  const failed = proof.steps.find(({ outcome }) => outcome === 'failed')
  throw invalid(`The container is invalid. ${failed?.title}: ${failed?.detail}`)
}

const invalid = (detail: string) => ociProblem('bad-request', 'MANIFEST_INVALID', detail)
export const unknownVersion = () => ociProblem('not-found', 'MANIFEST_UNKNOWN', 'There is no such version.')

/** `DELETE .../manifests/TAG`: yanks a version. Its digest stays available, and the tag is never used again. */
export async function yank(call: ReferenceCall): Promise<Response> {
  const { name, registry } = repositoryOf(call)
  if (!(await registry.yank(name, call.parts.reference))) throw unknownVersion()
  return new Response(null, { status: 202, headers: apiHeaders({}) })
}

/** `GET .../tags/list?n=N&last=TAG`. */
export async function listTags(call: RepositoryCall): Promise<Response> {
  const { name, path, registry } = repositoryOf(call)
  const { searchParams: query } = call.url
  const limit = Math.min(integer(query, 'n', 0, 999_999_999) ?? MOST_TAGS, MOST_TAGS)
  const found = await registry.tags(name, query.get('last') ?? '', limit + 1)
  if (found === undefined) throw ociProblem('not-found', 'NAME_UNKNOWN', 'There is no such repository.')
  const tags = found.slice(0, limit)
  const next = limit > 0 && found.length > limit && `${path}/tags/list?n=${limit}&last=${tags.at(-1)}`
  return json({ name: path.slice('/v2/'.length), tags }, 200, next ? { link: `<${next}>; rel="next"` } : {})
}
