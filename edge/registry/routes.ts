// Uploads of blobs: in one request, or in chunks that resume where the last one ended. Each chunk is an object in the store of blobs.

import { openContainer } from 'blazon/agentlang'
import { compareVersions, parseVersion } from '../../bindings/agentlang/lock/range.ts'
import { ARTIFACT_TYPE, EMPTY, MANIFEST_TYPE, tagOf, versionOf } from '../../bindings/agentlang/registry/names.ts'
import { toHex } from '../../bindings/text/bytes.ts'
import { elements, isObject, isText, type JsonObject, member, valueAt } from '../../bindings/text/members.ts'
import { type Access, type Call, route } from '../access/route.ts'
import type { DescribedOrRemoved } from '../contracts/directory.ts'
import type { StoredVersion } from '../contracts/registry.ts'
import { cardPath, idOfName } from '../directory/listing.ts'
import { describe } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { apiHeaders, json, madeAnswer, publishedAnswer } from '../http/answer.ts'
import { type BodyRule, objectIn } from '../http/body.ts'
import { PAGE_POLICY } from '../http/html.ts'
import { Problem } from '../http/problem.ts'
import { integer, prefersPage } from '../http/query.ts'
import { unwrapAnswer } from '../http/relay.ts'
import { chunkReader, digestStream, lengthStream } from '../platform/runtime.ts'
import {
  digestOf,
  expectDigest,
  inspectionOf,
  ociProblem,
  type RepositoryCall,
  repositoryOf,
  type ShownInspection,
  type ShownVersion,
  tellOci,
  type Version,
  versionPage,
} from './repository.ts'

/** 32 MiB: a Worker verifies a container as a whole, and has 128 MB of memory. */
const LARGEST_BLOB = 32 << 20
/** A request may read 50 objects on the smallest plan. Clients are asked for 1 MiB each. */
const [MOST_CHUNKS, LEAST_CHUNK] = [40, 1 << 20]

type UploadCall = Call<'developer' | 'name' | 'id'>

/** Bytes are stored in chunks of this size, so that many uploads at once take little memory. */
const CHUNK = 4 << 20

const keyOf = ({ developer, name }: RepositoryCall['parts'], id: string) => `${developer}/${name}/${id}`
/** Keys sort like the places of their chunks. */
const chunkKey = (key: string, size: number) => `${key}/${String(size).padStart(8, '0')}`

/** `POST .../blobs/uploads/`: begins an upload, or with `digest` takes the blob. Nothing is mounted. */
async function startUpload(call: RepositoryCall): Promise<Response> {
  const { url, parts } = call
  const { name, registry } = repositoryOf(call)
  const digest = url.searchParams.get('digest')
  if (digest !== null) expectDigest(digest)
  const id = crypto.randomUUID()
  const key = keyOf(parts, id)
  unwrapAnswer(await registry.startUpload(name, key))
  return digest === null
    ? pending(202, call, { id, size: 0 })
    : writing(call, key, (hold) => store(call, { key, size: 0, chunks: [], hold }, digest))
}

/** `GET .../blobs/uploads/ID`: how much is there. */
async function readUpload(call: UploadCall): Promise<Response> {
  const { size } = await uploadOf(call)
  return pending(204, call, { id: call.parts.id, size })
}

/** `PATCH .../blobs/uploads/ID`: adds bytes. */
async function addChunk(call: UploadCall): Promise<Response> {
  return writing(call, keyOf(call.parts, call.parts.id), async (hold) => {
    const upload = await uploadOf(call)
    const { size, rest } = await receive(call, { ...upload, hold })
    await hold()
    if (rest.length > 0) await call.env.BLOBS.put(chunkKey(upload.key, size), rest)
    return pending(202, call, { id: call.parts.id, size: size + rest.length })
  })
}

/** `PUT .../blobs/uploads/ID?digest=DIGEST`: ends an upload, with or without its last bytes. */
async function finishUpload(call: UploadCall): Promise<Response> {
  const digest = expectDigest(call.url.searchParams.get('digest') ?? '')
  const key = keyOf(call.parts, call.parts.id)
  return writing(call, key, async (hold) => store(call, { ...(await uploadOf(call)), hold }, digest))
}

/** Does the work as the only writer of an upload. `hold` prolongs this, and throws when another writer took over. */
async function writing(call: RepositoryCall, key: string, work: (hold: Hold) => Promise<Response>): Promise<Response> {
  const { registry } = repositoryOf(call)
  const writer = crypto.randomUUID()
  const hold = async () => unwrapAnswer(await registry.holdUpload(key, writer))
  await hold()
  try {
    return await work(hold)
  } finally {
    await registry.releaseUpload(key, writer)
  }
}

