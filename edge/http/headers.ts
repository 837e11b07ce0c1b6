/**
 * Headers that scripts of other origins may read besides the safelisted ones: marks of partial cards, and the place of
 * the rest.
 */
const EXPOSED =
  'allow, blazon-partial, blazon-signature, blazon-standing, content-digest, etag, link, retry-after, signature, signature-input, vary, www-authenticate'

/**
 * The API answers every origin, and no answer depends on the caller: no cookies, no credentials, so `*` is exact. An
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

/** The headers of an API answer: its own, added to the common ones. To copy these takes half of the time of making them anew. */
export function apiHeaders(own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(API_HEADERS)
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return headers
}
