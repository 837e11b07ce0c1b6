// Which SVCB record of an agent's domain counts, and where it says that the agent is (ADP/1.1 section 4.1, RFC 9460).
import { DnsError } from './error.ts'
import { NOT_HERE, PASSED_OVER, WELL_KNOWN_PATH } from './findings.ts'
import { compareNames, type Name, ROOT } from './name.ts'
import { alpnIds, mandatoryKeys, SVC_KEYS, type Svcb } from './svcb.ts'

/** Where an agent is, by an SVCB record. */
export interface Service {
  readonly target: Name
  readonly port: number
  /** Behind /.well-known/. */
  readonly wellKnown: string
  readonly alpn: readonly string[]
  /** The protocol that agents speak there: `a2a`. */
  readonly bap: string | undefined
  /** Of the descriptor of what it can do. */
  readonly cap: string | undefined
  /** The digest of that descriptor, as the record has it. */
  readonly capSha256: string | undefined
}

/** A number from 0 on, below 1. */
export type Draw = () => number

const HTTPS_PORT = 443
export const DEFAULT_WELL_KNOWN = 'agent.json'
const PLAIN = /^[A-Za-z0-9._-]{1,63}(\/[A-Za-z0-9._-]{1,63}){0,7}$/

/** The keys that are carried out here, or have no meaning for who fetches a document: no other may be mandatory. */
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
 * The record to follow, of at least one: an alias of another name before all services (RFC 9460 section 2.4.2), then the
 * lowest priority of those that can be carried out, one of equals by lot.
 *
 * @throws {DnsError} DNS-121 where each is passed over.
 */
export function chooseSvcb(records: readonly Svcb[], owner: Name, draw: Draw): Svcb {
  const aliases = records.filter(({ priority }) => priority === 0)
  if (aliases.length > 0) return oneOf(aliases, draw)
  const usable = records.filter(({ params }) => foreignKeys(params).length === 0)
  const least = Math.min(...usable.map(({ priority }) => priority))
  if (usable.length > 0) return oneOf(inOrder(usable.filter(({ priority }) => priority === least)), draw)
  const foreign = [...new Set(records.flatMap(({ params }) => foreignKeys(params)))].map((key) => `key${key}`)
  throw new DnsError(PASSED_OVER, `${owner}: each record demands what is not carried out here: ${foreign.join(', ')}`)
}

function foreignKeys(params: Svcb['params']): number[] {
  const mandatory = params.get(SVC_KEYS.mandatory)
  return mandatory === undefined ? [] : mandatoryKeys(mandatory).filter((key) => !CARRIED_OUT.includes(key))
}

/** Servers give records in any order: the lot falls on one of an order of our own. */
const inOrder = (records: readonly Svcb[]) =>
  records.toSorted((a, b) => compareNames(a.target, b.target) || portOf(a) - portOf(b))

/** No lot where there is nothing to choose. */
const oneOf = <Item>(items: readonly Item[], draw: Draw): Item =>
  items.length === 1 ? items[0]! : items[Math.min(Math.floor(draw() * items.length), items.length - 1)]!

/**
 * What a record of ServiceMode says.
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
    throw new DnsError(WELL_KNOWN_PATH, `${owner}: expected plain segments behind /.well-known/, found ${shown}`)
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

/** True for what may stand behind /.well-known/: nothing that leads out of it, and nothing of a query. */
export const isPlainPath = (path: string): boolean =>
  PLAIN.test(path) && !path.split('/').some((segment) => /^\.+$/.test(segment))

export const targetOf = ({ target }: Svcb, owner: Name): Name => (target === ROOT ? owner : target)

export function portOf({ params }: Svcb): number {
  const port = params.get(SVC_KEYS.port)
  return port === undefined ? HTTPS_PORT : (port[0]! << 8) | port[1]!
}

/** What stands at a name that is nothing but an alias: the defaults, there. */
export const defaultService = (target: Name): Service => ({
  target,
  port: HTTPS_PORT,
  wellKnown: DEFAULT_WELL_KNOWN,
  alpn: [],
  bap: undefined,
  cap: undefined,
  capSha256: undefined,
})

/** @throws {DnsError} DNS-123 for an alias of nothing. */
export function aliasTarget({ target }: Svcb, owner: Name): Name {
  if (target === ROOT) throw new DnsError(NOT_HERE, `${owner}: its SVCB record says that the service is not there`)
  return target
}