type Hold = () => Promise<void>

interface Upload {
  readonly key: string
  readonly size: number
  /** The keys of its objects. */
  readonly chunks: readonly string[]
}

interface HeldUpload extends Upload {
  readonly hold: Hold
}

/** What an upload has, if the body of the request can follow. Content-Range has the form `FIRST-LAST` here. */
async function uploadOf(call: UploadCall): Promise<Upload> {
  const { request, env, parts } = call
  const key = keyOf(parts, parts.id)
  if (!(await repositoryOf(call).registry.hasUpload(key))) throw unknownUpload()
  const { objects } = await env.BLOBS.list({ prefix: `${key}/` })
  const size = objects.reduce((sum, object) => sum + object.size, 0)
  const range = request.headers.get('content-range')
  const length = request.headers.get('content-length')
  const isNext = length === null ? range?.startsWith(`${size}-`) : range === `${size}-${size + Number(length) - 1}`
  if (range !== null && !isNext)
    throw ociProblem('range-not-satisfiable', 'BLOB_UPLOAD_INVALID', `Expected Content-Range: ${size}-LAST.`)
  if (size + Number(length) > LARGEST_BLOB) throw tooLarge()
  return { key, size, chunks: objects.map((object) => object.key) }
}

/** Stores the body of a request as chunks, but returns the last one: it may be the whole blob. */
async function receive(
  { request, env }: RepositoryCall,
  upload: HeldUpload,
): Promise<HeldUpload & { rest: Uint8Array }> {
  const chunks = [...upload.chunks]
  let { size } = upload
  const reader = request.body === null ? undefined : chunkReader(request.body)
  try {
    for (;;) {
      const rest = (await reader?.readAtLeast(CHUNK, new Uint8Array(CHUNK)).catch(cutOff))?.value ?? new Uint8Array()
      if (size + rest.length > LARGEST_BLOB) throw tooLarge()
      if (rest.length > 0 && chunks.length >= MOST_CHUNKS)
        throw ociProblem('bad-request', 'BLOB_UPLOAD_INVALID', `Send at most ${MOST_CHUNKS} chunks.`)
      if (rest.length < CHUNK) return { ...upload, chunks, size, rest }
      chunks.push(chunkKey(upload.key, size))
      await upload.hold()
      await env.BLOBS.put(chunks.at(-1)!, rest)
      size += rest.length
    }
  } finally {
    reader?.releaseLock()
  }
}

/** Makes a blob of an upload and the body of the request. */
async function store(call: RepositoryCall, upload: HeldUpload, digest: string): Promise<Response> {
  const { path, registry } = repositoryOf(call)
  const received = await receive(call, upload)
  const size = received.size + received.rest.length
  const key = await join(call.env, received, size, digest)
  unwrapAnswer(await registry.finishUpload(upload.key, { key, digest, size }))
  // If this is cut, the registry deletes the chunks later.
  if (received.chunks.length > 0) await call.env.BLOBS.delete([...received.chunks])
  const headers = apiHeaders({ location: `${path}/blobs/${digest}`, 'docker-content-digest': digest })
  return new Response(null, { status: 201, headers })
}

