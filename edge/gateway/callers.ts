// Who sends a request to an agent here: the agent whose signature it carries, the holder of a token, or anybody.
import { type FindPeer, type LinkMemory, type MessageFault, type Peer, verifyRequest } from 'blazon/agp'
import type { Diagnostic } from 'blazon/document'
import { Problem } from '../http/problem.ts'

/** A request, as an object is told of it. */
export interface SentRequest {
  readonly method: string
  /** The public address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The network address that it came from. */
  readonly sender: string
  /** The holder of the token that opened the route, if there was one. */
  readonly holder: string | undefined
}

export interface Caller {
  /** `agent:alice.example.com`, `token:` and its holder, or `anyone`: what is an agent's is no other's. */
  readonly name: string
  /** Of an agent. */
  readonly peer: Peer | undefined
}

const ANYONE: Caller = { name: 'anyone', peer: undefined }

export interface Proving {
  readonly memory: LinkMemory
  readonly findPeer: FindPeer
  /** Judges who is proved: undefined lets it in. `isInvited`: with a token for this agent. */
  readonly admit: (peer: Peer, isInvited: boolean) => MessageFault | undefined
  /** Counts a request of a caller by the limit that the agent advertises; the seconds to wait when there were too many. */
  readonly count: (name: string) => Promise<number | undefined>
}

/** A signature counts before a token, for the token may be there to open a private agent. */
export async function callerOf(sent: SentRequest, proving: Proving): Promise<Caller> {
  const { headers, holder } = sent
  if (headers['signature-input'] !== undefined || headers['signature'] !== undefined) return agentOf(sent, proving)
  return holder === undefined ? ANYONE : { name: `token:${holder}`, peer: undefined }
}

/** The agent whose signature a request carries: a request counts once. */
export async function agentOf(sent: SentRequest, { memory, findPeer, admit }: Proving): Promise<Caller> {
  const { method, url, body, sender } = sent
  const request = { method, url, headers: { get: (name: string) => sent.headers[name] ?? null } }
  const verified = await verifyRequest(request, { body, findPeer, memory, sender })
  if (!verified.ok) throw unproved(verified.diagnostic)
  const { peer } = verified
  const refusal = admit(peer, sent.holder !== undefined)
  if (refusal !== undefined) throw notLetIn(refusal)
  return { name: peer.uri, peer }
}

/** RFC 9421 section 5.1: what a signature is to have. */
const WANTED = 'sig1=("@method" "@target-uri" "content-digest" "signature-agent");created;expires;nonce;keyid'
/** Too many are being looked for, or remembered: it is not the caller's fault. */
export const BUSY = 'AGP-135'
const RATE = 'AGP-134'

function unproved(diagnostic: Diagnostic): Problem {
  if (diagnostic.code === BUSY)
    return new Problem('too-many-requests', `${diagnostic.detail}.`, { headers: { 'retry-after': '60' } })
  return new Problem('unauthorized', `${diagnostic.title}: ${diagnostic.detail}.`, {
    members: { diagnostics: [diagnostic] },
    headers: { 'www-authenticate': 'Signature realm="blazon"', 'accept-signature': WANTED },
  })
}

function notLetIn({ kind, detail }: MessageFault): Problem {
  return new Problem('forbidden', `${kind.title}: ${detail}.`, { members: { code: kind.code } })
}

/** Refuses what the metadata of the agent does not allow. */
export async function counted(caller: Caller, { count }: Proving): Promise<Caller> {
  const seconds = await count(caller.name)
  if (seconds === undefined) return caller
  throw new Problem('too-many-requests', 'These are more requests than the metadata of this agent allows.', {
    members: { code: RATE },
    headers: { 'retry-after': String(seconds) },
  })
}
