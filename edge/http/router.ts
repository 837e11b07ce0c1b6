// Finds the single route of a path. Literal segments take precedence over variable parts. Paths that differ in one
// character, even in its encoding, are different paths.
import { decode } from './origins.ts'

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
