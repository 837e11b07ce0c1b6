// The subjects of rules: an id, a key or a host. Each has one form, so that no other way of writing it gets past a rule.
import { type AgentCard, isAgentUri } from 'blazon/card'
import type { StoredCard } from 'blazon/directory'

export const SUBJECTS = ['id', 'key', 'host'] as const
export type Subject = (typeof SUBJECTS)[number]

/** Names of domains have 253 characters at the most; a literal address in brackets is shorter. */
const LONGEST_HOST = 253
/** Parsers of URLs let more through than names and addresses have. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])$/
/** The fingerprint of a key (RFC 7638), as `blazon verify` prints it. */
const FINGERPRINT = /^[\w-]{43}$/
/** An address of IPv4 inside one of IPv6, as URL parsers write it. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/

/** The form of a subject as an operator names it; undefined for any other text. */
export function formOf(of: Subject, text: string): string | undefined {
  if (of === 'id') return isAgentUri(text) ? idForm(text) : undefined
  if (of === 'key') return FINGERPRINT.test(text) ? text : undefined
  return hostForm((text.includes('://') ? hostOfUri(text) : text).replace(/^\*\./, ''))
}

/** Ids that differ in letters' case or in escapes alone are different agents to a directory, but not to readers. */
export function idForm(id: string): string {
  return decoded(id).normalize('NFKC').toLowerCase()
}

/** The hosts that a card names: those of its endpoints. */
export function hostsOf({ endpoints = [] }: Pick<AgentCard, 'endpoints'>): readonly (string | undefined)[] {
  return endpoints.map(({ uri }) => hostForm(hostOfUri(String(uri))))
}

/** The host in the authority of an id; undefined when that is a plain name or a key. */
export function hostOfId(id: string): string | undefined {
  const authority = decoded(id.slice('agent://'.length).split('/')[0]!)
  return authority.includes('.') ? hostForm(authority) : undefined
}

/** A host and all domains above it: a rule about a domain is one about all below. */
export function* domainsOf(host: string): Generator<string> {
  yield host
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1)
}

export function cardIn({ bytes }: Pick<StoredCard, 'bytes'>): AgentCard {
  return JSON.parse(new TextDecoder().decode(bytes)) as AgentCard
}

/** Small letters, punycode and no point at the end, as parsers of URLs have it. */
function hostForm(text: string): string | undefined {
  const host = hostnameIn(`https://${decoded(text)}`)?.replace(/\.$/, '')
  if (host === undefined || host.length > LONGEST_HOST || !HOST.test(host)) return undefined
  const [, high, low] = MAPPED.exec(host) ?? []
  if (high === undefined) return host
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low!, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** gRPC names a host and a port without a scheme, which is read as a scheme without a host. */
function hostOfUri(uri: string): string {
  return hostnameIn(uri) || (/^[^/?#]*/.exec(uri.trim())?.[0] ?? '')
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
