// allowed_urls: which URLs an agent may reach, checked again for each redirect.

import { isRedirect } from '../../net/deadline.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { requestForUrl } from '../../policy/part.ts'
import { quoted } from '../../text/words.ts'
import type { CallContext } from './model.ts'

const MOST_REDIRECTS = 3
const MOST_LAYERS = 4

/**
 * True if a pattern allows a URL: same scheme, host and port, and a path that begins with the pattern's. `*.` stands
 * for one or more labels.
 *
 * @example
 * urlFits('https://*.googleapis.com', new URL('https://maps.googleapis.com/v1')) // true
 */
export function urlFits(pattern: string, url: URL): boolean {
  const [, scheme, star, rest] = /^(https?:\/\/)(\*\.)?([^*\\?#]+)$/i.exec(pattern) ?? []
  if (rest === undefined || !URL.canParse(scheme! + rest)) return false
  const allowed = new URL(scheme! + rest)
  if (allowed.protocol !== url.protocol || allowed.port !== url.port || url.username + url.password !== '') return false
  const host = url.hostname.replace(/\.$/, '')
  const fitsHost = star === undefined ? host === allowed.hostname : host.endsWith(`.${allowed.hostname}`)
  const folder = allowed.pathname.replace(/\/$/, '')
  const fitsPath = url.pathname === folder || url.pathname.startsWith(`${folder}/`)
  return fitsHost && fitsPath && (folder === '' || staysBelow(url.pathname))
}

/** Servers decode a path once or more, take a backslash for a slash, and drop what follows a semicolon or NUL. */
function staysBelow(path: string): boolean {
  let text = path
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const segments = text.normalize('NFKC').split(/[/\\]/)
    if (segments.some((segment) => /^\s*\.{1,2}\s*(?:$|[;\p{Cc}])/u.test(segment))) return false
    if (!/%[\da-f]{2}/i.test(text)) return true
    try {
      text = decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'))
    } catch {
      // Bytes that are no UTF-8: some servers read dots and slashes in them.
      return false
    }
  }
  return false
}

/** The reason why a URL is refused; undefined if each list allows it. */
function urlFault(text: string, lists: readonly (readonly string[])[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && lists.every((list) => list.some((pattern) => urlFits(pattern, url)))) return undefined
  return `allowed_urls does not allow ${quoted(url?.origin ?? text)}`
}

/** Fetches a URL and follows redirects by hand, so that none leads where the lists and the policy do not allow. */
export async function fetchAllowed(
  fetch: GuardedFetch,
  request: RequestInit & { readonly url: string },
  { allowedUrls, permit }: Pick<CallContext, 'allowedUrls' | 'permit'>,
): Promise<Response> {
  const { url: first, ...init } = request
  let [url, headers] = [first, init.headers]
  for (let hops = 0; ; hops++) {
    const fault = urlFault(url, allowedUrls) ?? (await permit?.(requestForUrl(new URL(url))))
    if (fault !== undefined) throw new Error(fault)
    const response = await fetch(url, { ...init, ...(headers && { headers }), redirect: 'manual' })
    const location = response.headers.get('location')
    if (location === null || !isRedirect(response.status)) return response
    await response.body?.cancel()
    // The body is for the first server only.
    if (init.body != null || !URL.canParse(location, url)) throw new Error('the server redirects, which is refused')
    if (hops === MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects`)
    const next = new URL(location, url)
    // Other origins get no credentials.
    if (next.origin !== new URL(url).origin) headers = { accept: 'application/json' }
    url = next.href
  }
}
