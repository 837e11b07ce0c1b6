// The sender of a request to an agent here: the agent that signed it, the holder of a token, or an anonymous caller.
import type { Diagnostic } from 'blazon'
import { type FindPeer, type LinkMemory, type MessageFault, type Peer, verifyRequest } from 'blazon/agp'
import { BUSY } from '../contracts/gateway.ts'
import { Problem } from '../http/problem.ts'
import type { SentRequest } from '../http/relay.ts'

export interface Caller {
  /**
   * `agent:alice.example.com`, `token:` and its holder, or `anyone`. The prefixes keep agents and token holders apart.
   */
  readonly name: string
  /** Set for agents only. */
  readonly peer: Peer | undefined
}

const ANYONE: Caller = { name: 'anyone', peer: undefined }

export interface Proving {
  readonly memory: LinkMemory
  readonly findPeer: FindPeer
  /** Decides about a verified agent: undefined lets it in. `isInvited`: it has a token for this agent. */
  readonly admit: (peer: Peer, isInvited: boolean) => MessageFault | undefined
  /**
   * Counts a request against the rate limit that the agent advertises; returns the seconds to wait when the limit is
   * exceeded.
   */
  readonly count: (name: string) => Promise<number | undefined>
}

/** A signature takes precedence over a token, because the token may only serve to open a private agent. */
export async function callerOf(sent: SentRequest, proving: Proving): Promise<Caller> {
  const { headers, holder } = sent
  if (headers['signature-input'] !== undefined || headers['signature'] !== undefined) return agentOf(sent, proving)
  return holder === undefined ? ANYONE : { name: `token:${holder}`, peer: undefined }
}

/** The agent that signed a request. Each signed request is accepted only once. */
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

/** RFC 9421 section 5.1: the signature that this server accepts. */
const WANTED = 'sig1=("@method" "@target-uri" "content-digest" "signature-agent");created;expires;nonce;keyid'
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

/** Refuses a caller that exceeds the rate limit in the agent's metadata. */
export async function counted(caller: Caller, { count }: Proving): Promise<Caller> {
  const seconds = await count(caller.name)
  if (seconds === undefined) return caller
  throw new Problem('too-many-requests', 'The rate limit in the metadata of this agent is exceeded.', {
    members: { code: RATE },
    headers: { 'retry-after': String(seconds) },
  })
}
