// The other side of a conversation, read from its metadata.
import type { Discovery } from '../discover/trust/discover.ts'
import type { ReachedLevel } from '../discover/trust/levels.ts'
import { importKey } from '../keys/import.ts'
import { openVerifier, type Verifier } from '../keys/verify.ts'
import { isObject, member, objectMember, textMember } from '../text/members.ts'
import { fingerprintOf, readFull } from '../wellknown/identity.ts'
import { Metadata } from '../wellknown/subject.ts'
import { AGP_REFUSED, AGP_UNKNOWN } from './findings.ts'
import { domainOfUri, isFault, type MessageFault } from './message.ts'
import type { MessageRate } from './outbox.ts'

/** Everything that a conversation needs to know about an agent. */
export interface Peer {
  /** In lower case. */
  readonly uri: string
  readonly fingerprint: string
  readonly verifier: Verifier
  /** The address of its chat endpoint. */
  readonly chat: string | undefined
  /** All endpoint addresses in its metadata, by name. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly minProtocolVersion: string | undefined
  /** Its metadata announces strict conversations. Others are then refused. */
  readonly strict: boolean
  readonly rate: MessageRate | undefined
  /** The levels that its discovery reached. */
  readonly levels: readonly ReachedLevel[]
}

/** The part of a discovery that is used. Without `freshMs` it is valid for five minutes. */
export type FoundPeer = Pick<Discovery, 'agent' | 'uri'> &
  Partial<Pick<Discovery, 'freshMs'>> & { readonly proof?: Pick<Discovery['proof'], 'levels'> }

/** Finds an agent by its domain, like `discover` of `blazon/discover` with `require: 'key-verified'`. */
export type FindAgent = (domain: string, asked: AskedAgent) => Promise<FoundPeer>

export interface AskedAgent {
  /** Aborts the lookup when it has to make room for another. */
  readonly signal: AbortSignal
  /** The network address of the caller that named the agent. Undefined when this side named it. */
  readonly sender: string | undefined
}

