// A request to an address that somebody else has named: the same guard as for reading, no redirect, and any status is an answer.
import type { Diagnostic } from '../document/types.ts'
import type { HeaderSource } from '../keys/http/components.ts'
import { anonymous } from './anonymous.ts'
import { readAtMost } from './body.ts'
import { deadline } from './deadline.ts'
import { reason } from './failure.ts'
import type { GuardedFetch } from './fetch.ts'
import { ADDRESS, ANSWER_TOO_LARGE, REDIRECT, TIMEOUT } from './findings.ts'
import { refuseUrl } from './guard.ts'
import { kindOf, Refused, refusalDiagnostic } from './refused.ts'

export interface SendOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The platform's fetch when absent. */
  readonly fetch?: GuardedFetch
  /** Of the answer: 65,536 when absent. */
  readonly maxBytes?: number
  /** 10,000 when absent. */
  readonly timeoutMs?: number
  /** Lets the server be on this machine: for development. */
  readonly loopback?: boolean
  /** Aborts it from outside. */
  readonly signal?: AbortSignal
}

export type SendOutcome =
  | { readonly ok: true; readonly status: number; readonly headers: HeaderSource; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

const LARGEST = 65_536
const PATIENCE_MS = 10_000

/**
 * Why nothing is sent to an address that somebody has named; undefined when nothing is known against it.
 *
 * @example
 * addressFault('https://169.254.169.254/') // 'the address is not public: Link Local'
 */
export function addressFault(url: string, allowsLoopback = false): string | undefined {
  return URL.canParse(url) ? refuseUrl(new URL(url), allowsLoopback) : 'it is no URL'
}

/**
 * Sends a request to an address that somebody else has named.
 *
 * @example
 * const sent = await sendRequest('https://alice.example.com/agent/webhook', { method: 'POST', headers, body })
 */
export async function sendRequest(url: string, options: SendOptions): Promise<SendOutcome> {
  const { timeoutMs = PATIENCE_MS, signal } = options
  const late = deadline(timeoutMs, signal)
  try {
    return await send(url, options, late.signal)
  } catch (error) {
    const refused = late.isOver()
      ? new Refused(TIMEOUT, `${url}: no answer within ${timeoutMs} ms`)
      : error instanceof Refused
        ? error
        : new Refused(kindOf(error), `${url}: ${reason(error)}`)
    return { ok: false, diagnostic: refusalDiagnostic(refused, url) }
  } finally {
    late.end()
  }
}

async function send(url: string, options: SendOptions, signal: AbortSignal): Promise<SendOutcome> {
  const { method, headers, body, loopback, maxBytes = LARGEST } = options
  const { fetch = globalThis.fetch as GuardedFetch } = options
  const why = addressFault(url, loopback)
  if (why !== undefined) throw new Refused(ADDRESS, `it is not sent there: ${why}`)
  const more = fetch.seesConnections === true && loopback !== undefined ? { loopback } : anonymous()
  const init = { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }), ...more } as const
  const response = await fetch(url, init)
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    throw new Refused(REDIRECT, `${url}: it redirects, and nothing is sent elsewhere`)
  }
  const bytes = await readAtMost(response, maxBytes)
  if (bytes === undefined) throw new Refused(ANSWER_TOO_LARGE, `${url}: the answer has more than ${maxBytes} bytes`)
  return { ok: true, status: response.status, headers: response.headers, bytes }
}
