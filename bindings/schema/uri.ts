/** The five parts of a URI reference (RFC 3986 appendix B); every text has them. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

/**
 * Resolves a reference against a base without a fragment (RFC 3986 section 5.2.2); returns the URI and its fragment
 * separately. Does not use the host's `URL`, which deviates from the RFC for some schemes and refuses a URN as base.
 */
export function resolveUri(base: string, reference: string): { uri: string; fragment: string } {
  if (reference.startsWith('#')) return { uri: base, fragment: reference.slice(1) }
  const [, scheme, authority, path, query, fragment = ''] = PARTS.exec(reference) as unknown as string[]
  const under = PARTS.exec(base) as unknown as (string | undefined)[]
  const result =
    scheme !== undefined
      ? recompose(scheme, authority, withoutDots(path!), query)
      : authority !== undefined
        ? recompose(under[1], authority, withoutDots(path!), query)
        : path === ''
          ? recompose(under[1], under[2], under[3]!, query ?? under[4])
          : recompose(under[1], under[2], withoutDots(merge(under, path!)), query)
  return { uri: result, fragment }
}

function recompose(
  scheme: string | undefined,
  authority: string | undefined,
  path: string,
  query: string | undefined,
): string {
  return `${scheme === undefined ? '' : `${scheme}:`}${authority === undefined ? '' : `//${authority}`}${path}${
    query === undefined ? '' : `?${query}`
  }`
}

function merge(under: readonly (string | undefined)[], path: string): string {
  if (path.startsWith('/')) return path
  if (under[2] !== undefined && under[3] === '') return `/${path}`
  return under[3]!.slice(0, under[3]!.lastIndexOf('/') + 1) + path
}

/** RFC 3986 section 5.2.4. */
function withoutDots(path: string): string {
  if (!path.includes('.')) return path
  const kept: string[] = []
  const segments = path.split('/')
  for (const [i, segment] of segments.entries()) {
    if (segment === '..') {
      if (kept.length > 1 || (kept.length === 1 && kept[0] !== '')) kept.pop()
    } else if (segment !== '.') kept.push(segment)
    // A path that ends in dots denotes the folder itself.
    if (i === segments.length - 1 && (segment === '.' || segment === '..')) kept.push('')
  }
  return kept.join('/')
}
