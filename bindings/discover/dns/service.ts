// Chooses the SVCB record of an agent's domain, and reads where the agent is (ADP/1.1 section 4.1, RFC 9460).

import { isDomain } from '../../text/host-name.ts'
import { DNS_NOT_HERE, SVCB_PASSED_OVER, SVCB_WELL_KNOWN } from './findings.ts'
import type { Lookup, Quality } from './lookup.ts'
import { type Srv, TYPES } from './message.ts'
import { compareNames, DnsError, type Name, ROOT } from './name.ts'
import { alpnIds, mandatoryKeys, readSvcb, SVC_KEYS, type Svcb } from './svcb.ts'

/** Where an agent is, according to an SVCB record. */
export interface Service {
  readonly target: Name
  readonly port: number
  /** The path after /.well-known/. */
  readonly wellKnown: string
  readonly alpn: readonly string[]
  /** The protocol of the agents there: `a2a`. */
  readonly bap: string | undefined
  /** The URI of the capability descriptor. */
  readonly cap: string | undefined
  /** The digest of that descriptor, as in the record. */
  readonly capSha256: string | undefined
}

/** Returns a random number from 0 to below 1. */
export type Draw = () => number

const HTTPS_PORT = 443
export const DEFAULT_WELL_KNOWN = 'agent.json'
const PLAIN = /^[A-Za-z0-9._-]{1,63}(\/[A-Za-z0-9._-]{1,63}){0,7}$/

/** Supported keys, and keys without a meaning for fetching a document; no other key may be mandatory. */
const CARRIED_OUT: readonly number[] = [
  SVC_KEYS.alpn,
  SVC_KEYS['no-default-alpn'],
  SVC_KEYS.port,
  SVC_KEYS.ipv4hint,
  SVC_KEYS.ipv6hint,
  SVC_KEYS.cap,
  SVC_KEYS['cap-sha256'],
  SVC_KEYS.bap,
  SVC_KEYS['well-known'],
]

/**
 * Chooses the record to follow: an alias before all services (RFC 9460 section 2.4.2), then the supported record of
 * lowest priority, at random among equals.
 *
 * @throws {DnsError} DNS-121 if no record is supported.
 */
export function chooseSvcb(records: readonly Svcb[], owner: Name, draw: Draw): Svcb {
  const aliases = records.filter(({ priority }) => priority === 0)
  if (aliases.length > 0) return oneOf(aliases, draw)
  const usable = records.filter(({ params }) => foreignKeys(params).length === 0)
  const least = Math.min(...usable.map(({ priority }) => priority))
  if (usable.length > 0) return oneOf(inOrder(usable.filter(({ priority }) => priority === least)), draw)
  const foreign = [...new Set(records.flatMap(({ params }) => foreignKeys(params)))].map((key) => `key${key}`)
  throw new DnsError(SVCB_PASSED_OVER, `${owner}: each record has unsupported mandatory keys: ${foreign.join(', ')}`)
}

function foreignKeys(params: Svcb['params']): number[] {
  const mandatory = params.get(SVC_KEYS.mandatory)
  return mandatory === undefined ? [] : mandatoryKeys(mandatory).filter((key) => !CARRIED_OUT.includes(key))
}

/** Sorts records, so that the random draw does not depend on the server's order. */
const inOrder = (records: readonly Svcb[]) =>
  records.toSorted((a, b) => compareNames(a.target, b.target) || portOf(a) - portOf(b))

/** Draws at random; skips the draw for a single item. */
const oneOf = <Item>(items: readonly Item[], draw: Draw): Item =>
  items.length === 1 ? items[0]! : items[Math.min(Math.floor(draw() * items.length), items.length - 1)]!

/**
 * Reads a record of ServiceMode.
 *
 * @throws {DnsError} DNS-122 for a path that leads elsewhere.
 */
export function serviceOf(record: Svcb, owner: Name): Service {
  const { params } = record
  const text = (key: number) => {
    const value = params.get(key)
    return value && new TextDecoder('utf-8', { ignoreBOM: true }).decode(value)
  }
  const wellKnown = text(SVC_KEYS['well-known']) ?? DEFAULT_WELL_KNOWN
  if (!isPlainPath(wellKnown)) {
    const shown = JSON.stringify(wellKnown.slice(0, 100))
    throw new DnsError(SVCB_WELL_KNOWN, `${owner}: expected plain segments after /.well-known/, found ${shown}`)
  }
  const alpn = params.get(SVC_KEYS.alpn)
  return {
    target: targetOf(record, owner),
    port: portOf(record),
    wellKnown,
    alpn: alpn === undefined ? [] : alpnIds(alpn).map((id) => new TextDecoder().decode(id)),
    bap: text(SVC_KEYS.bap),
    cap: text(SVC_KEYS.cap),
    capSha256: text(SVC_KEYS['cap-sha256']),
  }
}

