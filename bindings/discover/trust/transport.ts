// Hearing what is out there by asking, and taking all of it down; replayed.ts is the other way.
import { encodeBase64 } from '../../keys/base64.ts'
import type { Connection } from '../../net/connection.ts'
import type { FetchCache, FetchOptions, FetchOutcome } from '../../net/fetch.ts'
import { DnsError, unreachable } from '../dns/error.ts'
import { NO_ANSWER, RESOLVER } from '../dns/findings.ts'
import type { Resolver } from '../dns/lookup.ts'
import { decodeMessage } from '../dns/message.ts'
import { TYPES } from '../dns/types.ts'
import { STEPS } from './steps.ts'
import type { ConnectionHeard, DnsHeard, HttpHeard, TraceStep } from './trace.ts'

/** What a discovery hears the world by. */
export interface Transport {
  readonly resolver: Resolver
  get(url: string, asked: Get): Promise<FetchOutcome>
}

export type Get = Pick<FetchOptions, 'addresses' | 'checkConnection' | 'maxBytes' | 'section' | 'userAgent'> & {
  /** What is wanted; metadata when absent. */
  readonly accept?: string
  /** Who asks may show the token. */
  readonly showsToken?: boolean
  /** What was kept may be used, or is to be replaced; neither when absent. */
  readonly kept?: 'used' | 'renewed'
  /** Somebody else can be asked if nothing comes: half of the time is left for them. */
  readonly isOneOfMany?: boolean
}

const ACCEPT = 'application/vnd.adp+json, application/json;q=0.9'
/** Enough for any metadata; a redirect could lead to whoever took over an old address. */
const BOUNDS = { maxBytes: 65_536, maxRedirects: 0 }
/** Section 6.4: for answers that say nothing of caching. */
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

export interface Live {
  readonly resolver: Resolver
  /** Of the fetches: what they are made with, and by which moment. */
  readonly fetching: FetchOptions
  /** What a private agent wants to be shown. */
  readonly token: string | undefined
  /** Milliseconds since an arbitrary moment. */
  readonly elapsed: () => number
  /** For everything together. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Hears for how many milliseconds a record of the agent, or its metadata, counts. */
  readonly onFresh: (ms: number) => void
  /** Why it was ended from here, in words; undefined while it was not. */
  readonly endedBy: () => string | undefined
}

/** Asks, and writes down what comes into `heard`. */
export function liveTransport(live: Live, heard: TraceStep[]): Transport {
  const begun = live.elapsed()
  const end = endOf(live.signal)
  const timed = () => {
    const from = live.elapsed()
    return () => ({ after: Math.round(from - begun), took: Math.round(live.elapsed() - from) })
  }
  const resolver = async (question: Uint8Array<ArrayBuffer>) => {
    const [{ name, type } = { name: '.', type: 0 }] = decodeMessage(question).questions
    const time = timed()
    const note = (more: Partial<DnsHeard>) =>
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
      // Loaded while the DNS is asked, or not at all where an address is all that is needed.
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
      heard.push({ kind: 'http', url, section, by: 'recorder', ...httpHeard(outcome, seen), ...time() })
      return outcome
    },
  }
}

const keeping = (cache: FetchCache, kept: 'used' | 'renewed'): Pick<FetchOptions, 'cache'> => ({
  cache: kept === 'used' ? cache : { get: () => undefined, set: (url, fetched) => cache.set(url, fetched) },
})

/** A resolver of a caller's own need not hear the signal, nor know our errors; what it failed of is to be in the trace. */
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
    if (late !== undefined) throw new DnsError(NO_ANSWER, late)
    if (error instanceof DnsError || signal.aborted) throw error
    throw new DnsError(RESOLVER, unreachable(error))
  } finally {
    running.delete(own)
  }
}

interface End {
  /** Never fulfilled, and rejected when all of it is to end. */
  readonly ended: Promise<never>
  /** A signal for each question: many listeners at one look like a leak. */
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

/** An answer that cannot be read is somebody else's to judge. */
function tellTtls(answer: Uint8Array, onFresh: Live['onFresh']): void {
  try {
    for (const { ttl } of decodeMessage(answer).answers) onFresh(ttl * 1000)
  } catch {}
}

/** True of an answer with signatures of the DNS in it, which anybody can check. */
function isSigned(answer: Uint8Array): boolean {
  try {
    const { answers, authorities } = decodeMessage(answer)
    return [...answers, ...authorities].some(({ type }) => type === TYPES.RRSIG)
  } catch {
    return false
  }
}

function httpHeard(outcome: FetchOutcome, seen: Connection | undefined): Partial<HttpHeard> {
  if (!outcome.ok) {
    const { code, detail } = outcome.diagnostic
    return { refused: { code, detail }, ...(seen !== undefined && { connection: connectionHeard(seen) }) }
  }
  const { fetched, fromCache } = outcome
  const connection = fetched.hops.at(-1)?.connection
  return {
    fromCache,
    contentType: fetched.contentType,
    body: encodeBase64(fetched.bytes),
    ...(connection !== undefined && { connection: connectionHeard(connection) }),
  }
}

const connectionHeard = ({ address, tls, isTrusted, certificates }: Connection): ConnectionHeard => ({
  address,
  tls,
  trusted: isTrusted,
  certificates: certificates.map(encodeBase64),
})
