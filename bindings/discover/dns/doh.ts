// DNS over HTTPS (RFC 8484) with GET, which works in every host: some servers do not answer preflight requests.
import { encodeBase64url } from '../../keys/base64.ts'
import { anonymous, deadline, readAtMost } from '../../net/deadline.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { isLoopback } from '../../net/guard.ts'
import { DnsError, unreachable } from './error.ts'
import { DNS_NO_ANSWER, DNS_RESOLVER } from './findings.ts'
import type { Resolver } from './lookup.ts'

export interface DohOptions {
  /** Default: the platform's. */
  readonly fetch?: GuardedFetch
  /** For one try; default 5,000. */
  readonly timeoutMs?: number
  /** How often an unanswered question is repeated; default 1. */
  readonly retries?: number
}

const MEDIA_TYPE = 'application/dns-message'
const LARGEST = 65_535
const PATIENCE_MS = 5_000

/**
 * A resolver over HTTPS, or over HTTP on this machine.
 *
 * @example
 * const resolver = dohResolver('https://dns.example/dns-query')
 *
 * @throws {TypeError} for another URL.
 */
export function dohResolver(url: string, options: DohOptions = {}): Resolver {
  const { fetch = globalThis.fetch as GuardedFetch, timeoutMs = PATIENCE_MS, retries = 1 } = options
  const base = URL.canParse(url) ? new URL(url) : undefined
  const isUsable = base?.protocol === 'https:' || (base?.protocol === 'http:' && isLoopback(base.hostname))
  if (base === undefined || !isUsable)
    throw new TypeError(`resolver: expected an https URL, got ${JSON.stringify(url)}`)
  const once = async (question: Uint8Array, signal: AbortSignal | undefined) => {
    const to = new URL(base)
    to.searchParams.set('dns', encodeBase64url(question))
    const late = deadline(timeoutMs, signal)
    try {
      const response = await fetch(to.href, {
        headers: { accept: MEDIA_TYPE },
        redirect: 'manual',
        ...anonymous(),
        signal: late.signal,
      })
      const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
      if (response.status !== 200 || type !== MEDIA_TYPE) {
        await response.body?.cancel()
        throw new DnsError(DNS_RESOLVER, `it answers ${response.status} ${type ?? 'of no type'}, not ${MEDIA_TYPE}`)
      }
      const bytes = await readAtMost(response, LARGEST)
      if (bytes === undefined) throw new DnsError(DNS_RESOLVER, `the answer has more than ${LARGEST} bytes`)
      return bytes
    } catch (error) {
      if (error instanceof DnsError || signal?.aborted) throw error
      if (late.isOver()) throw new DnsError(DNS_NO_ANSWER, `no answer within ${timeoutMs} ms`)
      throw new DnsError(DNS_RESOLVER, unreachable(error))
    } finally {
      late.end()
    }
  }
  return Object.assign(retrying(once, retries), { isPrivate: true })
}

type Once = (question: Uint8Array<ArrayBuffer>, signal: AbortSignal | undefined) => Promise<Uint8Array>

/** Repeats an unanswered question. A wrong answer is final. */
export function retrying(once: Once, retries: number): Once {
  return async (question, signal) => {
    for (let again = retries; ; again--) {
      try {
        return await once(question, signal)
      } catch (error) {
        const isSilence = error instanceof DnsError && error.kind === DNS_NO_ANSWER
        if (!isSilence || again <= 0) throw error
      }
    }
  }
}
