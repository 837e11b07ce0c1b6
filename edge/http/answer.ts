import { encodeBase64 } from 'blazon/keys'

/**
 * Headers that scripts of other origins may read in addition to the safelisted ones: marks of partial cards, and the
 * links to their other parts.
 */
const EXPOSED =
  'allow, blazon-linkage, blazon-partial, blazon-signature, blazon-standing, content-digest, etag, link, retry-after, signature, signature-input, vary, www-authenticate'

/**
 * The API answers every origin, and no answer depends on cookies or other browser credentials, so `*` is exact. An
 * answer is data: a browser that shows it anyway may not load, run or frame anything.
 */
const API_HEADERS = new Headers({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

/**
 * The headers of an API answer: the common ones plus its own. Copying the common ones takes half the time of making
 * them.
 */
export function apiHeaders(own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(API_HEADERS)
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return headers
}

/** An answer in JSON. */
export function json(body: unknown, status = 200, own: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { status, headers: apiHeaders(own) })
}

export function noContent(): Response {
  return new Response(null, { status: 204, headers: apiHeaders({}) })
}

// Answers with an ETag: published bytes, and documents that are made for the answer.

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

export async function sha256(content: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', content as BufferSource))
}

/** Content-Digest (RFC 9530 section 2) and a strong ETag for the bytes of an answer. */
export async function digestHeaders(
  content: Uint8Array | ArrayBuffer,
): Promise<{ 'content-digest': string; etag: string }> {
  const digest = encodeBase64(await sha256(content))
  return { 'content-digest': `sha-256=:${digest}:`, etag: `"${digest}"` }
}

/** A strong ETag of bytes. */
export async function etagOf(content: Uint8Array | ArrayBuffer): Promise<string> {
  return (await digestHeaders(content)).etag
}

/** True when the client already has the representation: If-None-Match compares weakly (RFC 9110 section 13.1.2). */
function isKnown(headers: Headers, etag: string): boolean {
  const none = headers.get('if-none-match')
  if (none === null) return false
  return none.trim() === '*' || none.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/**
 * A body of texts that are made while they are sent. It aborts if one fails: an incomplete answer must not look complete.
 * The first is awaited, so that a failure at the start is answered with a problem.
 */
export async function streamOf(texts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  let next = await texts.next()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      if (next.done === true) return controller.close()
      controller.enqueue(encoder.encode(next.value))
      next = await texts.next()
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}
