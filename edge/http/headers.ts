/** What scripts of other origins may read besides what every browser shows them: marks of parts, and where the rest is. */
const EXPOSED =
  'allow, blazon-partial, blazon-signature, blazon-standing, content-digest, etag, link, retry-after, vary, www-authenticate'

/**
 * The API answers every origin, and no answer depends on who asks: no cookies, no credentials, so `*` is exact.
 * An answer is data. If a browser shows it all the same, it may load, run and be framed by nothing.
 */
const API_HEADERS: readonly [string, string][] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED],
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'cross-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
]

/** Headers of an answer of the API, with its own added to what all have. */
export function apiHeaders(own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(own)
  for (const [name, value] of API_HEADERS) headers.set(name, value)
  return headers
}
