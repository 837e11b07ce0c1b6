// Answers with an ETag: published bytes, and documents that are made for the answer.
import { encodeBase64 } from 'blazon/keys'
import { apiHeaders } from './answer.ts'

/** Caches keep published documents for five minutes and then revalidate. */
const FRESH = 'public, max-age=300, must-revalidate'
/** An answer that needs a token may be cached by the holder of the token, and by no cache in between. */
const OWN_CACHE = 'private, max-age=300, must-revalidate'

interface AnswerOptions {
  readonly own?: Readonly<Record<string, string>>
  readonly isPrivate?: boolean
}

/** A published representation, or 304 when the client has it already. */
export function publishedAnswer(
  request: Request,
  content: BodyInit,
  etag: string,
  type: string,
  { own = {}, isPrivate = false }: AnswerOptions = {},
): Response {
  const headers = apiHeaders({ ...own, etag })
  headers.set('cache-control', isPrivate ? OWN_CACHE : FRESH)
  if (isPrivate) headers.append('vary', 'authorization')
  if (isKnown(request.headers, etag)) return new Response(null, { status: 304, headers })
  headers.set('content-type', type)
  return new Response(content, { headers })
}

/** A document made for the answer: bytes, a text, or a value for JSON. */
export async function madeAnswer(
  request: Request,
  content: unknown,
  type: string,
  options: AnswerOptions = {},
): Promise<Response> {
  const bytes =
    content instanceof Uint8Array
      ? new Uint8Array(content)
      : new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))
  return publishedAnswer(request, bytes, await etagOf(bytes), type, options)
}

export async function sha256(content: BufferSource): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', content))
}

/** Content-Digest (RFC 9530 section 2) and a strong ETag for the bytes of an answer. */
export async function digestHeaders(content: BufferSource): Promise<{ 'content-digest': string; etag: string }> {
  const digest = encodeBase64(await sha256(content))
  return { 'content-digest': `sha-256=:${digest}:`, etag: `"${digest}"` }
}

/** A strong ETag of bytes. */
export async function etagOf(content: BufferSource): Promise<string> {
  return (await digestHeaders(content)).etag
}

/** True when the client already has the representation: If-None-Match compares weakly (RFC 9110 section 13.1.2). */
function isKnown(headers: Headers, etag: string): boolean {
  const none = headers.get('if-none-match')
  if (none === null) return false
  return none.trim() === '*' || none.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
