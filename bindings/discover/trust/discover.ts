// `discover`: from the domain of an agent to its level of trust, with a trace of all answers.

import type { Source, Step } from '../../frame/source.ts'
import { Steps } from '../../frame/steps.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import { checkLimit, deadline } from '../../net/deadline.ts'
import type { FetchCache, fetchDocument, GuardedFetch, TlsVersion } from '../../net/fetch.ts'
import { checkedNow, isBearerToken } from '../../text/moment.ts'
import { agentUri } from '../../wellknown/identity.ts'
import type { TrustAnchors } from '../dns/dnssec/rdata.ts'
import type { Resolver } from '../dns/lookup.ts'
import { readAgentDomain } from './domain.ts'
import { type DiscoveryRequest, highestOf, LEVELS, type Level, NEEDS, type Need, type Requirement } from './levels.ts'
import { type DiscoveryProof, type FoundAgent, run } from './run.ts'
import { STEPS, type StepName } from './steps.ts'
import { TRACE_VERSION, type Trace, type TraceStep } from './trace.ts'
import { liveTransport, type Transport } from './transport.ts'

export interface Discovery {
  readonly domain: readAgentDomain.Result
  /** `agent:alice.example.com`. */
  readonly uri: string
  /** Undefined if a check failed, or the required level is not reached. */
  readonly agent: FoundAgent | undefined
  readonly proof: DiscoveryProof
  readonly trace: Trace
  /** How long the result is valid, in milliseconds: the lowest TTL of the records and the freshness of the metadata. */
  readonly freshMs: number
}

const PATIENCE_MS = 15_000

export declare namespace discover {
  interface Options extends PlatformOptions {
    /** Sends questions to the DNS. It learns whom you talk to, so there is no default. */
    readonly resolver: Resolver
    /** Default `metadata`. `peer` requires a key bound to the domain, and a chat endpoint. */
    readonly need?: Need
    /** Returns no agent below this level. `{ level, dns: 'checked' }` also requires that its DNS was checked here. */
    readonly require?: Level | Requirement
    /** Default: IANA's keys of the root. */
    readonly anchors?: TrustAnchors
    /** Default: the platform's, which checks neither addresses nor the certificates that the DNS names. */
    readonly fetch?: GuardedFetch
    /** The moment to judge by; default the platform's. */
    readonly now?: Date
    /** Default `TLSv1.3`, as the draft requires. */
    readonly leastTls?: TlsVersion
    /** Allows an agent on this machine with a self-signed certificate, for development. */
    readonly loopback?: boolean
    /** Fetches the capability descriptor at `cap`, and compares its digest. */
    readonly descriptor?: boolean
    /**
     * An invitation, which replaces the DNS of its agent (section 8.3.1): it names the URL of the metadata, and the key.
     * It gives no level of trust.
     */
    readonly invitation?: Source
    /** The token for the metadata of a private agent. Only sent to its own domain, or to the URL in an invitation. */
    readonly token?: string
    /** For the whole discovery; default 15,000. */
    readonly timeoutMs?: number
    /** Metadata from earlier discoveries, for as long as HTTP allows. */
    readonly cache?: FetchCache
    readonly signal?: AbortSignal
    /** Called for each step as it is taken. */
    readonly onStep?: (step: Step) => void
    /** A number from 0 to below 1, which chooses among equal records; default random. */
    readonly lot?: number
    /** Milliseconds since an arbitrary moment; default the platform's. */
    readonly elapsed?: () => number
  }
}

/**
 * Finds the agent of a domain (ADP/1.1 sections 4 to 6), and judges how far it can be trusted (section 8.1). Queries
 * the DNS, and the first server in its order that answers, over HTTPS; nothing else.
 *
 * @example
 * const { agent, proof } = await discover('alice.example.com', { resolver: udpResolver(), fetch: guardedFetch() })
 * if (agent !== undefined) console.log(proof.highest, agent.metadata?.value)
 *
 * @throws {TypeError} for an invalid domain, {RangeError} for an invalid option.
 */