/** Returns the peer of a discovered agent. Undefined unless its metadata has the full key. */
async function peerOf({ agent, uri, proof }: FoundPeer): Promise<Peer | undefined> {
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

/** Without `burstSize`, a whole minute's messages may arrive at once. */
function rateIn({ security }: Metadata): MessageRate | undefined {
  const limit = objectMember(security, 'rateLimit')?.value
  const [perMinute, burst] = [member(limit, 'requestsPerMinute'), member(limit, 'burstSize')].map((value) =>
    typeof value === 'number' && value >= 1 ? value : undefined,
  )
  if (perMinute === undefined) return undefined
  return { requestsPerMinute: perMinute, burstSize: burst ?? perMinute }
}

// A cache of discovered agents, with limits on new lookups.

/** What is known about a caller before its agent is found. */
interface PeerHints {
  /** The network address of the caller, which limits its lookups. Undefined when the lookup is for this side. */
  readonly sender?: string | undefined
  /** True when the caller's key is that of the cached agent. Another key triggers a new lookup. */
  readonly hasKey?: (peer: Peer) => boolean | Promise<boolean>
}

/** Finds an agent by its URI. */
export type FindPeer = (uri: string, hints?: PeerHints) => Promise<Peer | MessageFault>

export declare namespace rememberPeers {
  interface Options {
    readonly clock?: () => Date
  }
}

/** How long a discovered agent is cached at most and at least, whatever its DNS and its server say. */
const MOST_KNOWN_MS = 300_000
const LEAST_KNOWN_MS = 1000
const FAILED_MS = 30_000
/** The minimum time between new lookups of a cached agent because of an unknown key. Anybody can present one. */
const RENEWAL_MS = 30_000
/** The maximum number of cached agents, and of cached failures. */
const MOST_KEPT = 1000

interface Known {
  readonly peer: Peer
  readonly until: number
  /** When an unknown key last triggered a new lookup. */
  readonly renewed: number
}

interface Failure {
  readonly fault: MessageFault
  readonly until: number
}

/**
 * Finds agents and caches each for the `freshMs` of its discovery, at most five minutes. Failures are cached for half a
 * minute. A cached agent is returned at once, and no failure replaces it. `sender` limits the lookups that one caller
 * can cause.
 *
 * @example
 * const findPeer = rememberPeers((domain, asked) =>
 *   discover(domain, { resolver, fetch, require: 'key-verified', signal: asked.signal }))
 */
export function rememberPeers(find: FindAgent, { clock = () => new Date() }: rememberPeers.Options = {}): FindPeer {
  const known = new Map<string, Known>()
  const failures = new Map<string, Failure>()
  const time = () => clock().getTime()
  const lookups = new Lookups<Peer | MessageFault>(BUSY, time)

  async function look(domain: string, asked: AskedAgent): Promise<Peer | MessageFault> {
    try {
      const found = await find(domain, asked)
      const peer = await peerOf(found)
      if (asked.signal.aborted) return BUSY
      return peer === undefined ? failed(domain) : keep(domain, peer, found.freshMs)
    } catch {
      return asked.signal.aborted ? BUSY : failed(domain)
    }
  }

  function keep(domain: string, peer: Peer, freshMs = MOST_KNOWN_MS): Peer {
    const now = time()
    const renewed = known.get(domain)?.renewed ?? Number.NEGATIVE_INFINITY
    known.delete(domain)
    failures.delete(domain)
    if (known.size >= MOST_KEPT) for (const [name, { until }] of known) if (until <= now) known.delete(name)
    const until = now + Math.min(MOST_KNOWN_MS, Math.max(LEAST_KNOWN_MS, freshMs))
    if (known.size < MOST_KEPT) known.set(domain, { peer, until, renewed })
    return peer
  }

  function failed(domain: string): MessageFault {
    failures.delete(domain)
    if (failures.size >= MOST_KEPT) failures.delete(failures.keys().next().value!)
    const fault = notFound(domain)
    failures.set(domain, { fault, until: time() + FAILED_MS })
    return fault
  }

  return async (uri, { sender, hasKey } = {}) => {
    const now = time()
    const domain = domainOfUri(uri)
    if (domain === undefined) return notFound(uri)
    const run = () => lookups.run(domain, { sender, look: (signal) => look(domain, { sender, signal }) })
    const before = known.get(domain)
    if (before === undefined || before.until <= now) {
      const failure = failures.get(domain)
      return failure !== undefined && failure.until > now ? failure.fault : run()
    }
    const { peer, renewed } = before
    if (now < renewed + RENEWAL_MS || hasKey === undefined || (await hasKey(peer))) return peer
    known.set(domain, { ...before, renewed: now })
    const found = await run()
    // Anybody can cause this lookup, so its failure must not affect a known agent.
    return isFault(found) ? peer : found
  }
}

const notFound = (domain: string): MessageFault => ({
  kind: AGP_UNKNOWN,
  pointer: '/from',
  detail: `no agent with a key that is bound to its domain was found at ${domain}`,
})
const BUSY: MessageFault = {
  kind: AGP_REFUSED,
  pointer: '/from',
  detail: 'too many agents are being looked for: try again later',
}

/** The maximum number of concurrent lookups for callers: as many addresses are needed to take all places. */
const MOST_AT_ONCE = 64
/** Lookups for this side. */
const MOST_OWN = 16
/** A lookup younger than this keeps its place, unless its address has more than others. */
const PATIENCE_MS = 3000
/** The maximum number of concurrent lookups for one address. */
const MOST_OF_SENDER = 8

interface LookupOf<T> {
  /** The network address of the caller. Empty when unknown; undefined when the lookup is for this side. */
  readonly sender: string | undefined
  /** Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<T>
}

interface Running<T> {
  readonly sender: string | undefined
  readonly found: Promise<T>
  readonly since: number
  /** Ends the lookup to make room for another. */
  end(): void
}

/**
 * Runs one lookup per domain. When one address reaches its limit, its oldest lookup ends in favor of the new one. When
 * all places are taken, the oldest lookup of the address with the most ends. Where all have as many as the new caller,
 * young lookups keep their places: strangers who ask again and again end nobody's lookup.
 */
class Lookups<T> {
  readonly #busy: T
  readonly #time: () => number
  /** Lookups by domain, oldest first. */
  readonly #running = new Map<string, Running<T>>()

  /** @param busy the result of a lookup that ended to make room for another. */
  constructor(busy: T, time: () => number) {
    this.#busy = busy
    this.#time = time
  }

  async run(domain: string, lookup: LookupOf<T>): Promise<T> {
    const same = this.#running.get(domain)
    if (same !== undefined) {
      const found = await same.found
      // Another caller's lookup was ended. That must not affect this caller.
      return found === this.#busy && same.sender !== lookup.sender ? this.run(domain, lookup) : found
    }
    return this.#makeRoom(lookup) ? this.#start(domain, lookup) : this.#busy
  }

  #start(domain: string, { sender, look }: LookupOf<T>): Promise<T> {
    const ending = new AbortController()
    const ended = new Promise<T>((done) => ending.signal.addEventListener('abort', () => done(this.#busy)))
    const over = () => {
      if (this.#running.get(domain) === running) this.#running.delete(domain)
    }
    const found = Promise.race([look(ending.signal), ended]).finally(over)
    const end = () => {
      over()
      ending.abort()
    }
    const running: Running<T> = { sender, found, since: this.#time(), end }
    this.#running.set(domain, running)
    return found
  }

  #makeRoom({ sender }: LookupOf<T>): boolean {
    const own = this.#of(sender)
    if (sender === undefined) return own.length < MOST_OWN
    if (sender !== '' && own.length >= MOST_OF_SENDER) own[0]!.end()
    const callers = [...this.#running.values()].filter((one) => one.sender !== undefined)
    if (callers.length < MOST_AT_ONCE) return true
    const counts = callers.map((one) => this.#of(one.sender).length)
    const most = counts.reduce((a, b) => Math.max(a, b))
    const oldest = callers[counts.indexOf(most)]!
    // Callers without a known address share one count: among them the newest is preferred.
    const hasMore = oldest.sender === '' || most > this.#of(sender).length + 1
    if (!hasMore && this.#time() - oldest.since < PATIENCE_MS) return false
    oldest.end()
    return true
  }

  #of(sender: string | undefined): Running<T>[] {
    return [...this.#running.values()].filter((one) => one.sender === sender)
  }
}
