// The other side of a conversation, as its metadata has it.
import type { Discovery } from '../discover/trust/discover.ts'
import type { Reached } from '../discover/trust/levels.ts'
import { importKey } from '../keys/import.ts'
import { openVerifier, type Verifier } from '../keys/verifier.ts'
import { isObject, member, objectMember, textMember } from '../text/members.ts'
import { Metadata } from '../wellknown/metadata.ts'
import { fingerprintOf, readFull } from '../wellknown/public-key.ts'
import type { MessageFault } from './faults.ts'
import { REFUSED, UNKNOWN_AGENT } from './findings.ts'
import { domainOfUri } from './message.ts'
import type { MessageRate } from './rate.ts'

/** Everything that a conversation needs of an agent. */
export interface Peer {
  /** In lower case. */
  readonly uri: string
  readonly fingerprint: string
  readonly verifier: Verifier
  /** Where it is spoken to. */
  readonly chat: string | undefined
  /** All addresses in its metadata, by their names. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly minProtocolVersion: string | undefined
  /** It says of itself that it speaks strict: it is not taken without. */
  readonly strict: boolean
  readonly rate: MessageRate | undefined
  /** How far it can be trusted, by the way that it was found. */
  readonly levels: readonly Reached[]
}

/** What counts of a discovery. */
export type FoundPeer = Pick<Discovery, 'agent' | 'uri'> & { readonly proof?: Pick<Discovery['proof'], 'levels'> }

/** Finds an agent by its domain. `discover` of `blazon/discover` with `need: 'peer'` and `require: 'key-verified'` does. */
export type FindAgent = (domain: string) => Promise<FoundPeer>

/** An agent that was found: its key has to be there in full. */
export async function peerOf({ agent, uri, proof }: FoundPeer): Promise<Peer | undefined> {
  if (agent?.metadata === undefined || !isObject(agent.metadata.value)) return undefined
  const metadata = new Metadata(agent.metadata)
  const { full, fingerprint, security, endpoints } = metadata
  if (full === undefined || fingerprint === undefined) return undefined
  const raw = readFull(full.value)
  if (fingerprintOf(raw) !== fingerprint.value) return undefined
  return {
    uri: uri.toLowerCase(),
    fingerprint: fingerprint.value,
    verifier: await openVerifier(await importKey(raw, { format: 'raw' })),
    chat: endpoints.find(({ name }) => name === 'chat')?.value,
    endpoints: Object.fromEntries(endpoints.map(({ name, value }) => [name, value])),
    minProtocolVersion: textMember(security, 'minProtocolVersion')?.value || undefined,
    strict: member(security?.value, 'strictMessages') === true,
    rate: rateIn(metadata),
    levels: proof?.levels ?? [],
  }
}

/** A limit without a burst lets a whole minute's messages come at once. */
function rateIn({ security }: Metadata): MessageRate | undefined {
  const limit = objectMember(security, 'rateLimit')?.value
  const [perMinute, burst] = [member(limit, 'requestsPerMinute'), member(limit, 'burstSize')].map((value) =>
    typeof value === 'number' && value >= 1 ? value : undefined,
  )
  if (perMinute === undefined) return undefined
  return { requestsPerMinute: perMinute, burstSize: burst ?? perMinute }
}

export interface FindPeerOptions {
  readonly clock?: () => Date
}

/** Finds agents, and remembers them for a while. */
export type FindPeer = (uri: string) => Promise<Peer | MessageFault>

const KNOWN_MS = 300_000
const FAILED_MS = 30_000
const MOST_KNOWN = 1000
const MOST_AT_ONCE = 16
/** Names below one name are as many as somebody likes. */
const MOST_OF_ZONE = 10
const ZONE_MS = 60_000

interface Known {
  readonly found: Promise<Peer | MessageFault>
  until: number
}

/**
 * Discovers the agents that want to speak, each once in five minutes and at most 16 at a time; a failure is remembered for
 * half a minute. Who is known is not kept waiting by those who are not.
 *
 * @example
 * const findPeer = rememberPeers((domain) => discover(domain, { resolver, fetch, need: 'peer', require: 'key-verified' }))
 */
export function rememberPeers(find: FindAgent, { clock = () => new Date() }: FindPeerOptions = {}): FindPeer {
  const known = new Map<string, Known>()
  const zones = new Map<string, { left: number; until: number }>()
  let running = 0
  const start = async (domain: string): Promise<Peer | MessageFault> => {
    running++
    try {
      return (await peerOf(await find(domain))) ?? notFound(domain)
    } catch {
      return notFound(domain)
    } finally {
      running--
    }
  }
  const ofZone = (domain: string, now: number): boolean => {
    for (const [name, { until }] of zones) if (until <= now) zones.delete(name)
    const zone = zoneOf(domain)
    const counted = zones.get(zone) ?? { left: MOST_OF_ZONE, until: now + ZONE_MS }
    if (counted.left === 0 || zones.size > MOST_KNOWN) return false
    counted.left--
    zones.set(zone, counted)
    return true
  }
  return async (uri) => {
    const now = clock().getTime()
    const domain = domainOfUri(uri)
    if (domain === undefined) return notFound(uri)
    const before = known.get(domain)
    if (before !== undefined && before.until > now) return before.found
    known.delete(domain)
    if (running >= MOST_AT_ONCE || !ofZone(domain, now)) return BUSY
    if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!)
    const entry: Known = { found: start(domain), until: Number.POSITIVE_INFINITY }
    known.set(domain, entry)
    const found = await entry.found
    entry.until = clock().getTime() + ('uri' in found ? KNOWN_MS : FAILED_MS)
    return found
  }
}

const notFound = (domain: string): MessageFault => ({
  kind: UNKNOWN_AGENT,
  pointer: '/from',
  detail: `no agent with a key that is bound to its domain was found at ${domain}`,
})
const BUSY: MessageFault = { kind: REFUSED, pointer: '/from', detail: 'too many agents are being looked for: later' }

/** The last two labels: the zones of one owner have them in common, and those of a suffix share a limit. */
const zoneOf = (domain: string): string => domain.split('.').slice(-2).join('.')
