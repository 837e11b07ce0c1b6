import { isKnown } from '../http/conditions.ts'
import { apiHeaders } from '../http/headers.ts'

/** Caches keep published documents for five minutes and then revalidate. */
const FRESH = 'public, max-age=300, must-revalidate'

/** A published representation, or 304 when the client has it. */
export function publishedAnswer(
  request: Request,
  content: BodyInit,
  etag: string,
  type: string,
  own: Readonly<Record<string, string>> = {},
): Response {
  const headers = apiHeaders({ ...own, etag })
  headers.set('cache-control', FRESH)
  if (isKnown(request.headers, etag)) return new Response(null, { status: 304, headers })
  headers.set('content-type', type)
  return new Response(content, { headers })
}
