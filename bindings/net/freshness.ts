// How long an HTTP response may be used without another request (RFC 9111).

/** One day: a longer lifetime from the server is cut to this. */
const LONGEST_FRESH_MS = 86_400_000

/**
 * The milliseconds for which a response may be used without another request (RFC 9111 section 4.2.1), without
 * heuristics.
 */
export function freshFor(headers: Headers, silent = 0): number {
  const control = (headers.get('cache-control') ?? '').toLowerCase()
  if (/\bno-store\b/.test(control)) return NEVER_KEPT
  // A response with `Vary: *` never matches another request (RFC 9111 section 4.1).
  if (/\bno-cache\b/.test(control) || headers.get('vary')?.includes('*')) return 0
  const maxAge = /\bmax-age="?(\d{1,10})/.exec(control)?.[1]
  const age = Number(/^\d{1,10}$/.exec(headers.get('age') ?? '')?.[0] ?? 0)
  if (maxAge !== undefined) return clamp((Number(maxAge) - age) * 1000)
  if (control === '' && !headers.has('expires')) return clamp(silent)
  const expires = Date.parse(headers.get('expires') ?? '')
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(expires) || Number.isNaN(date) ? 0 : clamp(expires - date - age * 1000)
}

/**
 * The same for a redirect: without explicit freshness, only a permanent redirect may be reused (RFC 9110 section 15.4).
 */
export function freshAsRedirect({ status, headers }: Response): number {
  const isPermanent = status === 301 || status === 308
  const isSilent = !headers.has('cache-control') && !headers.has('expires') && !headers.has('vary')
  return isPermanent && isSilent ? LONGEST_FRESH_MS : freshFor(headers)
}

/** For `no-store`: expires before any time, so it is never stored. */
const NEVER_KEPT = Number.NEGATIVE_INFINITY

const clamp = (ms: number) => Math.min(Math.max(ms, 0), LONGEST_FRESH_MS)
