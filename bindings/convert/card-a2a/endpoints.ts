// Converts the endpoints of a card into A2A interfaces, and back.
import { type SelectedEndpoint, selectEndpoint } from '../../card/endpoints.ts'
import type { AgentCard } from '../../card/subject.ts'
import type { PlacedObject } from '../../text/members.ts'
import { CONVERT_AUTHENTICATION } from '../findings.ts'
import { type Job, textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import {
  firstScheme,
  type Interface,
  interfacesOf,
  openScheme,
  type Scheme,
  speaking,
  type Version,
} from '../sides/a2a.ts'

/** The authentication schemes in the terms of A2A: undefined without an equivalent, null without authentication. */
const SCHEMES: Readonly<Record<string, Scheme | null>> = {
  none: null,
  bearer: { name: 'bearer', kind: 'httpAuthSecurityScheme', value: { scheme: 'Bearer' }, scopes: [] },
  mutual_tls: { name: 'mtls', kind: 'mtlsSecurityScheme', value: { description: 'Mutual TLS' }, scopes: [] },
}

/** An endpoint that A2A can express. */
export interface Reachable {
  readonly pointer: string
  readonly url: string
  readonly binding: string
  readonly auth: string | undefined
  readonly scheme: Scheme | null
}

/** The endpoint as an A2A interface: http+json or grpc, with an authentication that A2A has. */
function reach({ pointer, protocol, uri, auth }: SelectedEndpoint): Reachable | undefined {
  const asked = auth ?? 'none'
  const scheme = Object.hasOwn(SCHEMES, asked) ? SCHEMES[asked] : undefined
  if (scheme === undefined) return undefined
  const isHttp = /^https?:\/\/\S+$/.test(uri)
  if (protocol === 'http+json' && isHttp) return { pointer, url: uri, binding: 'HTTP+JSON', auth, scheme }
  if (protocol !== 'grpc') return undefined
  // A2A has host and port instead of a grpc:// URI.
  const [, authority] = /^grpcs?:\/\/([^\s/?#@]+)\/?$/.exec(uri) ?? []
  const url = authority ?? (isHttp ? uri : undefined)
  return url === undefined ? undefined : { pointer, url, binding: 'GRPC', auth, scheme }
}

/**
 * The endpoints that an A2A card can name, beginning with the one that callers choose first (Agent Card 3.5). An A2A
 * card has one authentication for all of them. Endpoints with another one are left out, so that no client sends its
 * token to an endpoint that does not require it.
 */
export function reachable(card: PlacedObject): readonly Reachable[] {
  const all = selectEndpoint(card.value as AgentCard).endpoints.flatMap((endpoint) => reach(endpoint) ?? [])
  return all.filter(({ scheme }) => scheme === all[0]!.scheme)
}

interface Said {
  /** The extension blazon.a2a: members of the A2A card that this card was made from, or written by its author. */
  readonly kept: PlacedObject | undefined
  /** The option binding, with which the caller says that A2A is spoken at the endpoints of that protocol. */
  readonly binding: string | undefined
}

/** The A2A interfaces at the endpoints, in their order. An endpoint alone does not say that A2A is spoken there. */
export function interfacesOfEndpoints(
  endpoints: readonly Reachable[],
  { kept, binding }: Said,
  version: Version,
): readonly Interface[] {
  const known = kept === undefined ? [] : speaking(interfacesOf(kept.value), version)
  const found = endpoints.flatMap(({ url, binding: protocol }) => {
    const fits = (name: string) => protocolOf(name) === protocolOf(protocol)
    const own = known.filter((entry) => entry.url === url && fits(entry.binding))
    return own.length > 0 || binding === undefined || !fits(binding) ? own : [{ url, binding }]
  })
  return [...new Map(found.map((entry) => [`${entry.binding} ${entry.version ?? ''} ${entry.url}`, entry])).values()]
}

const protocolOf = (binding: string) => (binding === 'GRPC' ? 'grpc' : 'http+json')

/** The endpoints of a card made from an A2A card; each URL once. */
export function endpointsOfInterfaces({ root }: Job, auth: string | undefined): MutableObject[] {
  const endpoints = new Map<string, MutableObject>()
  for (const { url, binding } of interfacesOf(root.value)) {
    const protocol = protocolOf(binding)
    const isHttp = /^https?:\/\/\S+$/.test(url)
    const uri = isHttp ? url : protocol === 'grpc' ? `grpc://${url}` : undefined
    if (uri === undefined || /\s/.test(uri)) continue
    endpoints.set(`${protocol} ${uri}`, { protocol, uri, ...(auth !== undefined && { auth }) })
  }
  return [...endpoints.values()]
}

const SCHEMES_OF_URIS: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/\S+$/, 'http+json'],
  [/^grpcs?:\/\/\S+$/, 'grpc'],
  [/^wss?:\/\/\S+$/, 'ws'],
  [/^agent:\/\/\S+$/, 'aitp'],
]

/** The protocol (table 4) of a URL. */
export function protocolOfUri(uri: string): string | undefined {
  return SCHEMES_OF_URIS.find(([scheme]) => scheme.test(uri))?.[1]
}

/** The authentication of an A2A card in the terms of an Agent Card (3.5); undefined without an equivalent. */
export function authOf(
  root: PlacedObject,
): { readonly scheme: PlacedObject; readonly kind: string; readonly auth?: string } | undefined {
  const first = firstScheme(root)
  if (first === undefined || !first.required) return undefined
  const { kind, inner } = openScheme(first.scheme)
  const isOther = kind === 'http' && textOf(inner, 'scheme')?.toLowerCase() !== 'bearer'
  const auth = isOther || !Object.hasOwn(AUTH, kind) ? undefined : AUTH[kind]!
  return { scheme: first.scheme, kind, ...(auth !== undefined && { auth }) }
}

/** The authentication for the endpoints of a card made from an A2A card; undefined if none is required. */
export function readAuth({ root, ledger, problems }: Job): string | undefined {
  const demanded = authOf(root)
  if (demanded === undefined) return undefined
  const { scheme, kind, auth } = demanded
  if (auth === undefined) {
    problems.report(
      CONVERT_AUTHENTICATION,
      scheme.pointer,
      'an Agent Card can only require bearer tokens or mutual TLS',
    )
    return undefined
  }
  const [detail, outcome] = EXACT.includes(kind)
    ? (['as it is', 'renamed'] as const)
    : (['as a bearer token', 'changed'] as const)
  ledger.shown(scheme.pointer, '/endpoints', detail, outcome)
  return auth
}

const AUTH: Readonly<Record<string, string>> = {
  http: 'bearer',
  oauth2: 'bearer',
  openIdConnect: 'bearer',
  mutualTLS: 'mutual_tls',
}
const EXACT = ['http', 'mutualTLS']
