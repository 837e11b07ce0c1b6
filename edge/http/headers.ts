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
const API_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The headers of an API answer: its own, in lower case, added to the common ones. */
export const apiHeaders = (own: Readonly<Record<string, string>>): Headers => new Headers({ ...own, ...API_HEADERS })
