// The subjects of rules: an id, a key or a host. Each has one canonical form, so that another spelling can't get past a
// rule.
import { type AgentCard, isAgentUri } from 'blazon/card'
import type { StoredCard } from 'blazon/directory'
import type { Subject } from '../contracts/directory.ts'
import { decode, parseUrl } from '../http/origins.ts'

/** Domain names have at most 253 characters; an address in brackets is shorter. */
const LONGEST_HOST = 253
/** The names and addresses that rules can be about. URL parsers accept more, and DNS may answer for more. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])$/
/** The fingerprint of a key (RFC 7638), as `blazon verify` prints it. */
const FINGERPRINT = /^[\w-]{43}$/
/** The resolver in a gRPC name, with the server that it asks. */
const RESOLVER = /^(?:dns:(?:\/\/[^/]*)?\/?|ipv[46]:)/i
const AUTHORITY = /^(?:[a-z][\w+.-]*:[/\\]{2,})?([^/\\?#]*)/i
/** The host in an authority. */
const BARE = /^(?:.*@)?(.*?)(?::\d*)?$/s
/** An IPv4 address inside an IPv6 address, as URL parsers write it. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/

/** The canonical form of a subject that an operator names; undefined for an invalid one. */
export function formOf(of: Subject, text: string): string | undefined {
  if (of === 'id') return isAgentUri(text) ? idForm(text) : undefined
  if (of === 'key') return FINGERPRINT.test(text) ? text : undefined
  const host = hostForm((text.includes('://') ? hostOfUri(text) : text).replace(/^\*\./, ''))
  return host.length <= LONGEST_HOST && HOST.test(host) ? host : undefined
}

/** Normalizes case and escapes: ids that differ only there are different agents to a directory, but not to readers. */
export function idForm(id: string): string {
  return decoded(id).normalize('NFKC').toLowerCase()
}

/** The hosts that a card names: those of its endpoints. */
export function hostsOf({ endpoints = [] }: Pick<AgentCard, 'endpoints'>): readonly string[] {
  return endpoints.map(({ uri }) => hostForm(hostOfUri(String(uri))))
}

/** The host in the authority of an id; undefined if the authority is a plain name or a key. */
export function hostOfId(id: string): string | undefined {
  const authority = decoded(id.slice('agent://'.length).split('/')[0]!)
  return authority.includes('.') ? hostForm(authority) : undefined
}

/** A host (the end of it if too long) and all its parent domains: a rule about a domain covers all subdomains. */
export function* domainsOf(name: string): Generator<string> {
  const host = name.slice(-LONGEST_HOST)
  yield host
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1)
}

export function cardIn({ bytes }: Pick<StoredCard, 'bytes'>): AgentCard {
  return JSON.parse(new TextDecoder().decode(bytes)) as AgentCard
}

/** Lower case, punycode, and no dot at the end, as URL parsers write hosts. Hosts that they refuse stay as they are. */
function hostForm(text: string): string {
  const host = (hostnameIn(`https://${decoded(text)}`) ?? BARE.exec(text)![1]!.toLowerCase()).replace(/\.$/, '')
  const [, high, low] = MAPPED.exec(host) ?? []
  if (high === undefined) return host
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low!, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/**
 * The host of a URI. gRPC names a host and a port without a scheme, or after a resolver scheme; URL parsers misread
 * both.
 */
function hostOfUri(uri: string): string {
  const named = uri.trim().replace(RESOLVER, '')
  return hostnameIn(named) || AUTHORITY.exec(named)![1]!
}

const hostnameIn = (url: string): string | undefined => parseUrl(url)?.hostname

const decoded = (text: string): string => decode(text) ?? text
