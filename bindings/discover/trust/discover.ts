// `discover`: from the domain of an agent to its level of trust, with a trace of all answers.
import type { Source, Step } from '../../frame/source.ts'
import { Steps, type StepTable } from '../../frame/steps.ts'
import { encodeBase64 } from '../../keys/base64.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import { checkLimit, deadline } from '../../net/deadline.ts'
import type { Connection, FetchCache, FetchOptions, FetchOutcome, GuardedFetch, TlsVersion } from '../../net/fetch.ts'
import { checkedNow, isBearerToken } from '../../text/moment.ts'
import { agentUri } from '../../wellknown/identity.ts'
import type { TrustAnchors } from '../dns/dnssec/rdata.ts'
import { DNS_NO_ANSWER, DNS_RESOLVER } from '../dns/findings.ts'
import type { Resolver } from '../dns/lookup.ts'
import { decodeMessage, TYPES } from '../dns/message.ts'
import { DnsError, unreachable } from '../dns/name.ts'
import { type AgentDomain, readAgentDomain } from './domain.ts'
import { type DiscoveryRequest, highestOf, LEVELS, type Level, NEEDS, type Need, type Requirement } from './levels.ts'
import { type DiscoveryProof, type FoundAgent, run } from './run.ts'
import {
  type DnsExchange,
  type HttpExchange,
  type RecordedConnection,
  TRACE_VERSION,
  type Trace,
  type TraceStep,
} from './trace.ts'

