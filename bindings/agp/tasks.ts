// Tasks for other agents over HTTP (ADP/1.1 section 7.3.1): the client, which signs each request.
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import { membersOf } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { fingerprint } from '../keys/export.ts'
import { signMessage } from '../keys/http/sign.ts'
import { contentDigest, type RefusalReason, verifyMessage } from '../keys/http/verify.ts'
import type { Key } from '../keys/key.ts'
import type { KeySource } from '../keys/read.ts'
import type { GuardedFetch } from '../net/fetch.ts'
import { sendRequest } from '../net/send.ts'
import { toHex } from '../text/bytes.ts'
import { type JsonObject, member } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { cut } from '../text/words.ts'
import { sha256 } from '../wasm/sha256.ts'
import * as FINDINGS from './findings.ts'
import { AGP_NO_TASK, AGP_UNKNOWN } from './findings.ts'
import type { LinkMemory } from './memory.ts'
import { domainOfUri, isFault, newNonce } from './message.ts'
import { type FindAgent, type FindPeer, type Peer, rememberPeers } from './peer.ts'

export declare namespace sendTask {
  interface Options extends TaskOptions {
    /** Finds the agent by its domain, as `discover` does with `require: 'key-verified'`. */
    readonly discover: FindAgent
    /** Requests with the same key create one task. Default: a random key. */
    readonly idempotencyKey?: string
  }

  /** A task for another agent. */
  interface Request {
    /** `code-review`. */
    readonly task: string
    /** Any JSON. */
    readonly input?: unknown
    /** The URL for the result, at an origin in the caller's own metadata. */
    readonly callback?: string
  }
}

export interface TaskOptions extends Pick<signRequest.Options, 'key' | 'as'> {
  /** Default: the platform's fetch, which does not check addresses. `guardedFetch` of `blazon/node` does. */
  readonly fetch?: GuardedFetch
  /** A token for a private agent, in addition to the signature. */
  readonly token?: string
  /** Allows agents on this machine. For development. */
  readonly loopback?: boolean
  readonly signal?: AbortSignal
}

type TaskState = 'queued' | 'taken' | 'completed' | 'failed' | 'canceled'

