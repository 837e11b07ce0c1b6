// Uploads of blobs: in one request, or in chunks that resume where the last one ended. Each chunk is an object in R2.
import { toHex } from '../../bindings/text/bytes.ts'
import type { Call } from '../access/route.ts'
import type { Env } from '../env.ts'
import { apiHeaders } from '../http/answer.ts'
import { Problem } from '../http/problem.ts'
import { opened } from '../http/relay.ts'
import { expectDigest, ociProblem, type RepositoryCall, repositoryOf } from './repository.ts'

/** 32 MiB: a Worker verifies a container as a whole, and has 128 MB of memory. */
export const LARGEST_BLOB = 32 << 20
/** A request may read 50 objects on the smallest plan. Clients are asked for 1 MiB each. */
const [MOST_CHUNKS, LEAST_CHUNK] = [40, 1 << 20]

type UploadCall = Call<'developer' | 'name' | 'id'>

/** Bytes are stored in chunks of this size, so that many uploads at once take little memory. */
const CHUNK = 4 << 20

const keyOf = ({ developer, name }: RepositoryCall['parts'], id: string) => `${developer}/${name}/${id}`
/** Keys sort like the places of their chunks. */
const chunkKey = (key: string, size: number) => `${key}/${String(size).padStart(8, '0')}`

/** `POST .../blobs/uploads/`: begins an upload, or with `digest` takes the blob. Nothing is mounted. */
export async function startUpload(call: RepositoryCall): Promise<Response> {
  const { url, parts } = call
  const { name, registry } = repositoryOf(call)
  const digest = url.searchParams.get('digest')
  if (digest !== null) expectDigest(digest)
  const id = crypto.randomUUID()
  const key = keyOf(parts, id)
  opened(await registry.startUpload(name, key))
  return digest === null ? pending(202, call, { id, size: 0 }) : store(call, { key, size: 0, chunks: [] }, digest)
}

/** `GET .../blobs/uploads/ID`: how much is there. */
export async function readUpload(call: UploadCall): Promise<Response> {
  const { size } = await uploadOf(call)
  return pending(204, call, { id: call.parts.id, size })
}

/** `PATCH .../blobs/uploads/ID`: adds bytes. */
export async function addChunk(call: UploadCall): Promise<Response> {
  const upload = await uploadOf(call)
  const { size, rest } = await receive(call, upload)
  if (rest.length > 0) await call.env.BLOBS.put(chunkKey(upload.key, size), rest)
  return pending(202, call, { id: call.parts.id, size: size + rest.length })
}

/** `PUT .../blobs/uploads/ID?digest=DIGEST`: ends an upload, with or without its last bytes. */
export async function finishUpload(call: UploadCall): Promise<Response> {
  const digest = expectDigest(call.url.searchParams.get('digest') ?? '')
  return store(call, await uploadOf(call), digest)
}

interface Upload {
  readonly key: string
  readonly size: number
  /** The keys of its objects. */
  readonly chunks: readonly string[]
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
async function receive({ request, env }: RepositoryCall, upload: Upload): Promise<Upload & { rest: Uint8Array }> {
  const chunks = [...upload.chunks]
  let { size } = upload
  const reader = request.body?.getReader({ mode: 'byob' })
  try {
    for (;;) {
      const rest = (await reader?.readAtLeast(CHUNK, new Uint8Array(CHUNK)).catch(cutOff))?.value ?? new Uint8Array()
      if (size + rest.length > LARGEST_BLOB) throw tooLarge()
      if (rest.length > 0 && chunks.length >= MOST_CHUNKS)
        throw ociProblem('bad-request', 'BLOB_UPLOAD_INVALID', `Send at most ${MOST_CHUNKS} chunks.`)
      if (rest.length < CHUNK) return { ...upload, chunks, size, rest }
      chunks.push(chunkKey(upload.key, size))
      await env.BLOBS.put(chunks.at(-1)!, rest)
      size += rest.length
    }
  } finally {
    reader?.releaseLock()
  }
}

/** Makes a blob of an upload and the body of the request. */
async function store(call: RepositoryCall, upload: Upload, digest: string): Promise<Response> {
  const { path, registry } = repositoryOf(call)
  const received = await receive(call, upload)
  const { key, chunks } = received
  const size = received.size + received.rest.length
  const own = await join(call.env, received, size)
  if (own !== digest) throw ociProblem('bad-request', 'DIGEST_INVALID', `The ${size} bytes have ${own}.`)
  // If this is cut, the upload is empty again, and no chunk is left over.
  if (chunks.length > 0) await call.env.BLOBS.delete([...chunks])
  opened(await registry.finishUpload(key, digest, size))
  const headers = apiHeaders({ location: `${path}/blobs/${digest}`, 'docker-content-digest': digest })
  return new Response(null, { status: 201, headers })
}

/** Writes chunks as one object, which has one chunk in memory at a time. Returns its digest. */
async function join({ BLOBS }: Env, { key, chunks, rest }: Upload & { rest: Uint8Array }, size: number) {
  const digest = new crypto.DigestStream('SHA-256')
  const { readable, writable } = new FixedLengthStream(size)
  const [hash, object] = [digest.getWriter(), writable.getWriter()]
  const write = async (bytes: Uint8Array) => void (await Promise.all([hash.write(bytes), object.write(bytes)]))
  const fill = async () => {
    for (const chunk of chunks) {
      // A chunk is missing when another request has just ended the upload.
      const bytes = await (await BLOBS.get(chunk))?.bytes()
      if (bytes === undefined) throw unknownUpload()
      await write(bytes)
    }
    await write(rest)
    await Promise.all([hash.close(), object.close()])
  }
  const failed = (error: unknown) => object.abort(error).then(() => Promise.reject(error))
  await Promise.all([fill().catch(failed), BLOBS.put(key, readable)])
  return `sha256:${toHex(new Uint8Array(await digest.digest))}`
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
