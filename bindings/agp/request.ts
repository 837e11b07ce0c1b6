// HTTP requests that an agent signs with its key (RFC 9421), and their verification by the recipient.
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { fingerprint } from '../keys/export.ts'
import { signMessage } from '../keys/http/sign.ts'
import { contentDigest, type RefusalReason, verifyMessage } from '../keys/http/verify.ts'
import type { Key } from '../keys/key.ts'
import type { KeySource } from '../keys/read.ts'
import { toHex } from '../text/bytes.ts'
import { checkedNow } from '../text/moment.ts'
import { sha256 } from '../wasm/sha256.ts'
import { isFault, newNonce } from './contents.ts'
import * as FINDINGS from './findings.ts'
import type { LinkMemory } from './memory.ts'
import { domainOfUri } from './message.ts'
import type { Peer } from './peer.ts'
import type { FindPeer } from './peers.ts'

/** A request to sign. */
export interface AgentRequest {
  readonly method: string
  /** The full URL. */
  readonly url: string
  /** Default: empty. */
  readonly body?: Uint8Array | string
}

export interface SignRequestOptions {
  /** The Ed25519 key in the agent's metadata. */
  readonly key: KeySource
  /** The agent that signs: `agent:alice.example.com`. */
  readonly as: string
  readonly now?: Date
}

/** The headers that the signature adds to a request. */
export interface RequestSignature {
  readonly 'content-digest': string
  readonly 'signature-agent': string
  readonly 'signature-input': string
  readonly signature: string
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
  { method, url, body = '' }: AgentRequest,
  { key, as, now }: SignRequestOptions,
): Promise<RequestSignature> {
  const domain = domainOfUri(as)
  if (domain === undefined) throw new RangeError(`as: expected agent: and a domain, got ${String(as)}`)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const own = { 'content-digest': contentDigest(bytes), 'signature-agent': `"https://${domain.toLowerCase()}"` }
  const created = checkedNow(now)
  const expires = new Date(created.getTime() + LASTS_MS)
  const options = { components: SIGNED, created, expires, nonce: newNonce(), tag: TAG }
  return { ...own, ...(await signMessage({ method, url, headers: new Headers(own) }, key, options)) }
}

export interface VerifyRequestOptions {
  readonly body: Uint8Array
  /** Finds the agent that the request names, like `rememberPeers`. Called after all other checks. */
  readonly findPeer: FindPeer
  /** The network address of the sender, which limits its lookups. Default: one shared address for all senders. */
  readonly sender?: string
  /** Stores used nonces, so that each request counts once. `linkMemory` creates one. */
  readonly memory: LinkMemory
  readonly now?: Date
}

export type VerifiedRequest =
  | { readonly ok: true; readonly peer: Peer }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

export interface ReceivedRequest {
  readonly method: string
  /** The URL of the request as clients see it. */
  readonly url: string
  readonly headers: { get(name: string): string | null }
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
  request: ReceivedRequest,
  { body, findPeer, memory, sender = '', now = new Date() }: VerifyRequestOptions,
): Promise<VerifiedRequest> {
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

const refused = (kind: FindingKind, header: string, detail: string): VerifiedRequest => ({
  ok: false,
  diagnostic: diagnoseNowhere(kind, { detail }, header),
})
