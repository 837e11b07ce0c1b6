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
  return digest === null
    ? pending(202, call, { id, size: 0 })
    : writing(call, key, (hold) => store(call, { key, size: 0, chunks: [], hold }, digest))
}

/** `GET .../blobs/uploads/ID`: how much is there. */
export async function readUpload(call: UploadCall): Promise<Response> {
  const { size } = await uploadOf(call)
  return pending(204, call, { id: call.parts.id, size })
}

/** `PATCH .../blobs/uploads/ID`: adds bytes. */
export async function addChunk(call: UploadCall): Promise<Response> {
  return writing(call, keyOf(call.parts, call.parts.id), async (hold) => {
    const upload = await uploadOf(call)
    const { size, rest } = await receive(call, { ...upload, hold })
    await hold()
    if (rest.length > 0) await call.env.BLOBS.put(chunkKey(upload.key, size), rest)
    return pending(202, call, { id: call.parts.id, size: size + rest.length })
  })
}

/** `PUT .../blobs/uploads/ID?digest=DIGEST`: ends an upload, with or without its last bytes. */
export async function finishUpload(call: UploadCall): Promise<Response> {
  const digest = expectDigest(call.url.searchParams.get('digest') ?? '')
  const key = keyOf(call.parts, call.parts.id)
  return writing(call, key, async (hold) => store(call, { ...(await uploadOf(call)), hold }, digest))
}

/** Does the work as the only writer of an upload. `hold` prolongs this, and throws when another writer took over. */
async function writing(call: RepositoryCall, key: string, work: (hold: Hold) => Promise<Response>): Promise<Response> {
  const { registry } = repositoryOf(call)
  const writer = crypto.randomUUID()
  const hold = async () => opened(await registry.holdUpload(key, writer))
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
  const reader = request.body?.getReader({ mode: 'byob' })
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
  opened(await registry.finishUpload(upload.key, { key, digest, size }))
  // If this is cut, the registry deletes the chunks later.
  if (received.chunks.length > 0) await call.env.BLOBS.delete([...received.chunks])
  const headers = apiHeaders({ location: `${path}/blobs/${digest}`, 'docker-content-digest': digest })
  return new Response(null, { status: 201, headers })
}

/** Writes chunks as one object, which has one chunk in memory at a time. R2 stores nothing that has another digest. */
async function join({ BLOBS }: Env, upload: Upload & { rest: Uint8Array }, size: number, digest: string) {
  const sha256 = digest.slice('sha256:'.length)
  const key = `${upload.key}.${sha256}`
  const stream = new crypto.DigestStream('SHA-256')
  const { readable, writable } = new FixedLengthStream(size)
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
