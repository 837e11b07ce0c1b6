// The subjects of rules: an id, a key or a host. Each has one form, so that no other way of writing it gets past a rule.
import { type AgentCard, isAgentUri } from 'blazon/card'
import type { StoredCard } from 'blazon/directory'

export const SUBJECTS = ['id', 'key', 'host'] as const
export type Subject = (typeof SUBJECTS)[number]

/** Names of domains have 253 characters at the most; a literal address in brackets is shorter. */
const LONGEST_HOST = 253
/** A rule is about a name or an address; parsers of URLs let more through, and so may what answers in the DNS. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])$/
/** The fingerprint of a key (RFC 7638), as `blazon verify` prints it. */
const FINGERPRINT = /^[\w-]{43}$/
/** The resolver in a name of gRPC, with the server that it asks. */
const RESOLVER = /^(?:dns:(?:\/\/[^/]*)?\/?|ipv[46]:)/i
const AUTHORITY = /^(?:[a-z][\w+.-]*:[/\\]{2,})?([^/\\?#]*)/i
/** The host in an authority. */
const BARE = /^(?:.*@)?(.*?)(?::\d*)?$/s
/** An address of IPv4 inside one of IPv6, as URL parsers write it. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/

/** The form of a subject as an operator names it; undefined for any other text. */
export function formOf(of: Subject, text: string): string | undefined {
  if (of === 'id') return isAgentUri(text) ? idForm(text) : undefined
  if (of === 'key') return FINGERPRINT.test(text) ? text : undefined
  const host = hostForm((text.includes('://') ? hostOfUri(text) : text).replace(/^\*\./, ''))
  return host.length <= LONGEST_HOST && HOST.test(host) ? host : undefined
}

/** Ids that differ in letters' case or in escapes alone are different agents to a directory, but not to readers. */
export function idForm(id: string): string {
  return decoded(id).normalize('NFKC').toLowerCase()
}

/** The hosts that a card names: those of its endpoints. */
export function hostsOf({ endpoints = [] }: Pick<AgentCard, 'endpoints'>): readonly string[] {
  return endpoints.map(({ uri }) => hostForm(hostOfUri(String(uri))))
}

/** The host in the authority of an id; undefined when that is a plain name or a key. */
export function hostOfId(id: string): string | undefined {
  const authority = decoded(id.slice('agent://'.length).split('/')[0]!)
  return authority.includes('.') ? hostForm(authority) : undefined
}

/** A host, or the end of one that is too long, and all domains above it: a rule about a domain is one about all below. */
export function* domainsOf(name: string): Generator<string> {
  const host = name.slice(-LONGEST_HOST)
  yield host
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1)
}

export function cardIn({ bytes }: Pick<StoredCard, 'bytes'>): AgentCard {
  return JSON.parse(new TextDecoder().decode(bytes)) as AgentCard
}

/** Small letters, punycode and no point at the end, as parsers of URLs have it; what they refuse stays as it is. */
function hostForm(text: string): string {
  const host = (hostnameIn(`https://${decoded(text)}`) ?? BARE.exec(text)![1]!.toLowerCase()).replace(/\.$/, '')
  const [, high, low] = MAPPED.exec(host) ?? []
  if (high === undefined) return host
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low!, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** gRPC names a host and a port without a scheme, which is read as a scheme without a host, or behind that of a resolver. */
function hostOfUri(uri: string): string {
  const named = uri.trim().replace(RESOLVER, '')
  return hostnameIn(named) || AUTHORITY.exec(named)![1]!
}

function hostnameIn(url: string): string | undefined {
  try {
    return new URL(url).hostname
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
