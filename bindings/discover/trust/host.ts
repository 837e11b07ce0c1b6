// The host that the DNS names: its addresses, TLSA records and metadata.

import { isBrowser } from '../../net/deadline.ts'
import type { Connection, ConnectionRefusal } from '../../net/fetch.ts'
import { FETCH_ADDRESS } from '../../net/findings.ts'
import { isLoopback, refuseAddress } from '../../net/guard.ts'
import * as FINDINGS from '../dns/findings.ts'
import type { LookupResult, Quality } from '../dns/lookup.ts'
import { readAddressOf, readTlsa, type Tlsa, TYPES } from '../dns/message.ts'
import type { Name } from '../dns/name.ts'
import { worstOf } from '../dns/service.ts'
import { matchingTlsa, tlsaWords, uncomparedTlsa, usableTlsa } from '../dns/tlsa.ts'
import { type DiscoveryContext, type DiscoveryRequest, words } from './levels.ts'
import { type AgentLocation, DiscoveryStopped, within } from './locate.ts'
import type { FetchedMetadata } from './metadata.ts'
import type { StepName } from './steps.ts'

export interface AtHost {
  readonly addresses: readonly string[]
  readonly tlsa: LookupResult
  readonly rows: readonly Tlsa[]
  /** Signed or confirmed by the resolver, with known numbers. */
  readonly usable: readonly Tlsa[]
}

/** Best first. */
const RANKS: readonly Quality[] = ['checked', 'resolver', 'not shown']
const MOST_SHOWN = 4

export interface Visit {
  readonly located: AgentLocation
  readonly atHost: AtHost
  /** Undefined if only the address was needed. */
  readonly read: FetchedMetadata | undefined
}

/**
 * Visits a host: its addresses, and its metadata if needed.
 *
 * @throws {DiscoveryStopped} if it is silent or fails a check.
 */
export async function visit(task: DiscoveryContext, located: AgentLocation): Promise<Visit> {
  const { asked, account } = task
  const atHost = await lookAtHost(task, located)
  const { texts, quality } = located.txt
  if (texts.records.length > 0 && !account.has('dns-verified')) account.reach('dns-verified', located.quality, quality)
  if (asked.need === 'address') return { located, atHost, read: undefined }
  // Loaded on demand, so that applications start without the rules of metadata.
  const { readMetadata } = await import('./metadata.ts')
  return { located, atHost, read: await readMetadata(task, located, atHost) }
}

export const tlsaName = (host: Name, port: number): Name => `_${port}._tcp.${host}`

/** @throws {DiscoveryStopped} for a host without an address, or with a private one. */
async function lookAtHost(task: DiscoveryContext, { host, port }: AgentLocation): Promise<AtHost> {
  const { lookup, account } = task
  const { addresses, ...answered } = await addressesOf(task, host, 'addresses')
  account.steps.passed('addresses', `${addresses.slice(0, MOST_SHOWN).join(', ')}; ${words(answered)}`)
  const tlsa = await within('tlsa', lookup.find(tlsaName(host, port), TYPES.TLSA))
  const rows = await within('tlsa', readRows(tlsa))
  return { addresses, tlsa, rows, usable: tlsa.quality === 'not shown' ? [] : usableTlsa(rows) }
}

/** @throws {DiscoveryStopped} for a host without an address, or with a private one. */
export async function addressesOf({ lookup, asked }: DiscoveryContext, host: Name, step: StepName) {
  const v4 = await within(step, lookup.find(host, TYPES.A))
  const v6 = await within(step, lookup.find(host, TYPES.AAAA))
  const addresses = await within(step, readAddresses([...v4.records, ...v6.records]))
  if (addresses.length === 0) throw new DiscoveryStopped(step, FINDINGS.DNS_NO_ADDRESS, `${host} has no address`)
  for (const address of addresses) checkAddress(step, host, address, asked)
  return { addresses, why: v4.why ?? v6.why, quality: worstOf([v4.quality, v6.quality]) }
}

const readAddresses = async (records: LookupResult['records']) =>
  records.map(({ type, rdata }) => readAddressOf(type, rdata))

const readRows = async ({ records }: LookupResult) => records.map(({ rdata }) => readTlsa(rdata))

/** Refuses a private address: a name could use it to attack a network. */
function checkAddress(step: StepName, host: Name, address: string, { loopback }: DiscoveryRequest): void {
  const why = refuseAddress(address)
  if (why === undefined || (loopback && isLoopback(address))) return
  throw new DiscoveryStopped(step, FETCH_ADDRESS, `${host} is ${address}: ${why}`)
}

/** Why a connection is not to the server that the DNS names; undefined if it is, or if the DNS names none. */
export async function mismatchOf(
  { usable, tlsa }: AtHost,
  { certificates }: Connection,
  asked: DiscoveryRequest,
): Promise<ConnectionRefusal | undefined> {
  if (usable.length === 0 || (await matchingTlsa(usable, certificates, asked)) !== undefined) return undefined
  const many = uncomparedTlsa(tlsa.name, usable)
  const detail = `the certificate matches no record of ${tlsa.name}${many === undefined ? '' : `: ${many}`}`
  return { kind: FINDINGS.TLSA_MISMATCH, detail }
}

/** @throws {DiscoveryStopped} for another certificate: one from a cache or a trace has not been compared yet. */
export async function judgeTlsa(
  { asked, account }: DiscoveryContext,
  { quality: way }: AgentLocation,
  { tlsa, rows, usable }: AtHost,
  connection: Connection | undefined,
): Promise<void> {
  const many = uncomparedTlsa(tlsa.name, usable)
  if (many !== undefined) account.warn('tlsa', many, FINDINGS.TLSA_MANY)
  if (rows.length === 0) account.steps.skipped('tlsa', `${tlsa.name} has none; ${words(tlsa)}`)
  else if (tlsa.quality === 'not shown') account.warn('tlsa', `not used: ${words(tlsa)}`, FINDINGS.TLSA_NOT_SHOWN)
  else if (usable.length === 0)
    account.warn('tlsa', 'no record has known usage, selector and matching type', FINDINGS.TLSA_UNUSABLE)
  else if (connection === undefined) account.warn('tlsa', 'not checkable here', FINDINGS.TLSA_HIDDEN)
  else {
    const match = await matchingTlsa(usable, connection.certificates, asked)
    if (match === undefined) {
      const { kind, detail } = (await mismatchOf({ addresses: [], tlsa, rows, usable }, connection, asked))!
      throw new DiscoveryStopped('tlsa', kind, detail)
    }
    const detail = `${tlsaWords(match)}; ${words(tlsa)}`
    // An attacker who could change the answers that led here also chose the host, and with it the certificate.
    if (RANKS.indexOf(way) > RANKS.indexOf(tlsa.quality)) {
      account.warn(
        'tlsa',
        `${detail}; but the host itself comes from weaker answers: ${words({ quality: way, why: undefined })}`,
        FINDINGS.TLSA_WEAK_PATH,
      )
      return
    }
    account.steps.passed('tlsa', detail, { quality: tlsa.quality, record: tlsaWords(match) })
    account.reach('dane-verified', way, tlsa.quality)
  }
}

/** The version in package.json; a test compares them. */
const FALLBACK_AGENT = 'blazon/0.1.0 (adp-fallback)'

/** Tells a server that it was found by the fallback (section 5.3). A browser would need the server's consent first. */
export const fallbackAgent = (): { readonly userAgent?: string } => (isBrowser() ? {} : { userAgent: FALLBACK_AGENT })
