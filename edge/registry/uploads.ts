// Uploads of blobs: in one request, or in chunks that resume where the last one ended. Each chunk is an object in R2.
import { joinBytes } from '../../bindings/text/bytes.ts'
import type { Call } from '../access/route.ts'
import { apiHeaders } from '../http/answer.ts'
import { opened } from '../http/relay.ts'
import { digestOf, expectDigest, ociProblem, type RepositoryCall, repositoryOf } from './repository.ts'

/** 32 MiB: a Worker reads a container as a whole, and has 128 MB of memory. */
export const LARGEST_BLOB = 32 << 20
/** A request may read 50 objects on the smallest plan. Clients are asked for 1 MiB each. */
const [MOST_CHUNKS, LEAST_CHUNK] = [40, 1 << 20]

type UploadCall = Call<'developer' | 'name' | 'id'>

const keyOf = ({ developer, name }: RepositoryCall['parts'], id: string) => `${developer}/${name}/${id}`

/** `POST .../blobs/uploads/`: begins an upload, or with `digest` takes the blob. Nothing is mounted. */
export async function startUpload(call: RepositoryCall): Promise<Response> {
  const { url, parts, body } = call
  const { name, registry } = repositoryOf(call)
  const digest = url.searchParams.get('digest')
  if (digest !== null) expectDigest(digest)
  const id = crypto.randomUUID()
  opened(await registry.startUpload(name, keyOf(parts, id)))
  return digest === null ? pending(202, call, { id, size: 0 }) : store(call, keyOf(parts, id), { digest, bytes: body })
}

/** `GET .../blobs/uploads/ID`: how much is there. */
export async function readUpload(call: UploadCall): Promise<Response> {
  const { size } = await chunksOf(call)
  return pending(204, call, { id: call.parts.id, size })
}

/** `PATCH .../blobs/uploads/ID`: adds a chunk. */
export async function addChunk(call: UploadCall): Promise<Response> {
  const { env, parts, body } = call
  const { key, chunks, size } = await chunksOf(call)
  if (chunks.length >= MOST_CHUNKS)
    throw ociProblem('bad-request', 'BLOB_UPLOAD_INVALID', `Send at most ${MOST_CHUNKS} chunks.`)
  // Keys sort like the places of their chunks.
  if (body.length > 0) await env.BLOBS.put(`${key}/${String(size).padStart(8, '0')}`, body)
  return pending(202, call, { id: parts.id, size: size + body.length })
}

/** `PUT .../blobs/uploads/ID?digest=DIGEST`: ends an upload, with or without the last chunk. */
export async function finishUpload(call: UploadCall): Promise<Response> {
  const { env, url, body } = call
  const digest = expectDigest(url.searchParams.get('digest') ?? '')
  const { key, chunks } = await chunksOf(call)
  const parts: Uint8Array[] = []
  // A chunk is missing when another request has just ended the upload. Then the digest differs.
  for (const chunk of chunks) parts.push((await (await env.BLOBS.get(chunk))?.bytes()) ?? new Uint8Array())
  return store(call, key, { digest, bytes: joinBytes([...parts, body]), chunks })
}

type NewBlob = { readonly digest: string; readonly bytes: Uint8Array; readonly chunks?: string[] }

async function store(call: RepositoryCall, key: string, { digest, bytes, chunks = [] }: NewBlob): Promise<Response> {
  const { path, registry } = repositoryOf(call)
  const own = await digestOf(bytes)
  if (own !== digest) throw ociProblem('bad-request', 'DIGEST_INVALID', `The ${bytes.length} bytes have ${own}.`)
  await call.env.BLOBS.put(key, bytes)
  // If this is cut, the upload is empty again, and no chunk is left over.
  if (chunks.length > 0) await call.env.BLOBS.delete(chunks)
  opened(await registry.finishUpload(key, digest, bytes.length))
  const headers = apiHeaders({ location: `${path}/blobs/${digest}`, 'docker-content-digest': digest })
  return new Response(null, { status: 201, headers })
}

/** What an upload has, if the body of the request can follow. Content-Range has the form `FIRST-LAST` here. */
async function chunksOf(call: UploadCall) {
  const { request, env, parts, body } = call
  const key = keyOf(parts, parts.id)
  if (!(await repositoryOf(call).registry.hasUpload(key))) throw unknownUpload()
  const { objects } = await env.BLOBS.list({ prefix: `${key}/` })
  const size = objects.reduce((sum, object) => sum + object.size, 0)
  const range = request.headers.get('content-range')
  const end = size + body.length
  if (range !== null && range !== `${size}-${end - 1}`)
    throw ociProblem('range-not-satisfiable', 'BLOB_UPLOAD_INVALID', `Expected Content-Range: ${size}-LAST.`)
  if (end > LARGEST_BLOB)
    throw ociProblem('body-too-large', 'SIZE_INVALID', `A blob may have at most ${LARGEST_BLOB} bytes.`)
  return { key, size, chunks: objects.map((object) => object.key) }
}

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
