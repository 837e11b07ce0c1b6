// Chooses the SVCB record of an agent's domain, and reads where the agent is (ADP/1.1 section 4.1, RFC 9460).
import { DnsError } from './error.ts'
import { DNS_NOT_HERE, SVCB_PASSED_OVER, SVCB_WELL_KNOWN } from './findings.ts'
import { compareNames, type Name, ROOT } from './name.ts'
import { alpnIds, mandatoryKeys, SVC_KEYS, type Svcb } from './svcb.ts'

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
