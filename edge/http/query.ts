// Reads the parameters of requests. An unknown or invalid one is refused.
import { encodeBase64url } from 'blazon/keys'
import { sha256 } from './answer.ts'
import { Problem } from './problem.ts'

/** How often each parameter may occur in a query. */
export type Parameters = Readonly<Record<string, 'once' | 'often'>>

/** The parameters of a list that is read in pages. */
export const PAGED = { after: 'once', limit: 'once' } as const

/** Refuses a query with an unknown or repeated parameter: a misspelt option must not be silently ignored. */
export function refuseOtherParameters(query: URLSearchParams, known: Parameters): void {
  const seen = new Set<string>()
  for (const name of query.keys()) {
    const times = Object.hasOwn(known, name) ? known[name] : undefined
    if (times === undefined) {
      const names = Object.keys(known).join(', ')
      throw badParameter(name, `Unknown parameter ${JSON.stringify(name)}. Known: ${names}.`)
    }
    if (times === 'once' && seen.has(name)) throw badParameter(name, `The parameter ${name} is given more than once.`)
    seen.add(name)
  }
}

/** A problem with one parameter, which the answer names. */
export function badParameter(parameter: string, detail: string): Problem {
  return new Problem('bad-request', detail, { members: { parameter } })
}

export function wrongParameter(name: string, expected: string, got: string): Problem {
  return badParameter(name, `The parameter ${name}: expected ${expected}, got ${got}.`)
}

/** The value of a parameter with a fixed set of values; undefined when it is absent. */
export function choice<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = values.find((candidate) => candidate === text)
  if (value !== undefined) return value
  throw wrongParameter(name, `one of ${values.join(', ')}`, text)
}

/** The value of an integer parameter; undefined when it is absent. */
export function integer(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw wrongParameter(name, `an integer from ${least} to ${most}`, text)
}

// Page tokens: the place where a list continues, after a part of its digest, so that a damaged token is recognized.

/** One in 2^48 damaged tokens goes undetected. */
const CHECK_BYTES = 6
const CHECK_LETTERS = 8

/** The lists that have pages. Their tokens are not interchangeable. */
type List = 'agents' | 'search'

/** The token that continues a list at a place. */
export async function pageToken(list: List, place: string): Promise<string> {
  const digest = await sha256(new TextEncoder().encode(`${list} ${place}`))
  return encodeBase64url(digest.subarray(0, CHECK_BYTES)) + place
}

/** The place in a token; undefined for a token that was not issued here. */
export async function placeOf(list: List, token: string): Promise<string | undefined> {
  const place = token.slice(CHECK_LETTERS)
  return (await pageToken(list, place)) === token ? place : undefined
}

/** A part of a list: at most `limit` rows with a higher number than `after`. */
export interface Page {
  readonly after: number
  readonly limit: number
}

/** The page that a query asks for: at most `most` rows. */
export function pageIn(query: URLSearchParams, most: number): Page {
  const after = integer(query, 'after', 0, 999_999_999) ?? 0
  return { after, limit: integer(query, 'limit', 1, most) ?? most }
}

/** The weight that a client gives to `type` (RFC 9110 section 12.5.1), if Accept names it exactly; -1 otherwise. */
function weight(request: Request, type: string): number {
  for (const range of (request.headers.get('accept') ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2))
  }
  return -1
}

/** True when a client prefers JSON on a route whose default is plain text. */
export function prefersJson(request: Request): boolean {
  return weight(request, 'application/json') > Math.max(0, weight(request, 'text/plain'))
}

/** True when Accept names a type, and prefers it to JSON or ranks both equally. */
export function wants(request: Request, type: string): boolean {
  const wanted = weight(request, type)
  return wanted > 0 && wanted >= weight(request, 'application/json')
}

/** True when a client prefers a page on a route whose default is the document: browsers name HTML. */
export function prefersPage(request: Request): boolean {
  const others = ['application/adl+json', 'application/json'].map((type) => weight(request, type))
  return weight(request, 'text/html') > Math.max(0, ...others)
}

/** True when a client accepts a type: by name, or by a wildcard unless `named` is set (RFC 9110 section 12.5.1). */
export function takes(request: Request, type: string, { named = false } = {}): boolean {
  const ranges = named ? [type] : [type, `${type.split('/')[0]}/*`, '*/*']
  const said = ranges.map((range) => weight(request, range)).find((found) => found !== -1)
  return said === undefined ? !named && (request.headers.get('accept') ?? '').trim() === '' : said > 0
}