/** A task as the other agent reports it. */
interface TaskStatus {
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
export async function sendTask(
  agent: string,
  request: sendTask.Request,
  options: sendTask.Options,
): Promise<TaskAnswer> {
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
  const said = textMember(members, 'statusUrl') ?? sent.headers.get('location') ?? ''
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

async function ask(url: string, { method, body, more }: Asking, options: TaskOptions): Promise<sendRequest.Result> {
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

function refusal(url: string, sent: sendRequest.Result): TaskAnswer {
  if (!sent.ok) return sent
  const words = textMember(membersOf(sent.bytes), 'detail')
  const detail = `${url}: it answers ${sent.status}${words === undefined ? '' : `: ${cut(words, LONGEST_WORDS)}`}`
  return { ok: false, diagnostic: diagnoseNowhere(AGP_NO_TASK, { detail }, url) }
}

function statusOf(statusUrl: string, members: JsonObject): TaskStatus {
  const [id, state, error] = ['id', 'state', 'error'].map((name) => textMember(members, name))
  return { statusUrl, id, state, error, result: member(members, 'result') }
}

function textMember(members: JsonObject, name: string): string | undefined {
  const value = member(members, name)
  return typeof value === 'string' ? value : undefined
}

// HTTP requests that an agent signs with its key (RFC 9421), and their verification by the recipient.

export declare namespace signRequest {
  interface Options {
    /** The Ed25519 key in the agent's metadata. */
    readonly key: KeySource
    /** The agent that signs: `agent:alice.example.com`. */
    readonly as: string
    readonly now?: Date
  }

  /** The headers that the signature adds to a request. */
  interface Result {
    readonly 'content-digest': string
    readonly 'signature-agent': string
    readonly 'signature-input': string
    readonly signature: string
  }

  /** A request to sign. */
  interface Request {
    readonly method: string
    /** The full URL. */
    readonly url: string
    /** Default: empty. */
    readonly body?: Uint8Array | string
  }
}

/**
 * The components that the signature must cover. `@authority` and the tag are for gateways that only support Web Bot
 * Auth.
 */
const COMPONENTS = ['@method', '@target-uri', 'content-digest', 'signature-agent']
const SIGNED = [...COMPONENTS, '@authority']
const TAG = 'web-bot-auth'
const LASTS_MS = 60_000
const NONCE = /^[\x21-\x7e]{16,128}$/
const AGENT = /^"https:\/\/([^\s"\\/?#:@]{1,253})\/?"$/
const encoder = new TextEncoder()

/**
 * Signs an agent's request. The signature covers method, URL, body and the agent's name, and is valid for one minute
 * and one use.
 *
 * @example
 * const headers = await signRequest({ method: 'POST', url, body }, { key, as: 'agent:alice.example.com' })
 *
 * @throws {KeyError} for a key that cannot sign, {RangeError} for an invalid agent.
 */
export async function signRequest(
  { method, url, body = '' }: signRequest.Request,
  { key, as, now }: signRequest.Options,
): Promise<signRequest.Result> {
  const domain = domainOfUri(as)
  if (domain === undefined) throw new RangeError(`as: expected agent: and a domain, got ${String(as)}`)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const own = { 'content-digest': contentDigest(bytes), 'signature-agent': `"https://${domain.toLowerCase()}"` }
  const created = checkedNow(now)
  const expires = new Date(created.getTime() + LASTS_MS)
  const options = { components: SIGNED, created, expires, nonce: newNonce(), tag: TAG }
  return { ...own, ...(await signMessage({ method, url, headers: new Headers(own) }, key, options)) }
}

export declare namespace verifyRequest {
  interface Request {
    readonly method: string
    /** The URL of the request as clients see it. */
    readonly url: string
    readonly headers: { get(name: string): string | null }
  }

  interface Options {
    readonly body: Uint8Array
    /** Finds the agent that the request names, like `rememberPeers`. Called after all other checks. */
    readonly findPeer: FindPeer
    /** The network address of the sender, which limits its lookups. Default: one shared address for all senders. */
    readonly sender?: string
    /** Stores used nonces, so that each request counts once. `linkMemory` creates one. */
    readonly memory: LinkMemory
    readonly now?: Date
  }

  type Result = { readonly ok: true; readonly peer: Peer } | { readonly ok: false; readonly diagnostic: Diagnostic }
}

const KINDS: Readonly<Record<RefusalReason, readonly [kind: FindingKind, header: string]>> = {
  absent: [FINDINGS.AGP_UNSIGNED, 'Signature-Input'],
  coverage: [FINDINGS.AGP_UNCOVERED, 'Signature-Input'],
  time: [FINDINGS.AGP_OUT_OF_TIME, 'Signature-Input'],
  body: [FINDINGS.AGP_OTHER_BODY, 'Content-Digest'],
  key: [FINDINGS.AGP_OTHER_KEYID, 'Signature-Input'],
  forged: [FINDINGS.AGP_NOT_SIGNED, 'Signature'],
}

/**
 * Determines which agent sent a request, from its signature and the key in the metadata of the domain that it names.
 *
 * @example
 * const verified = await verifyRequest(request, { body, findPeer, memory })
 * if (verified.ok) console.log(verified.peer.uri)
 */
export async function verifyRequest(
  request: verifyRequest.Request,
  { body, findPeer, memory, sender = '', now = new Date() }: verifyRequest.Options,
): Promise<verifyRequest.Result> {
  checkedNow(now)
  const named = request.headers.get('signature-agent')
  const uri = `agent:${AGENT.exec(named ?? '')?.[1]?.toLowerCase() ?? ''}`
  if (domainOfUri(uri) === undefined)
    return refused(FINDINGS.AGP_UNSIGNED, 'Signature-Agent', 'expected "https://" and a domain')
  let found: Awaited<ReturnType<FindPeer>> | undefined
  const keyOf = async (keyid: string): Promise<Key | undefined> => {
    const hasKey = async ({ verifier }: Peer) => (await fingerprint(verifier.publicKey)) === keyid
    found = await findPeer(uri, { sender, hasKey })
    return isFault(found) || !(await hasKey(found)) ? undefined : found.verifier.publicKey
  }
  const verified = await verifyMessage(request, { keyOf, any: true, components: COMPONENTS, body, now })
  if (found !== undefined && isFault(found)) return refused(found.kind, 'Signature-Agent', found.detail)
  if (!verified.valid) return refused(...KINDS[verified.reason], verified.fault)
  const { nonce } = verified
  if (nonce === undefined || !NONCE.test(nonce))
    return refused(FINDINGS.AGP_UNCOVERED, 'Signature-Input', 'expected a nonce of 16 to 128 characters')
  if (found === undefined) return refused(FINDINGS.AGP_UNKNOWN, 'Signature-Agent', `${uri} was not found`)
  // In hex, because nonces are case-sensitive and ids are not.
  const id = `nonce ${toHex(sha256(encoder.encode(nonce)))}`
  if (memory.has(found.uri, id))
    return refused(FINDINGS.AGP_TAKEN_BEFORE, 'Signature-Input', 'its nonce was taken before')
  if (!memory.add(found.uri, id, now))
    return refused(FINDINGS.AGP_REFUSED, 'Signature-Agent', 'as many requests were signed as can be remembered: later')
  return { ok: true, peer: found }
}

const refused = (kind: FindingKind, header: string, detail: string): verifyRequest.Result => ({
  ok: false,
  diagnostic: diagnoseNowhere(kind, { detail }, header),
})
