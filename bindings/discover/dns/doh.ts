// DNS over HTTPS (RFC 8484) with GET, which every host can send: some servers answer no preflight.
import { encodeBase64url } from '../../keys/base64.ts'
import { anonymous } from '../../net/anonymous.ts'
import { readAtMost } from '../../net/body.ts'
import { deadline } from '../../net/deadline.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { isLoopback } from '../../net/guard.ts'
import { DnsError, unreachable } from './error.ts'
import { NO_ANSWER, RESOLVER } from './findings.ts'
import type { Resolver } from './lookup.ts'

export interface DohOptions {
  /** The platform's when absent. */
  readonly fetch?: GuardedFetch
  /** For one try: 5,000 when absent. */
  readonly timeoutMs?: number
  /** The number of times that an unanswered question is asked again: 1 when absent. */
  readonly retries?: number
}

const MEDIA_TYPE = 'application/dns-message'
const LARGEST = 65_535
const PATIENCE_MS = 5_000

/**
 * A resolver that is asked over HTTPS; over HTTP only on this machine.
 *
 * @example
 * const resolver = dohResolver('https://dns.example/dns-query')
 *
 * @throws {TypeError} for another address.
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
        throw new DnsError(RESOLVER, `it answers ${response.status} ${type ?? 'of no type'}, not ${MEDIA_TYPE}`)
      }
      const bytes = await readAtMost(response, LARGEST)
      if (bytes === undefined) throw new DnsError(RESOLVER, `the answer has more than ${LARGEST} bytes`)
      return bytes
    } catch (error) {
      if (error instanceof DnsError || signal?.aborted) throw error
      if (late.isOver()) throw new DnsError(NO_ANSWER, `no answer within ${timeoutMs} ms`)
      throw new DnsError(RESOLVER, unreachable(error))
    } finally {
      late.end()
    }
  }
  return Object.assign(retrying(once, retries), { isPrivate: true })
}

type Once = (question: Uint8Array<ArrayBuffer>, signal: AbortSignal | undefined) => Promise<Uint8Array>

/** Asks again when no answer came; a wrong answer is final. */
export function retrying(once: Once, retries: number): Once {
  return async (question, signal) => {
    for (let again = retries; ; again--) {
      try {
        return await once(question, signal)
      } catch (error) {
        const isSilence = error instanceof DnsError && error.kind === NO_ANSWER
        if (!isSilence || again <= 0) throw error
      }
    }
  }
}
