// Converts the endpoints of a card into interfaces of A2A, and back.
import { type SelectedEndpoint, selectEndpoint } from '../../card/endpoints.ts'
import type { AgentCard } from '../../card/types.ts'
import type { PlacedObject } from '../../text/members.ts'
import type { Job } from '../job.ts'
import type { Made } from '../json.ts'
import { type Interface, interfacesOf } from '../sides/a2a.ts'
import type { Scheme } from '../sides/schemes.ts'

/**
 * The authentication schemes in the terms of A2A; undefined where A2A has none, null where no authentication is needed.
 */
const SCHEMES: Readonly<Record<string, Scheme | null>> = {
  none: null,
  bearer: { name: 'bearer', kind: 'httpAuthSecurityScheme', value: { scheme: 'Bearer' }, scopes: [] },
  mutual_tls: { name: 'mtls', kind: 'mtlsSecurityScheme', value: { description: 'Mutual TLS' }, scopes: [] },
}

/** An endpoint that A2A can carry. */
export interface Reachable {
  readonly pointer: string
  readonly url: string
  readonly binding: string
  readonly auth: string | undefined
  readonly scheme: Scheme | null
}

/** The endpoint as an interface of A2A, if it is http+json or grpc with an authentication that A2A has. */
function reach({ pointer, protocol, uri, auth }: SelectedEndpoint): Reachable | undefined {
  const asked = auth ?? 'none'
  const scheme = Object.hasOwn(SCHEMES, asked) ? SCHEMES[asked] : undefined
  if (scheme === undefined) return undefined
  const isHttp = /^https?:\/\/\S+$/.test(uri)
  if (protocol === 'http+json' && isHttp) return { pointer, url: uri, binding: 'HTTP+JSON', auth, scheme }
  if (protocol !== 'grpc') return undefined
  // A2A has host and port where a card has a grpc:// URI.
  const [, authority] = /^grpcs?:\/\/([^\s/?#@]+)\/?$/.exec(uri) ?? []
  const url = authority ?? (isHttp ? uri : undefined)
  return url === undefined ? undefined : { pointer, url, binding: 'GRPC', auth, scheme }
}

/**
 * The endpoints that an A2A card can name, starting with the one that callers choose first (Agent Card 3.5). An A2A
 * card has one authentication for all of them: endpoints with another one than the first are left out, because no
 * client may send its token where none is wanted.
 */
export function reachable(card: PlacedObject): readonly Reachable[] {
  const all = selectEndpoint(card.value as AgentCard).endpoints.flatMap((endpoint) => reach(endpoint) ?? [])
  return all.filter(({ scheme }) => scheme === all[0]!.scheme)
}

/** The interfaces of the endpoints, with the bindings from the A2A card that this card was made from. */
export function interfacesOfEndpoints(
  endpoints: readonly Reachable[],
  kept: PlacedObject | undefined,
): readonly Interface[] {
  const known = kept === undefined ? [] : interfacesOf(kept.value)
  const found = new Map<string, Interface>()
  for (const { url, binding } of endpoints) {
    const own = known.filter((entry) => entry.url === url && protocolOf(entry.binding) === protocolOf(binding))
    for (const entry of own.length > 0 ? own : [{ url, binding }]) found.set(`${entry.binding} ${url}`, entry)
  }
  return [...found.values()]
}

const protocolOf = (binding: string) => (binding === 'GRPC' ? 'grpc' : 'http+json')

/** The endpoints of a card made from an A2A card; each address once. */
export function endpointsOfInterfaces({ root }: Job, auth: string | undefined): Made[] {
  const endpoints = new Map<string, Made>()
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

/** The protocol (table 4) of an address. */
export function protocolOfUri(uri: string): string | undefined {
  return SCHEMES_OF_URIS.find(([scheme]) => scheme.test(uri))?.[1]
}