export async function discover(domain: string, options: discover.Options): Promise<Discovery> {
  const read = readAgentDomain(domain)
  checkOptions(options)
  const { timeoutMs = PATIENCE_MS, signal, elapsed = () => performance.now() } = options
  const late = deadline(timeoutMs, signal)
  try {
    const asked = await askedOf(read, options)
    const heard: TraceStep[] = []
    let freshMs = Number.POSITIVE_INFINITY
    const wire = liveTransport(
      {
        resolver: options.resolver,
        fetching: fetchingOf(options, asked),
        token: options.token,
        elapsed,
        timeoutMs,
        signal: late.signal,
        onFresh: (ms) => {
          freshMs = Math.min(freshMs, ms)
        },
        endedBy: () => (late.isOver() ? `no answer within ${timeoutMs} ms for the whole discovery` : undefined),
      },
      heard,
    )
    const judged = await judge(asked, wire, options.onStep)
    signal?.throwIfAborted()
    return { ...judged, trace: traceOf(asked, wire.resolver.isPrivate, heard), freshMs }
  } finally {
    late.end()
  }
}

/** Judges a request by the answers of a transport. */
export async function judge(
  asked: DiscoveryRequest,
  wire: Transport,
  onStep: ((step: Step) => void) | undefined,
): Promise<Omit<Discovery, 'trace' | 'freshMs'>> {
  const { ascii } = asked.domain
  const steps = new Steps<StepName>(ascii, STEPS, onStep)
  const { agent, levels, shows, doesNotShow } = await run(asked, wire, steps)
  const proof = { ...steps.proof(), levels, highest: highestOf(levels), shows, doesNotShow }
  return { domain: asked.domain, uri: agentUri(ascii), agent, proof }
}

function checkOptions({ resolver, need, require, timeoutMs, lot, leastTls, token }: discover.Options): void {
  if (typeof resolver !== 'function') throw new TypeError('resolver: expected one made by udpResolver or dohResolver')
  const among = (name: string, value: string | undefined, all: readonly string[]) => {
    if (value !== undefined && !all.includes(value)) throw new RangeError(`${name}: expected one of ${all.join(', ')}`)
  }
  among('need', need, NEEDS)
  const { level, dns } = requirementOf(require) ?? {}
  among('require', level, LEVELS)
  among('require.dns', dns, ['checked'])
  among('leastTls', leastTls, ['TLSv1.2', 'TLSv1.3'])
  checkLimit('timeoutMs', timeoutMs)
  if (token !== undefined && !isBearerToken(token))
    throw new RangeError('token: expected up to 4,096 visible ASCII characters')
  if (lot !== undefined && !(lot >= 0 && lot < 1)) throw new RangeError('lot: expected a number from 0 to below 1')
}

async function askedOf(domain: readAgentDomain.Result, options: discover.Options): Promise<DiscoveryRequest> {
  const { need = 'metadata', require, leastTls = 'TLSv1.3', loopback = false, lot = drawLot() } = options
  const { descriptor = false, invitation, anchors, subtle } = options
  return {
    domain,
    need,
    require: requirementOf(require),
    leastTls,
    loopback,
    descriptor,
    invitation: invitation === undefined ? undefined : (await import('./invited.ts')).readInvitation(invitation),
    lot,
    now: checkedNow(options.now),
    isReplay: false,
    ...(anchors !== undefined && { anchors }),
    ...(subtle !== undefined && { subtle }),
  }
}

const requirementOf = (require: Level | Requirement | undefined): Requirement | undefined =>
  typeof require === 'string' ? { level: require } : require

const drawLot = () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32

function fetchingOf(
  { fetch, cache, signal }: discover.Options,
  { now, leastTls, loopback }: DiscoveryRequest,
): fetchDocument.Options {
  return {
    leastTls,
    loopback,
    clock: () => now,
    ...(fetch !== undefined && { fetch }),
    ...(cache !== undefined && { cache }),
    ...(signal !== undefined && { signal }),
  }
}

function traceOf(asked: DiscoveryRequest, isPrivate: boolean, steps: readonly TraceStep[]): Trace {
  const { domain, need, require, leastTls, loopback, descriptor, invitation, lot, now } = asked
  return {
    trace: TRACE_VERSION,
    at: now.toISOString(),
    domain: domain.ascii,
    need,
    ...(require !== undefined && { require: require.level }),
    ...(require?.dns !== undefined && { requireDns: require.dns }),
    leastTls,
    ...(loopback && { loopback }),
    ...(descriptor && { descriptor }),
    ...(invitation !== undefined && { invitation }),
    private: isPrivate,
    lot,
    steps,
  }
}
