import { isKnown } from '../http/conditions.ts'
import { apiHeaders } from '../http/headers.ts'

/** Caches keep published documents for five minutes and then revalidate. */
const FRESH = 'public, max-age=300, must-revalidate'
/** An answer that needs a token may be cached by the holder of the token, and by no cache in between. */
const OWN_CACHE = 'private, max-age=300, must-revalidate'

export interface AnswerOptions {
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
