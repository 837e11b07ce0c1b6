// Agents that were found, for as long as that counts, and the bounds on looking for more of them.
import { isFault } from './contents.ts'
import type { MessageFault } from './faults.ts'
import { REFUSED, UNKNOWN_AGENT } from './findings.ts'
import { Lookups } from './lookups.ts'
import { domainOfUri } from './message.ts'
import { type AskedAgent, type FindAgent, type Peer, peerOf } from './peer.ts'

/** What is known of a caller before its agent is found. */
export interface PeerHints {
  /** The network address of the caller, which its lookups are counted by; undefined when this side looks for an agent of its own accord. */
  readonly sender?: string | undefined
  /** True when the caller's key is that of the known agent: another key leads to a new lookup. */
  readonly hasKey?: (peer: Peer) => boolean | Promise<boolean>
}

/** Finds an agent by its URI. */
export type FindPeer = (uri: string, hints?: PeerHints) => Promise<Peer | MessageFault>

export interface FindPeerOptions {
  readonly clock?: () => Date
}

/** The longest and the shortest time that a found agent counts, whatever its DNS and its server say. */
const MOST_KNOWN_MS = 300_000
const LEAST_KNOWN_MS = 1000
const FAILED_MS = 30_000
/** An unknown key leads to one new lookup of a known agent in this time: anybody can show one. */
const RENEWAL_MS = 30_000
/** Of found agents, and of failures. */
const MOST_KEPT = 1000

interface Known {
  readonly peer: Peer
  readonly until: number
  /** When an unknown key last led to a new lookup. */
  readonly renewed: number
}

interface Failure {
  readonly fault: MessageFault
  readonly until: number
}

/**
 * Finds agents, and remembers each for as long as `freshMs` of its discovery says, five minutes at most; a failure for half a minute.
 * A known agent never waits, and no failure takes its place. `sender` bounds what one caller can have looked up.
 *
 * @example
 * const findPeer = rememberPeers((domain, asked) =>
 *   discover(domain, { resolver, fetch, require: 'key-verified', signal: asked.signal }))
 */
export function rememberPeers(find: FindAgent, { clock = () => new Date() }: FindPeerOptions = {}): FindPeer {
  const known = new Map<string, Known>()
  const failures = new Map<string, Failure>()
  const lookups = new Lookups<Peer | MessageFault>(BUSY)
  const time = () => clock().getTime()

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
    // A lookup that anybody can cause takes nothing away from an agent that is known.
    return isFault(found) ? peer : found
  }
}

const notFound = (domain: string): MessageFault => ({
  kind: UNKNOWN_AGENT,
  pointer: '/from',
  detail: `no agent with a key that is bound to its domain was found at ${domain}`,
})
const BUSY: MessageFault = {
  kind: REFUSED,
  pointer: '/from',
  detail: 'too many agents are being looked for: try again later',
}
