// The components that a message signature covers (RFC 9421 section 2), and the bytes to sign.
import { type InnerList, type Item, readDictionary, trimSpace, writeItem, writeMember } from './structured.ts'

/** A request; or, with `status`, a response, whose `request` is the one that it answers. */
export interface HttpMessage {
  /** Requests only. */
  readonly method?: string
  /** Requests only: the whole URL. */
  readonly url?: string
  /** Responses only. */
  readonly status?: number
  readonly headers: HeaderSource
  /** Responses only: the request from which components with `req` are taken. */
  readonly request?: Omit<HttpMessage, 'status' | 'request'>
}

/** Returns the value of a header by its lower-case name; several lines are joined by a comma and a space. */
export interface HeaderSource {
  get(name: string): string | null
}

/** The name of a header or a derived component. With `;req` it is taken from the request of a response. */
export type Component = string

/** The length limit for covered headers, which are read before the sender is known. */
const MOST_CHARACTERS = 8192
const NAME = /^(?:@[a-z-]+|[a-z0-9!#$%&'*+.^_`|~-]+)$/

/** The signature base (section 2.5), or the reason why there is no valid one. */
export function signatureBase(
  message: HttpMessage,
  covered: InnerList,
): { base: Uint8Array<ArrayBuffer> } | { fault: string } {
  const seen = new Set<string>()
  const lines: string[] = []
  for (const component of covered.items) {
    const identifier = writeItem(component)
    if (seen.has(identifier)) return { fault: `${identifier} is covered twice` }
    seen.add(identifier)
    const value = textOf(message, component)
    // A line break in a value would forge another line of the signed text.
    if (value === undefined || /[\r\n]/.test(value))
      return { fault: `${identifier} is missing, has a line break or more than ${MOST_CHARACTERS} characters` }
    lines.push(`${identifier}: ${value}`)
  }
  lines.push(`"@signature-params": ${writeMember(covered)}`)
  return { base: new TextEncoder().encode(lines.join('\n')) }
}

function textOf(message: HttpMessage, { value: name, parameters }: Item): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name) || name === '@signature-params') return undefined
  const { req, key, ...others } = Object.fromEntries(parameters)
  if (Object.keys(others).length > 0 || (req !== undefined && req !== true)) return undefined
  const of = req === true ? message.request : message
  if (of === undefined) return undefined
  if (name.startsWith('@')) return key === undefined ? derived(of, name) : undefined
  const value = of.headers.get(name)
  if (value === null || value.length > MOST_CHARACTERS) return undefined
  const text = unfolded(value)
  return key === undefined ? text : memberOf(text, key)
}

/** Begins with a line break: a pattern that begins with white space would be tried at each space of a long run. */
const FOLD = /\r?\n(?=[ \t])/
/** Strips white space at both ends and replaces each folded line break with one space (section 2.1). */
const unfolded = (value: string) => value.split(FOLD).map(trimSpace).join(' ')

function memberOf(text: string, key: unknown): string | undefined {
  const member = typeof key === 'string' ? readDictionary(text)?.get(key) : undefined
  return member && writeMember(member)
}

/** Derived components (section 2.2). Does not support single query parameters; `@query` covers the query as a whole. */
function derived({ method, url, status }: HttpMessage, name: string): string | undefined {
  if (name === '@status') return status === undefined ? undefined : String(status)
  if (status !== undefined || method === undefined || url === undefined) return undefined
  if (name === '@method') return method
  const address = new URL(url)
  switch (name) {
    case '@target-uri':
      address.hash = ''
      return address.href
    case '@authority':
      return address.host
    case '@scheme':
      return address.protocol.slice(0, -1)
    case '@request-target':
      return address.pathname + address.search
    case '@path':
      return address.pathname
    case '@query':
      return address.search === '' ? '?' : address.search
    default:
      return undefined
  }
}