export interface DiscoveryOptions extends PlatformOptions {
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

export interface Discovery {
  readonly domain: AgentDomain
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
export async function discover(domain: string, options: DiscoveryOptions): Promise<Discovery> {
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

function checkOptions({ resolver, need, require, timeoutMs, lot, leastTls, token }: DiscoveryOptions): void {
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

async function askedOf(domain: AgentDomain, options: DiscoveryOptions): Promise<DiscoveryRequest> {
  const { need = 'metadata', require, leastTls = 'TLSv1.3', loopback = false, lot = drawn() } = options
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

const drawn = () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32

function fetchingOf(
  { fetch, cache, signal }: DiscoveryOptions,
  { now, leastTls, loopback }: DiscoveryRequest,
): FetchOptions {
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

/** Every step that a discovery can take. */
export const STEPS = {
  domain: ['The domain', 'ADP/1.1 section 2'],
  invitation: ['Invitation', 'ADP/1.1 section 8.3.1'],
  svcb: ['SVCB record', 'ADP/1.1 section 4.1'],
  txt: ['TXT record', 'ADP/1.1 section 5.1'],
  srv: ['SRV record', 'ADP/1.1 section 5.2'],
  fallback: ['The weaker way', 'ADP/1.1 section 5.3'],
  addresses: ['Addresses of the host', 'ADP/1.1 section 3'],
  tlsa: ['Certificate that the DNS names', 'ADP/1.1 section 4.2'],
  tls: ['TLS', 'ADP/1.1 section 8.2'],
  metadata: ['Metadata', 'ADP/1.1 section 6.1'],
  'media-type': ['Content type', 'ADP/1.1 section 6.2'],
  valid: ['The metadata is valid', 'ADP/1.1 section 6.3'],
  identity: ['The metadata is of this domain', 'ADP/1.1 section 6.3.2'],
  place: ['The metadata is of this place', 'ADP/1.1 section 6.3.3'],
  proof: ['Proof that the agent has the key', 'ADP/1.1 section 6.3.2'],
  key: ['Key that the DNS names', 'ADP/1.1 section 8.1.2'],
  'invited-key': ['Key that the invitation names', 'ADP/1.1 section 8.3.1'],
  claims: ['What it says of its DNS', 'ADP/1.1 section 6.3.6'],
  descriptor: ['Descriptor of what it can do', 'ADP/1.1 section 4.1.1'],
  chat: ['Endpoint to speak with', 'ADP/1.1 section 7.2.2'],
  level: ['Level of trust', 'ADP/1.1 section 8.1'],
} as const satisfies StepTable<string>

export type StepName = keyof typeof STEPS

// The live transport: sends requests and records all answers. replayed.ts has the other one.

/** Transport for a discovery: DNS and HTTP, live or replayed from a trace. */
export interface Transport {
  readonly resolver: Resolver
  get(url: string, asked: Get): Promise<FetchOutcome>
}

export type Get = Pick<FetchOptions, 'addresses' | 'checkConnection' | 'maxBytes' | 'section' | 'userAgent'> & {
  /** The accepted media types; default metadata. */
  readonly accept?: string
  /** The request may contain the token. */
  readonly showsToken?: boolean
  /** A cached answer may be used, or must be renewed; by default there is no caching. */
  readonly kept?: 'used' | 'renewed'
  /** Another host can be tried if this one is silent: half of the time is left for it. */
  readonly isOneOfMany?: boolean
}

const ACCEPT = 'application/vnd.adp+json, application/json;q=0.9'
/** Enough for any metadata. A redirect could lead to a new owner of an old URL. */
const BOUNDS = { maxBytes: 65_536, maxRedirects: 0 }
/** Section 6.4: for answers without caching headers. */
const SILENT_FRESH_MS = 3_600_000

const SECTIONS: Readonly<Record<number, string>> = {
  [TYPES.SVCB]: 'ADP/1.1 section 4.1',
  [TYPES.TXT]: 'ADP/1.1 section 5.1',
  [TYPES.SRV]: 'ADP/1.1 section 5.2',
  [TYPES.TLSA]: 'ADP/1.1 section 4.2',
  [TYPES.DS]: 'ADP/1.1 section 4.3',
  [TYPES.DNSKEY]: 'ADP/1.1 section 4.3',
}
/** Records that say where the agent is, and which key it has. */
const OF_AGENT: readonly number[] = [TYPES.SVCB, TYPES.TXT]
const OF_ADDRESSES = 'ADP/1.1 section 3'

interface Live {
  readonly resolver: Resolver
  /** Options of all fetches, with the moment they are judged by. */
  readonly fetching: FetchOptions
  /** The token for a private agent. */
  readonly token: string | undefined
  /** Milliseconds since an arbitrary moment. */
  readonly elapsed: () => number
  /** For the whole discovery. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called with how many milliseconds a record of the agent, or its metadata, is valid. */
  readonly onFresh: (ms: number) => void
  /** Why the discovery was stopped, in words; undefined while it runs. */
  readonly endedBy: () => string | undefined
}

/** Sends requests, and records the answers in `heard`. */
function liveTransport(live: Live, heard: TraceStep[]): Transport {
  const begun = live.elapsed()
  const end = endOf(live.signal)
  const timed = () => {
    const from = live.elapsed()
    return () => ({ after: Math.round(from - begun), took: Math.round(live.elapsed() - from) })
  }
  const resolver = async (question: Uint8Array<ArrayBuffer>) => {
    const [{ name, type } = { name: '.', type: 0 }] = decodeMessage(question).questions
    const time = timed()
    const note = (more: Partial<DnsExchange>) =>
      heard.push({
        kind: 'dns',
        name,
        type,
        section: SECTIONS[type] ?? OF_ADDRESSES,
        by: 'recorder',
        ...more,
        ...time(),
      })
    try {
      const answer = await asked(live, question, end)
      if (OF_AGENT.includes(type)) tellTtls(answer, live.onFresh)
      note({ answer: encodeBase64(answer), by: isSigned(answer) ? 'signatures' : 'recorder' })
      return answer
    } catch (error) {
      if (error instanceof DnsError) note({ refused: { code: error.kind.code, detail: error.message } })
      throw error
    }
  }
  return {
    resolver: Object.assign(resolver, { isPrivate: live.resolver.isPrivate }),
    async get(url, { accept = ACCEPT, section = STEPS.metadata[1], maxBytes = BOUNDS.maxBytes, ...asked }) {
      const { addresses, checkConnection, userAgent, showsToken = false, kept, isOneOfMany } = asked
      const { cache, ...fetching } = live.fetching
      const { clock = () => new Date() } = fetching
      const time = timed()
      let seen: Connection | undefined
      // Loaded while the DNS is queried, or never if only the address is needed.
      const { fetchDocument } = await import('../../net/fetch.ts')
      const outcome = await fetchDocument(url, accept, {
        ...fetching,
        ...BOUNDS,
        maxBytes,
        section,
        timeoutMs: Math.max(0, Math.round((live.timeoutMs - (live.elapsed() - begun)) / (isOneOfMany ? 2 : 1))),
        ...(addresses !== undefined && { addresses }),
        ...(userAgent !== undefined && { userAgent }),
        silentFreshMs: SILENT_FRESH_MS,
        ...(cache !== undefined && kept !== undefined && keeping(cache, kept)),
        ...(showsToken && live.token !== undefined && { token: live.token }),
        checkConnection(connection) {
          seen = connection
          return checkConnection?.(connection)
        },
      })
      if (outcome.ok) live.onFresh(outcome.fetched.freshUntil - clock().getTime())
      heard.push({ kind: 'http', url, section, by: 'recorder', ...httpExchange(outcome, seen), ...time() })
      return outcome
    },
  }
}

const keeping = (cache: FetchCache, kept: 'used' | 'renewed'): Pick<FetchOptions, 'cache'> => ({
  cache: kept === 'used' ? cache : { get: () => undefined, set: (url, fetched) => cache.set(url, fetched) },
})

/** Asks a resolver. A caller's own may ignore the signal and throw other errors; the trace records the cause. */
async function asked(
  { resolver, signal, endedBy }: Live,
  question: Uint8Array<ArrayBuffer>,
  { ended, running }: End,
): Promise<Uint8Array> {
  const own = new AbortController()
  running.add(own)
  try {
    signal.throwIfAborted()
    return await Promise.race([resolver(question, own.signal), ended])
  } catch (error) {
    const late = endedBy()
    if (late !== undefined) throw new DnsError(DNS_NO_ANSWER, late)
    if (error instanceof DnsError || signal.aborted) throw error
    throw new DnsError(DNS_RESOLVER, unreachable(error))
  } finally {
    running.delete(own)
  }
}

interface End {
  /** Never resolves; rejects when the discovery must stop. */
  readonly ended: Promise<never>
  /** A signal for each question: many listeners on one look like a leak. */
  readonly running: Set<AbortController>
}

function endOf(signal: AbortSignal): End {
  const running = new Set<AbortController>()
  const ended = new Promise<never>((_, reject) => {
    const end = () => {
      for (const one of running) one.abort(signal.reason)
      reject(signal.reason)
    }
    signal.addEventListener('abort', end, { once: true })
  })
  ended.catch(() => {})
  return { ended, running }
}

/** Reports the TTLs of an answer. An unreadable one is judged elsewhere. */
function tellTtls(answer: Uint8Array, onFresh: Live['onFresh']): void {
  try {
    for (const { ttl } of decodeMessage(answer).answers) onFresh(ttl * 1000)
  } catch {}
}

/** True for an answer with DNSSEC signatures, which anyone can check. */
function isSigned(answer: Uint8Array): boolean {
  try {
    const { answers, authorities } = decodeMessage(answer)
    return [...answers, ...authorities].some(({ type }) => type === TYPES.RRSIG)
  } catch {
    return false
  }
}

function httpExchange(outcome: FetchOutcome, seen: Connection | undefined): Partial<HttpExchange> {
  if (!outcome.ok) {
    const { code, detail } = outcome.diagnostic
    return { refused: { code, detail }, ...(seen !== undefined && { connection: recordConnection(seen) }) }
  }
  const { fetched, fromCache } = outcome
  const connection = fetched.hops.at(-1)?.connection
  return {
    fromCache,
    contentType: fetched.contentType,
    body: encodeBase64(fetched.bytes),
    ...(connection !== undefined && { connection: recordConnection(connection) }),
  }
}

const recordConnection = ({ address, tls, isTrusted, certificates }: Connection): RecordedConnection => ({
  address,
  tls,
  trusted: isTrusted,
  certificates: certificates.map(encodeBase64),
})
