// Sends a request to an address from an untrusted source. Uses the same guard as fetching, follows no redirects, and
// accepts a response with any status.
import type { Diagnostic } from '../document/types.ts'
import type { HeaderSource } from '../keys/http/sign.ts'
import { anonymous, deadline, readAtMost } from './deadline.ts'
import { FetchRefusal, kindOf, reason, refusalDiagnostic } from './failure.ts'
import type { GuardedFetch } from './fetch.ts'
import * as FINDINGS from './findings.ts'
import { refuseUrl } from './guard.ts'

export declare namespace sendRequest {
  interface Options {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    /** Default: the platform's fetch. */
    readonly fetch?: GuardedFetch
    /** The limit of the response; default: 65,536. */
    readonly maxBytes?: number
    /** Default: 10,000. */
    readonly timeoutMs?: number
    /** Allows a server on this machine: for development. */
    readonly loopback?: boolean
    /** Aborts the request from outside. */
    readonly signal?: AbortSignal
  }

  type Result =
    | { readonly ok: true; readonly status: number; readonly headers: HeaderSource; readonly bytes: Uint8Array }
    | { readonly ok: false; readonly diagnostic: Diagnostic }
}

const LARGEST = 65_536
const PATIENCE_MS = 10_000

/**
 * Why nothing may be sent to an address from an untrusted source; undefined when it is allowed.
 *
 * @example
 * addressFault('https://169.254.169.254/') // 'the address is not public: Link Local'
 */
export function addressFault(url: string, allowsLoopback = false): string | undefined {
  return URL.canParse(url) ? refuseUrl(new URL(url), allowsLoopback) : 'it is no URL'
}

/**
 * Sends a request to an address from an untrusted source.
 *
 * @example
 * const sent = await sendRequest('https://alice.example.com/agent/webhook', { method: 'POST', headers, body })
 */
export async function sendRequest(url: string, options: sendRequest.Options): Promise<sendRequest.Result> {
  const { timeoutMs = PATIENCE_MS, signal } = options
  const late = deadline(timeoutMs, signal)
  try {
    return await send(url, options, late.signal)
  } catch (error) {
    const refused = late.isOver()
      ? new FetchRefusal(FINDINGS.FETCH_TIMEOUT, `${url}: no answer within ${timeoutMs} ms`)
      : error instanceof FetchRefusal
        ? error
        : new FetchRefusal(kindOf(error), `${url}: ${reason(error)}`)
    return { ok: false, diagnostic: refusalDiagnostic(refused, url) }
  } finally {
    late.end()
  }
}

async function send(url: string, options: sendRequest.Options, signal: AbortSignal): Promise<sendRequest.Result> {
  const { method, headers, body, loopback, maxBytes = LARGEST } = options
  const { fetch = globalThis.fetch as GuardedFetch } = options
  const why = addressFault(url, loopback)
  if (why !== undefined) throw new FetchRefusal(FINDINGS.FETCH_ADDRESS, `it is not sent there: ${why}`)
  const more = fetch.seesConnections === true && loopback !== undefined ? { loopback } : anonymous()
  const init = { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }), ...more } as const
  const response = await fetch(url, init)
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    throw new FetchRefusal(FINDINGS.FETCH_REDIRECT, `${url}: it redirects, and nothing is sent elsewhere`)
  }
  const bytes = await readAtMost(response, maxBytes)
  if (bytes === undefined)
    throw new FetchRefusal(FINDINGS.FETCH_TOO_LARGE, `${url}: the answer has more than ${maxBytes} bytes`)
  return { ok: true, status: response.status, headers: response.headers, bytes }
}