/** True for a path that stays below /.well-known/ and has no query. */
export const isPlainPath = (path: string): boolean =>
  PLAIN.test(path) && !path.split('/').some((segment) => /^\.+$/.test(segment))

export const targetOf = ({ target }: Svcb, owner: Name): Name => (target === ROOT ? owner : target)

export function portOf({ params }: Svcb): number {
  const port = params.get(SVC_KEYS.port)
  return port === undefined ? HTTPS_PORT : (port[0]! << 8) | port[1]!
}

/** The service at the target of a mere alias, with the default values. */
export const defaultService = (target: Name): Service => ({
  target,
  port: HTTPS_PORT,
  wellKnown: DEFAULT_WELL_KNOWN,
  alpn: [],
  bap: undefined,
  cap: undefined,
  capSha256: undefined,
})

/** @throws {DnsError} DNS-123 for an alias without a target. */
export function aliasTarget({ target }: Svcb, owner: Name): Name {
  if (target === ROOT)
    throw new DnsError(DNS_NOT_HERE, `${owner}: its SVCB record says that the service does not exist`)
  return target
}

// Chooses an SRV record (RFC 2782).

/**
 * Chooses the record to follow: of the lowest priority, at random in proportion to the weights.
 *
 * @throws {DnsError} DNS-123 if the only record points to the root.
 */
export function chooseSrv(records: readonly Srv[], owner: Name, draw: Draw): Srv {
  const [first] = records
  if (records.length === 1 && first!.target === ROOT) {
    throw new DnsError(DNS_NOT_HERE, `${owner}: its SRV record says that the service does not exist`)
  }
  const least = Math.min(...records.map(({ priority }) => priority))
  const equals = records.filter(({ priority, target }) => priority === least && target !== ROOT)
  if (equals.length === 0) throw new DnsError(DNS_NOT_HERE, `${owner}: its first SRV record has no target`)
  const [only] = equals
  return equals.length === 1 ? only! : byWeight(equals, draw)
}

/** Puts records of weight 0 first, so that they are rarely drawn if there are others. */
function byWeight(records: readonly Srv[], draw: Draw): Srv {
  const ordered = records.toSorted((a, b) => a.weight - b.weight || compareNames(a.target, b.target) || a.port - b.port)
  const all = ordered.reduce((sum, { weight }) => sum + weight, 0)
  // From 0 to the sum, both included.
  const drawn = Math.floor(draw() * (all + 1))
  let sum = 0
  for (const record of ordered) {
    sum += record.weight
    if (sum >= drawn) return record
  }
  return ordered.at(-1)!
}

// The agents that an organization lists in the DNS: AliasMode records at _agents (ADP/1.1 section 4.1.3), and the host
// of its index at _index._agents, as in DNS-AID.

export interface Listing {
  /** All of them, sorted by name: a list is not a choice, whatever RFC 9460 says about aliases. */
  readonly agents: readonly Name[]
  /** The host and port of an index over HTTPS, whose format is not specified yet. */
  readonly index: string | undefined
  /** The worse quality of the two answers. */
  readonly quality: Quality
}

const ORDER: readonly Quality[] = ['checked', 'resolver', 'not shown']

/** The worst of some qualities; the best for an empty list. */
export const worstOf = (qualities: readonly Quality[]): Quality =>
  ORDER[Math.max(0, ...qualities.map((quality) => ORDER.indexOf(quality)))]!

/** @throws {DnsError} if an answer is missing or may not be believed. */
export async function listedAgents(lookup: Lookup, domain: Name): Promise<Listing> {
  const [list, index] = await Promise.all([
    lookup.find(`_agents.${domain}`, TYPES.SVCB),
    lookup.find(`_index._agents.${domain}`, TYPES.SVCB),
  ])
  const listed = list.records.map(({ rdata }) => readSvcb(rdata)).filter(({ priority }) => priority === 0)
  const [first] = index.records.map(({ rdata }) => readSvcb(rdata)).sort((a, b) => a.priority - b.priority)
  const service = first && (first.priority === 0 ? defaultService(first.target) : serviceOf(first, index.name))
  return {
    agents: [...new Set(listed.map(({ target }) => target))].filter(isDomain).sort(),
    index: service && service.target !== ROOT ? `${service.target}:${service.port}` : undefined,
    quality: worstOf([list.quality, index.quality]),
  }
}
