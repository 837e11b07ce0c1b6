// Requests to servers that the user names: Workers of Blazon and other directories. Their answers are untrusted and
// limited in size.

import { diagnoseNowhere } from '../../bindings/document/diagnose.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import { reason } from '../../bindings/net/failure.ts'
import { isLoopback } from '../../bindings/net/guard.ts'
import { isObject, type JsonObject, member } from '../../bindings/text/members.ts'
import { FETCH_DIRECTORY } from '../findings.ts'
import type { Host } from '../host.ts'
import { type Result, unreadable } from '../outcome.ts'
import { UsageError } from '../usage.ts'

/** Larger than a page of a backup; discovery answers have at most 65,535 bytes. */
const MOST_BYTES = 64 << 20
const PATIENCE_MS = 30_000
/** The most requests to a busy server. */
const MOST_TRIES = 6
const LONGEST_WAIT_MS = 120_000

/** A whole answer, or the reason why there is no answer. */
export type Answer =
  | { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }
  | { readonly problem: string }

/** Reads the URL of a server. Tokens and queries must stay private: they go over https, or stay on this machine. */
export function readServer(option: string, text: string, { mayHavePath = false } = {}): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    const message = `--${option}: expected a URL, got "${text}"`
    throw new UsageError('invalid-value', message, `as in --${option} https://agents.example.com`)
  }
  if ((url.pathname !== '/' && !mayHavePath) || url.search !== '' || url.hash !== '') {
    const message = `--${option}: expected a server without a path, got "${text}"`
    throw new UsageError('invalid-value', message, `as in --${option} ${url.origin}`)
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url
  throw new UsageError(
    'invalid-value',
    `--${option}: expected https, got "${text}"`,
    'http is only allowed for this machine: others could read the request in transit',
  )
}

/** Sends a request. Redirects are not followed: the request is for this server alone. */
export async function ask(host: Host, url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await host.send(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) })
    const { status, headers } = response
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > MOST_BYTES) return { problem: `${url} answers more than ${MOST_BYTES} bytes` }
      chunks.push(chunk)
    }
    return { status, headers, bytes: Buffer.concat(chunks, length) }
  } catch (error) {
    const { origin } = new URL(url)
    return { problem: `${origin} cannot be reached: ${reason(error)}` }
  }
}

/** Sends a request, and repeats it after the requested delay while the server is busy. */
export async function askPatiently(host: Host, url: string, init: RequestInit): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    const answer = await ask(host, url, init)
    const isBusy = 'status' in answer && (answer.status === 429 || answer.status === 503)
    if (!isBusy || tried === MOST_TRIES) return answer
    const named = Number(answer.headers.get('retry-after') ?? Number.NaN)
    const wait = Number.isFinite(named) && named >= 0 ? named * 1000 : 500 * 2 ** tried
    // Longer waits are left to the user.
    if (wait > LONGEST_WAIT_MS) return answer
    await host.wait(wait)
  }
}

// Results for unexpected answers of servers.

/** The result for a server without a usable answer. */
export function noAnswer(origin: string, answer: Answer): Result {
  const detail =
    'problem' in answer ? answer.problem : `${origin} answers ${answer.status}${wordsOf(membersOf(answer.bytes))}`
  return unreadable({ file: null, diagnostics: [diagnoseNowhere(FETCH_DIRECTORY, { detail }, origin)] })
}

/** Quotes an error, after a colon: the first finding of a directory, or the detail of a problem (RFC 9457). */
export function wordsOf(members: JsonObject): string {
  const diagnostics = member(members, 'diagnostics')
  const first: unknown = Array.isArray(diagnostics) ? diagnostics[0] : undefined
  const words = (isObject(first) && member(first, 'detail')) || member(members, 'detail')
  return typeof words === 'string' ? `: ${words}` : ''
}