/** Writes chunks as one object, which has one chunk in memory at a time. The store refuses content with another digest. */
async function join({ BLOBS }: Env, upload: Upload & { rest: Uint8Array }, size: number, digest: string) {
  const sha256 = digest.slice('sha256:'.length)
  const key = `${upload.key}.${sha256}`
  const stream = digestStream()
  const { readable, writable } = lengthStream(size)
  const [hash, object] = [stream.getWriter(), writable.getWriter()]
  const write = async (bytes: Uint8Array) => void (await Promise.all([hash.write(bytes), object.write(bytes)]))
  const fill = async () => {
    for (const chunk of upload.chunks) {
      // A chunk is missing when another request has just ended the upload.
      const bytes = await (await BLOBS.get(chunk))?.bytes()
      if (bytes === undefined) throw unknownUpload()
      await write(bytes)
    }
    await write(upload.rest)
    await Promise.all([hash.close(), object.close()])
  }
  const stored = BLOBS.put(key, readable, { sha256 }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  await fill().catch((error) => object.abort(error).then(() => Promise.reject(error)))
  const own = `sha256:${toHex(new Uint8Array(await stream.digest))}`
  if (own !== digest) throw ociProblem('bad-request', 'DIGEST_INVALID', `The ${size} bytes have ${own}.`)
  const failed = await stored
  if (failed !== undefined) throw failed.error
  return key
}

const cutOff = () => {
  throw new Problem('bad-request', 'The body ended before it was complete.')
}
const tooLarge = () => ociProblem('body-too-large', 'SIZE_INVALID', `A blob may have at most ${LARGEST_BLOB} bytes.`)
const unknownUpload = () =>
  ociProblem('not-found', 'BLOB_UPLOAD_UNKNOWN', 'There is no such upload. Unfinished ones end after an hour.')

function pending(status: number, call: RepositoryCall, { id, size }: { readonly id: string; readonly size: number }) {
  const headers = apiHeaders({
    location: `${repositoryOf(call).path}/blobs/uploads/${id}`,
    range: `0-${Math.max(0, size - 1)}`,
    'oci-chunk-min-length': String(LEAST_CHUNK),
  })
  return new Response(null, { status, headers })
}

// Versions of agents: a manifest each, with one container. A container is verified before its version counts.

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
async function readManifest(call: ReferenceCall): Promise<Response> {
  const { name, registry } = repositoryOf(call)
  const found = await registry.manifest(name, call.parts.reference)
  if (found === undefined) {
    const isYanked = await registry.isYanked(name, call.parts.reference)
    throw isYanked ? ociProblem('not-found', 'MANIFEST_UNKNOWN', YANKED) : unknownVersion()
  }
  const own = { 'docker-content-digest': found.digest, 'content-length': String(found.bytes.byteLength) }
  return publishedAnswer(call.request, found.bytes, `"${found.digest}"`, MANIFEST_TYPE, { own })
}

/** `GET .../blobs/DIGEST`: a stream, so that readers take no memory. Answers one range; several get the whole blob. */
async function readBlob(call: Call<'developer' | 'name' | 'digest'>): Promise<Response> {
  const { request, env, parts } = call
  const { name, registry } = repositoryOf(call)
  const blob = await registry.blob(name, parts.digest)
  const etag = `"${parts.digest}"`
  const range = blob && rangeIn(request, etag, blob.size)
  const stored = blob && (await env.BLOBS.get(blob.key, range && { range }))
  if (!stored) throw ociProblem('not-found', 'BLOB_UNKNOWN', 'There is no such blob.')
  const { offset, length } = range ?? { offset: 0, length: stored.size }
  const content = stored.body.pipeThrough(lengthStream(length))
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
async function publish(call: ReferenceCall): Promise<Response> {
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
  unwrapAnswer(await registry.publish({ name, tag, digest, manifest, blobs, inspection }))
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
const YANKED = 'This version was yanked: its developer withdrew it, and only its digest is available.'
const unknownVersion = () => ociProblem('not-found', 'MANIFEST_UNKNOWN', 'There is no such version.')

/** `DELETE .../manifests/TAG`: yanks a version. Its digest stays available, and the tag is never used again. */
async function yank(call: ReferenceCall): Promise<Response> {
  const { name, registry } = repositoryOf(call)
  if (!(await registry.yank(name, call.parts.reference))) throw unknownVersion()
  return new Response(null, { status: 202, headers: apiHeaders({}) })
}

/** `GET .../tags/list?n=N&last=TAG`. */
async function listTags(call: RepositoryCall): Promise<Response> {
  const { name, path, registry } = repositoryOf(call)
  const { searchParams: query } = call.url
  const limit = Math.min(integer(query, 'n', 0, 999_999_999) ?? MOST_TAGS, MOST_TAGS)
  const found = await registry.tags(name, query.get('last') ?? '', limit + 1)
  if (found === undefined) throw ociProblem('not-found', 'NAME_UNKNOWN', 'There is no such repository.')
  const tags = found.slice(0, limit)
  const next = limit > 0 && found.length > limit && `${path}/tags/list?n=${limit}&last=${tags.at(-1)}`
  return json({ name: path.slice('/v2/'.length), tags }, 200, next ? { link: `<${next}>; rel="next"` } : {})
}

// What an agent asks for, and its versions: a page for people, JSON for programs.

/** `GET /v2/DEVELOPER/NAME?reference=VERSION`, or a digest. Without it the highest release that is not yanked. */
async function readAgent(call: RepositoryCall): Promise<Response> {
  const { request, url, env } = call
  const { name, path, registry } = repositoryOf(call)
  const versions = highestFirst(await registry.versions(name))
  const chosen = choose(versions, url.searchParams.get('reference'))
  if (chosen === undefined) throw unknownVersion()
  const { tag, digest, isYanked } = chosen
  const repository = path.slice('/v2/'.length)
  const [stored, card] = await Promise.all([registry.inspection(name, digest), cardOf(env, repository)])
  const version: ShownVersion = {
    name: repository,
    ...chosen,
    pull: `${url.host}/${repository}${isYanked ? `@${digest}` : `:${tag}`}`,
    ...(card && { card: url.origin + card }),
    versions,
    ...(stored && (JSON.parse(stored) as ShownInspection)),
  }
  if (!prefersPage(request)) return madeAnswer(request, version, 'application/json', { own: { vary: 'accept' } })
  const own = { vary: 'accept', 'content-security-policy': PAGE_POLICY }
  return madeAnswer(request, versionPage(version), 'text/html; charset=utf-8', { own })
}

function choose(versions: readonly Version[], reference: string | null): Version | undefined {
  if (reference !== null)
    return versions.find(({ tag, digest, isYanked }) => reference === digest || (reference === tag && !isYanked))
  const available = versions.filter(({ isYanked }) => !isYanked)
  return available.find(({ tag }) => parseTag(tag)?.prerelease.length === 0) ?? available[0] ?? versions[0]
}

const parseTag = (tag: string) => parseVersion(versionOf(tag) ?? '')

function highestFirst(stored: readonly StoredVersion[]): readonly Version[] {
  const rows = stored.map(({ isYanked, ...row }) => ({
    row: { ...row, isYanked: isYanked === 1 },
    version: parseTag(row.tag),
  }))
  // A container may have a version that is not one of SemVer.
  const order = (a: (typeof rows)[0], b: (typeof rows)[0]) =>
    a.version && b.version ? compareVersions(b.version, a.version) : Number(!a.version) - Number(!b.version)
  return rows.sort(order).map(({ row }) => row)
}

/** The path of the card with the id `agent://DEVELOPER/NAME`. A directory that does not answer has none. */
async function cardOf(env: Env, repository: string): Promise<string | undefined> {
  const id = idOfName(repository)
  const { status, revoked, removed } = await describe(env, id, {}).catch((): Partial<DescribedOrRemoved> => ({}))
  return status === 'OK' && !revoked && removed === undefined ? cardPath(id) : undefined
}

// An OCI registry for agents (distribution-spec 1.1), without a catalog, mounts and referrers.

const access: Access = { scope: 'push', basic: true, of: ({ parts }) => parts['developer']! }
const ANY: Access = { ...access, of: ({ bearer }) => bearer!.holder }
const BLOB: BodyRule = {
  types: ['application/octet-stream'],
  codings: ['identity'],
  bytes: LARGEST_BLOB,
  isStreamed: true,
}
const MANIFEST: BodyRule = { types: [MANIFEST_TYPE], codings: ['identity'], bytes: 1 << 16 }
const limit = 'QUERIES'

const REPOSITORY = '/v2/{developer}/{name}'
const UPLOAD = {
  GET: { access, answer: readUpload },
  PATCH: { access, body: BLOB, answer: addChunk },
  PUT: { access, body: BLOB, answer: finishUpload },
}
const VERSION = {
  GET: { limit, answer: readManifest },
  PUT: { access, body: MANIFEST, answer: publish },
  DELETE: { access, answer: yank },
} as const
const TAGS = { GET: { limit, query: { n: 'once', last: 'once' }, answer: listTags } } as const

export const ROUTES = [
  // Clients ask this first. After a 401 they send their password with every request.
  route('/v2/', { GET: { access: ANY, query: {}, answer: () => json({}) } }, tellOci),
  route(REPOSITORY, { GET: { limit, query: { reference: 'once' }, answer: readAgent } }, tellOci),
  route(`${REPOSITORY}/blobs/uploads/`, { POST: { access, body: BLOB, answer: startUpload } }, tellOci),
  route(`${REPOSITORY}/blobs/uploads/{id}`, UPLOAD, tellOci),
  route(`${REPOSITORY}/blobs/{digest}`, { GET: { limit, answer: readBlob } }, tellOci),
  route(`${REPOSITORY}/manifests/{reference}`, VERSION, tellOci),
  route(`${REPOSITORY}/tags/list`, TAGS, tellOci),
]
