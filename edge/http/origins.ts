// The public addresses of this deployment are a setting. The `Host` of a request is only compared with it, and never
// appears in an answer, a link or a signed card.
import { isLoopback } from '../../bindings/net/guard.ts'

interface Setting {
  readonly PUBLIC_ORIGIN?: string
}

interface Read {
  readonly setting: string
  readonly origins: readonly string[]
  /** The origin of each host. */
  readonly hosts: ReadonlyMap<string, string>
}

let known: Read | undefined

/** The origins of the setting `PUBLIC_ORIGIN`; the first is the one that is published. */
export const publicOrigins = (env: Setting): readonly string[] => read(env).origins

function read({ PUBLIC_ORIGIN: setting = '' }: Setting): Read {
  if (known?.setting === setting) return known
  const origins = setting.split(/[\s,]+/).flatMap(readOrigin)
  // If two origins have the same host, the first one counts.
  const hosts = new Map(origins.toReversed().map((origin) => [new URL(origin).host, origin]))
  known = { setting, origins, hosts }
  return known
}

function readOrigin(text: string): readonly string[] {
  if (text === '') return []
  const url = parseUrl(text)
  const isOrigin = url !== undefined && url.href === `${url.origin}/`
  if (isOrigin && (url.protocol === 'https:' || isLocal(url.hostname))) return [url.origin]
  console.error(`PUBLIC_ORIGIN: expected https://HOST, or http:// and a name of this machine, got ${text}`)
  return []
}

export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Decodes once: `%252F` is `%2F`. Returns undefined for an incomplete escape or invalid UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The public address of a request to one of the deployment's own hosts. Undoes the scheme change of a proxy that
 * terminates TLS.
 */
export function ownUrl(url: URL, env: Setting): URL | undefined {
  const origin = read(env).hosts.get(url.host)
  return origin === undefined ? undefined : atOrigin(url, origin)
}

export function atOrigin(url: URL, origin: string): URL {
  return origin === url.origin ? url : new URL(origin + url.pathname + url.search)
}

/** True for a name of this machine. */
export function isLocal(hostname: string): boolean {
  return isLoopback(hostname) || hostname.endsWith('.localhost')
}

/** The did:web of a host (did:web section 3.1): a port belongs to the host, with its colon percent-encoded. */
export function didOf(url: URL): string {
  return `did:web:${url.host.replace(':', '%3A')}`
}

// Finds the single route of a path. Literal segments take precedence over variable parts. Paths that differ in one
// character, even in its encoding, are different paths.

interface Row {
  readonly path: string
}

/** Cloudflare does not forward longer addresses. */
const MOST_CHARACTERS = 16_384
const MOST_SEGMENTS = 8

/** Finds the route of a path. Throws when two routes match the same paths. */
export function routerOf<Route extends Row>(routes: readonly Route[]) {
  const rows = routes.map((route) => ({ route, pattern: route.path.split('/') }))
  // `{` sorts after the first characters of all our literal segments.
  rows.sort((a, b) => (shapeOf(a.route) < shapeOf(b.route) ? -1 : 1))
  for (const [i, { route }] of rows.entries()) {
    const next = rows[i + 1]?.route
    if (next !== undefined && shapeOf(route) === shapeOf(next))
      throw new Error(`${route.path} and ${next.path} are one`)
  }
  const literals = new Map(routes.filter(({ path }) => !path.includes('{')).map((route) => [route.path, route]))
  return (path: string) => {
    const literal = literals.get(path)
    if (literal !== undefined) return { route: literal, parts: {} as Record<string, string> }
    if (path.length > MOST_CHARACTERS) return undefined
    const segments = path.split('/', MOST_SEGMENTS + 1)
    for (const { route, pattern } of rows) {
      const parts = match(pattern, segments)
      if (parts !== undefined) return { route, parts }
    }
    return undefined
  }
}

function shapeOf({ path }: Row): string {
  return path.replace(/\{\w+\}/g, '{}')
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const parts: Record<string, string> = {}
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i]!
    if (!expected.startsWith('{')) {
      if (expected !== segment) return undefined
      continue
    }
    const part = decode(segment)
    if (part === undefined || part === '') return undefined
    parts[expected.slice(1, -1)] = part
  }
  return parts
}
