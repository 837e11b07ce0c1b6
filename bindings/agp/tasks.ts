// Tasks for other agents over HTTP (ADP/1.1 section 7.3.1): the client, which signs each request.
import { diagnoseNowhere } from '../document/diagnose.ts'
import { membersOf } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { GuardedFetch } from '../net/fetch.ts'
import { type SendOutcome, sendRequest } from '../net/send.ts'
import { type JsonObject, member } from '../text/members.ts'
import { cut } from '../text/words.ts'
import { isFault } from './contents.ts'
import { AGP_NO_TASK, AGP_UNKNOWN } from './findings.ts'
import { domainOfUri } from './message.ts'
import type { FindAgent } from './peer.ts'
import { rememberPeers } from './peers.ts'
import { type SignRequestOptions, signRequest } from './request.ts'

/** A task for another agent. */
export interface TaskRequest {
  /** `code-review`. */
  readonly task: string
  /** Any JSON. */
  readonly input?: unknown
  /** The URL for the result, at an origin in the caller's own metadata. */
  readonly callback?: string
}

export interface TaskOptions extends Pick<SignRequestOptions, 'key' | 'as'> {
  /** Default: the platform's fetch, which does not check addresses. `guardedFetch` of `blazon/node` does. */
  readonly fetch?: GuardedFetch
  /** A token for a private agent, in addition to the signature. */
  readonly token?: string
  /** Allows agents on this machine. For development. */
  readonly loopback?: boolean
  readonly signal?: AbortSignal
}

export interface SendTaskOptions extends TaskOptions {
  /** Finds the agent by its domain, as `discover` does with `require: 'key-verified'`. */
  readonly discover: FindAgent
  /** Requests with the same key create one task. Default: a random key. */
  readonly idempotencyKey?: string
}

export type TaskState = 'queued' | 'taken' | 'completed' | 'failed' | 'canceled'

/** A task as the other agent reports it. */
export interface TaskStatus {
  /** The URL for its status. */
  readonly statusUrl: string
  /** A TaskState for Blazon agents. The draft defines no names. */
  readonly state: TaskState | (string & {}) | undefined
  readonly id: string | undefined
  readonly result: unknown
  readonly error: string | undefined
}

export type TaskAnswer =
  | { readonly ok: true; readonly task: TaskStatus }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

/** The maximum size of a response: a result with its surroundings. */
const MOST_BYTES = 1 << 20
const LONGEST_WORDS = 300

/**
 * Sends a task to an agent: finds it, and sends a request signed with the caller's key.
 *
 * @example
 * const sent = await sendTask('agent:bob.example.com', { task: 'code-review', input }, { key, as, discover: find })
 * if (sent.ok) await readTask(sent.task.statusUrl, { key, as })
 *
 * @throws {KeyError} for a key that cannot sign, {RangeError} for an invalid agent.
 */
export async function sendTask(agent: string, request: TaskRequest, options: SendTaskOptions): Promise<TaskAnswer> {
  const uri = agent.startsWith('agent:') ? agent : `agent:${agent}`
  if (domainOfUri(uri) === undefined) throw new RangeError(`agent: expected agent: and a domain, got ${String(agent)}`)
  const peer = await rememberPeers(options.discover)(uri)
  if (isFault(peer)) return { ok: false, diagnostic: diagnoseNowhere(peer.kind, { detail: peer.detail }) }
  const { tasks: url } = peer.endpoints
  if (url === undefined)
    return {
      ok: false,
      diagnostic: diagnoseNowhere(AGP_UNKNOWN, { detail: `${peer.uri} has no endpoint for tasks` }),
    }
  const { task, input, callback } = request
  const { idempotencyKey = crypto.randomUUID() } = options
  const body = JSON.stringify({ task, input, callback })
  const more = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
  const sent = await ask(url, { method: 'POST', body, more }, options)
  if (!sent.ok || sent.status !== 202) return refusal(url, sent)
  const members = membersOf(sent.bytes)
  const said = textOf(members, 'statusUrl') ?? sent.headers.get('location') ?? ''
  const statusUrl = said !== '' && URL.canParse(said, url) ? new URL(said, url) : undefined
  if (statusUrl?.origin !== new URL(url).origin) {
    const detail = `${url}: the address of the status is not at the origin of the agent`
    return { ok: false, diagnostic: diagnoseNowhere(AGP_NO_TASK, { detail }, url) }
  }
  return { ok: true, task: statusOf(statusUrl.href, members) }
}

/**
 * Returns the state of the caller's task, and its result.
 *
 * @example
 * const answer = await readTask(task.statusUrl, { key, as: 'agent:alice.example.com' })
 */
export function readTask(statusUrl: string, options: TaskOptions): Promise<TaskAnswer> {
  return status(statusUrl, 'GET', options)
}

/**
 * Cancels the caller's task.
 *
 * @example
 * const answer = await cancelTask(task.statusUrl, { key, as: 'agent:alice.example.com' })
 */
export function cancelTask(statusUrl: string, options: TaskOptions): Promise<TaskAnswer> {
  return status(statusUrl, 'DELETE', options)
}

async function status(url: string, method: string, options: TaskOptions): Promise<TaskAnswer> {
  const sent = await ask(url, { method, more: {} }, options)
  if (!sent.ok || sent.status !== 200) return refusal(url, sent)
  return { ok: true, task: statusOf(url, membersOf(sent.bytes)) }
}

interface Asking {
  readonly method: string
  readonly body?: string
  readonly more: Readonly<Record<string, string>>
}

async function ask(url: string, { method, body, more }: Asking, options: TaskOptions): Promise<SendOutcome> {
  const { key, as, token, fetch, loopback, signal } = options
  // A malformed URL is refused below, so nothing is signed for it.
  const signature = URL.canParse(url)
    ? await signRequest({ method, url, ...(body !== undefined && { body }) }, { key, as })
    : {}
  const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }), ...signature }
  return sendRequest(url, {
    method,
    headers,
    maxBytes: MOST_BYTES,
    ...(body !== undefined && { body }),
    ...(fetch !== undefined && { fetch }),
    ...(loopback !== undefined && { loopback }),
    ...(signal !== undefined && { signal }),
  })
}

function refusal(url: string, sent: SendOutcome): TaskAnswer {
  if (!sent.ok) return sent
  const words = textOf(membersOf(sent.bytes), 'detail')
  const detail = `${url}: it answers ${sent.status}${words === undefined ? '' : `: ${cut(words, LONGEST_WORDS)}`}`
  return { ok: false, diagnostic: diagnoseNowhere(AGP_NO_TASK, { detail }, url) }
}

function statusOf(statusUrl: string, members: JsonObject): TaskStatus {
  const [id, state, error] = ['id', 'state', 'error'].map((name) => textOf(members, name))
  return { statusUrl, id, state, error, result: member(members, 'result') }
}

function textOf(members: JsonObject, name: string): string | undefined {
  const value = member(members, name)
  return typeof value === 'string' ? value : undefined
}
