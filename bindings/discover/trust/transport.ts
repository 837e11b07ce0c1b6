// The live transport: sends requests and records all answers. replayed.ts has the other one.
import { encodeBase64 } from '../../keys/base64.ts'
import type { Connection, FetchCache, fetchDocument } from '../../net/fetch.ts'
import { DNS_NO_ANSWER, DNS_RESOLVER } from '../dns/findings.ts'
import type { Resolver } from '../dns/lookup.ts'
import { decodeMessage, TYPES } from '../dns/message.ts'
import { DnsError, unreachable } from '../dns/name.ts'
import { STEPS } from './steps.ts'
import type { DnsExchange, HttpExchange, RecordedConnection, TraceStep } from './trace.ts'

/** Transport for a discovery: DNS and HTTP, live or replayed from a trace. */
export interface Transport {
  readonly resolver: Resolver
  get(url: string, asked: Get): Promise<fetchDocument.Result>
}

export type Get = Pick<
  fetchDocument.Options,
  'addresses' | 'checkConnection' | 'maxBytes' | 'section' | 'userAgent'
> & {
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

export interface Live {
  readonly resolver: Resolver
  /** Options of all fetches, with the moment they are judged by. */
  readonly fetching: fetchDocument.Options
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
export function liveTransport(live: Live, heard: TraceStep[]): Transport {
  const begun = live.elapsed()
  const end = endOf(live.signal)
  const startTimer = () => {
    const from = live.elapsed()
    return () => ({ after: Math.round(from - begun), took: Math.round(live.elapsed() - from) })
  }
  const resolver = async (question: Uint8Array<ArrayBuffer>) => {
    const [{ name, type } = { name: '.', type: 0 }] = decodeMessage(question).questions
    const time = startTimer()
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
      const answer = await askResolver(live, question, end)
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
      const time = startTimer()
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

const keeping = (cache: FetchCache, kept: 'used' | 'renewed'): Pick<fetchDocument.Options, 'cache'> => ({
  cache: kept === 'used' ? cache : { get: () => undefined, set: (url, fetched) => cache.set(url, fetched) },
})

/** Asks a resolver. A caller's own may ignore the signal and throw other errors; the trace records the cause. */
async function askResolver(
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

function httpExchange(outcome: fetchDocument.Result, seen: Connection | undefined): Partial<HttpExchange> {
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
