// Selects the endpoints of a card that a caller can use (section 3.5), and gives a reason for each one skipped.
import { elements, isObject, isText, type JsonObject, member, valueIn } from '../text/members.ts'
import { oneOf, quoted, shown } from '../text/words.ts'
import { type AgentCard, type Card, rootOf } from './subject.ts'

/** The protocols of table 4, and the URI schemes of each. */
export const PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  aitp: ['agent'],
  'http+json': ['https', 'http'],
  grpc: ['grpc', 'grpcs', 'https'],
  ws: ['wss', 'ws'],
}

/** True when a URI has one of these schemes, ignoring case. */
export function hasScheme(uri: string, schemes: readonly string[]): boolean {
  return schemes.some((scheme) => uri.slice(0, scheme.length + 3).toLowerCase() === `${scheme}://`)
}

export declare namespace selectEndpoint {
  interface Result {
    /** Best first: the order in which to try them. */
    readonly endpoints: readonly SelectedEndpoint[]
    /** In the order of the card. */
    readonly skipped: readonly SkippedEndpoint[]
  }

  interface Options {
    /** The method to invoke. Default: any. */
    readonly method?: string
    /** The protocols that the caller speaks, best first. Default: the four of table 4, all equal. */
    readonly protocols?: readonly string[]
    /**
     * The caller's ways to authenticate: `bearer`, `mutual_tls`, `aitp_signed`. `none` is always accepted. Default: any.
     */
    readonly auth?: readonly string[]
  }
}

/** An endpoint that the caller can use. */
export interface SelectedEndpoint {
  /** Its JSON pointer in the card. */
  readonly pointer: string
  readonly protocol: string
  readonly uri: string
  /** Undefined when the card does not say. */
  readonly auth: string | undefined
  /** 0 when the card does not say. */
  readonly priority: number
  /** Why the endpoint fits, and why it has its rank. */
  readonly reasons: readonly string[]
}

export interface SkippedEndpoint {
  readonly pointer: string
  readonly cause: 'malformed' | 'protocol' | 'uri' | 'method' | 'auth'
  readonly reason: string
}

/**
 * Returns the endpoints of a card that a caller can use, best first: by priority, then by the order of `protocols`,
 * then in the order of the card. Protocols that the caller does not speak are ignored, as section 3.5 requires.
 *
 * @example
 * const { endpoints } = selectEndpoint(card, { method: 'translate', protocols: ['http+json'], auth: ['bearer'] })
 * endpoints[0] // { uri: 'https://api.example.com/translate/v1', auth: 'bearer', priority: 10, reasons: [...], ... }
 *
 * @throws {TypeError} for wrong arguments; never for the content of a card.
 */
export function selectEndpoint(card: Card | AgentCard, wish: selectEndpoint.Options = {}): selectEndpoint.Result {
  checkWish(wish)
  const root = rootOf(card)
  const tools = Array.isArray(valueIn(root, 'tools'))
    ? new Set(elements(root, 'tools', isObject).map(({ value }) => member(value, 'name')))
    : undefined
  const rank = ({ protocol }: SelectedEndpoint) => (wish.protocols ?? []).indexOf(protocol)
  const endpoints: SelectedEndpoint[] = []
  const skipped: SkippedEndpoint[] = []
  for (const { pointer, value } of elements(root, 'endpoints', (_): _ is unknown => true)) {
    const judged = isObject(value)
      ? judge(value, wish, tools)
      : skip('malformed', `expected an object, found ${shown(value)}`)
    if ('cause' in judged) skipped.push({ pointer, ...judged })
    else endpoints.push({ pointer, ...judged })
  }
  // Sorting is stable: equal endpoints keep the order of the card.
  endpoints.sort((a, b) => a.priority - b.priority || rank(a) - rank(b))
  return { endpoints, skipped }
}

type EndpointVerdict = Omit<SelectedEndpoint, 'pointer'> | Omit<SkippedEndpoint, 'pointer'>

const skip = (cause: SkippedEndpoint['cause'], reason: string) => ({ cause, reason })

function judge(
  endpoint: JsonObject,
  wish: selectEndpoint.Options,
  tools: ReadonlySet<unknown> | undefined,
): EndpointVerdict {
  const protocol = member(endpoint, 'protocol')
  const uri = member(endpoint, 'uri')
  const auth = member(endpoint, 'auth')
  if (!isText(protocol) || protocol === '')
    return skip('malformed', `expected the name of a protocol, found ${shown(protocol)}`)
  if (!isText(uri) || uri === '') return skip('malformed', `expected a URI, found ${shown(uri)}`)
  if (auth !== undefined && !isText(auth)) return skip('malformed', `auth: expected a string, found ${shown(auth)}`)
  const spoken = wish.protocols ?? Object.keys(PROTOCOLS)
  if (!spoken.includes(protocol)) {
    return skip(
      'protocol',
      `the protocol ${quoted(protocol)} is not one of ${spoken.map(quoted).join(', ') || 'those spoken'}`,
    )
  }
  const schemes = Object.hasOwn(PROTOCOLS, protocol) ? PROTOCOLS[protocol]! : []
  if (schemes.length > 0 && !hasScheme(uri, schemes)) {
    return skip(
      'uri',
      `expected a URI with ${oneOf(schemes.map((scheme) => `${scheme}://`))} for ${protocol}, found ${quoted(uri)}`,
    )
  }
  const reach = reachOf(member(endpoint, 'methods'), wish.method, tools)
  if ('cause' in reach) return reach
  if (wish.auth !== undefined && auth !== undefined && auth !== 'none' && !wish.auth.includes(auth)) {
    return skip('auth', `it asks for the authentication ${quoted(auth)}`)
  }
  const stated = member(endpoint, 'priority')
  const priority = Number.isSafeInteger(stated) ? (stated as number) : 0
  const rank = stated === undefined ? 'priority 0, for it states none' : `priority ${priority}`
  const said = priority === stated || stated === undefined ? rank : `${rank}, for ${shown(stated)} is not an integer`
  const reasons = [
    said,
    reach.reason,
    auth === undefined ? 'does not say how to authenticate' : `authentication: ${auth}`,
  ]
  return { protocol, uri, auth, priority, reasons }
}

/** Checks that the endpoint serves the method, or at least one method if none is given. */
function reachOf(methods: unknown, method: string | undefined, tools: ReadonlySet<unknown> | undefined) {
  if (methods === undefined) {
    if (method === undefined || tools === undefined)
      return { reason: 'lists no methods: all tools are assumed reachable' }
    if (tools.has(method)) return { reason: `lists no methods, and ${quoted(method)} is a tool: assumed reachable` }
    return skip('method', `it lists no methods, so reaches the tools, and ${quoted(method)} is not a tool`)
  }
  if (!Array.isArray(methods)) return skip('malformed', `methods: expected an array, found ${shown(methods)}`)
  if (method === undefined) {
    return methods.some(isText)
      ? { reason: 'lists the methods that it reaches' }
      : skip('method', 'it reaches no method')
  }
  if (methods.includes(method)) return { reason: `lists the method ${quoted(method)}` }
  return skip('method', `it does not list the method ${quoted(method)}`)
}

function checkWish({ method, protocols, auth }: selectEndpoint.Options): void {
  if (method !== undefined && !isText(method)) throw new TypeError(`method: expected a string, got ${typeof method}`)
  for (const [name, list] of Object.entries({ protocols, auth })) {
    if (list === undefined || (Array.isArray(list) && list.every(isText))) continue
    throw new TypeError(`${name}: expected an array of strings`)
  }
}
