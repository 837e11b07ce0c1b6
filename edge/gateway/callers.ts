// The sender of a request to an agent here: the agent that signed it, the holder of a token, or an anonymous caller.
import type { Diagnostic } from 'blazon'
import { countOne, type FindPeer, type MessageFault, type Peer, verifyRequest } from 'blazon/agp'
import { BUSY } from '../contracts/gateway.ts'
import { Problem } from '../http/problem.ts'
import type { SentRequest } from '../http/relay.ts'
import type { AgentMemory } from './memory.ts'
import { onlyGone, type Self } from './self.ts'
import type { Speakers } from './speakers.ts'

export interface Caller {
  /**
   * `agent:alice.example.com`, `token:` and its holder, or `anyone`. The prefixes keep agents and token holders apart.
   */
  readonly name: string
  /** Set for agents only. */
  readonly peer: Peer | undefined
}

/** What an agent knows about itself and about others. */
export interface AgentKnowledge {
  readonly self: Self
  readonly memory: AgentMemory
  readonly speakers: Speakers
  readonly findPeer: FindPeer
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

export class Callers {
  readonly #known: AgentKnowledge

  constructor(known: AgentKnowledge) {
    this.#known = known
  }

  /**
   * The caller of a request. A signature takes precedence over a token, because the token may only serve to open a
   * private agent.
   */
  async caller(sent: SentRequest, isOpenToAnyone: boolean): Promise<Caller> {
    const { headers, holder } = sent
    const isSigned = headers['signature-input'] !== undefined || headers['signature'] !== undefined
    if (isSigned || (holder === undefined && !isOpenToAnyone)) return this.agent(sent)
    return this.#counted({ name: holder === undefined ? 'anyone' : `token:${holder}`, peer: undefined })
  }

  /** The agent that signed a request, if it may speak here. */
  async agent(sent: SentRequest): Promise<Caller> {
    const peer = await this.signer(sent)
    const refusal = this.#known.speakers.refusalOf(peer.uri, sent.holder !== undefined)
    if (refusal !== undefined) throw notLetIn(refusal)
    return this.#counted({ name: peer.uri, peer })
  }

  /** The agent that signed a request, whether or not it may speak here. Each signed request is accepted only once. */
  async signer(sent: SentRequest): Promise<Peer> {
    const { method, url, body, sender } = sent
    const { findPeer, memory } = this.#known
    const request = { method, url, headers: { get: (name: string) => sent.headers[name] ?? null } }
    const verified = await verifyRequest(request, { body, findPeer, memory, sender })
    if (!verified.ok) throw unproved(verified.diagnostic)
    return verified.peer
  }

  /** Counts a request against the rate limit in the agent's metadata, and refuses a caller that exceeds it. */
  async #counted(caller: Caller): Promise<Caller> {
    const { self, memory } = this.#known
    const own = await self.speaker().catch(onlyGone)
    if (own === undefined) throw new Problem('not-found', 'No agent is published here.')
    const { advertised: rate } = own
    if (rate === undefined || countOne(memory, caller.name, { rate, now: new Date() })) return caller
    throw new Problem('too-many-requests', 'The rate limit in the metadata of this agent is exceeded.', {
      members: { code: RATE },
      headers: { 'retry-after': String(Math.ceil(60 / rate.requestsPerMinute)) },
    })
  }
}
