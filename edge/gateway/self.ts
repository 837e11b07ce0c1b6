// The agent of this gateway: its metadata, and its key, which is in an object of its own.
import {
  chatEndpoint,
  type MessageRate,
  type NumberedDraft,
  type Peer,
  type Speaker,
  type signRequest,
} from 'blazon/agp'
import { parseJson } from 'blazon/document'
import type { Call } from '../access/route.ts'
import { keysOf } from '../agents/did.ts'
import { type AgentHere, agentOrRefuse, findAgent } from '../agents/find.ts'
import { agentAt } from '../agents/hosts.ts'
import { agentStub, documents, type Env, gatewayStub, numberOf } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { senderOf } from '../http/relay.ts'
import { socketIn } from '../platform/runtime.ts'
import type { Socket, Values } from '../platform/types.ts'

/** How long to trust what was read: the metadata and the key may change. */
const SELF_MS = 60_000

interface ToSign {
  readonly drafts: readonly NumberedDraft[]
  readonly done: (texts: readonly string[]) => void
  readonly fail: (error: unknown) => void
}

interface SelfMetadata {
  readonly identity: { readonly id: string; readonly publicKey: { readonly fingerprint: string } }
  readonly endpoints: { readonly tasks?: string; readonly webhook?: string }
  readonly security?: {
    readonly minProtocolVersion?: string
    readonly rateLimit?: { readonly requestsPerMinute: number; readonly burstSize?: number }
  }
}

interface Own extends Speaker, Pick<SelfMetadata, 'endpoints'> {
  /**
   * The rate limit in its metadata, which applies to requests as well. Undefined if the metadata has none: HTTP
   * requests are then bounded only by the rate limits of the Worker.
   */
  readonly advertised: MessageRate | undefined
  /** Only callers with a token for the agent may speak to it. */
  readonly isPrivate: boolean
}

/** Nothing is published under this agent's name, so nobody can speak for it. */
class Gone extends Error {}

/** Returns undefined for an agent that is gone; throws other errors again. */
export function onlyGone(error: unknown): undefined {
  if (!(error instanceof Gone)) throw error
}

/** For agents whose metadata has no rate limit. */
const DEFAULT_RATE = { requestsPerMinute: 600, burstSize: 60 }

export class Self {
  readonly #env: Env
  readonly #kv: Values
  #known: { readonly speaker: Promise<Own>; readonly until: number } | undefined
  #toSign: ToSign[] = []

  constructor(env: Env, kv: Values) {
    this.#env = env
    this.#kv = kv
  }

  /** The agent's name. The first request sets it. */
  get name(): string {
    return this.#kv.get<string>('name')!
  }

  set name(name: string) {
    this.#kv.put('name', name)
  }

  /** The agent itself, as its metadata describes it. */
  speaker(): Promise<Own> {
    if (this.#known === undefined || this.#known.until < Date.now()) {
      const known = { speaker: this.#read(), until: Date.now() + SELF_MS }
      this.#known = known
      // A failure is not cached.
      known.speaker.catch(() => {
        if (this.#known === known) this.#known = undefined
      })
    }
    return this.#known.speaker
  }

  /** Where it takes results: the address next to its tasks, unless its metadata names one. */
  async webhook(): Promise<string | undefined> {
    const { tasks, webhook = tasks?.replace(/\/tasks$/, '/webhook') } = (await this.speaker()).endpoints
    return webhook
  }

  /** Drops the cached metadata, which may be outdated. */
  forget(): void {
    this.#known = undefined
  }

  async #read(): Promise<Own> {
    const { metadata, isPrivate } = await documents(this.#env).identity(this.name)
    if (metadata === null) throw new Gone('the agent of this gateway is gone')
    const {
      identity,
      endpoints,
      security = {},
    } = parseJson(new Uint8Array(metadata.bytes)).document!.value as SelfMetadata
    const advertised = rateIn(security)
    return {
      uri: identity.id.toLowerCase(),
      fingerprint: identity.publicKey.fingerprint,
      endpoints,
      isPrivate,
      strict: true,
      minProtocolVersion: security.minProtocolVersion || undefined,
      advertised,
      rate: advertised ?? DEFAULT_RATE,
      sign: (drafts) => this.#sign(drafts, identity.publicKey.fingerprint),
    }
  }

  /** The headers that sign a request as this agent. */
  async signRequest(request: signRequest.Request): Promise<signRequest.Result> {
    const { uri, fingerprint } = await this.speaker()
    const name = this.name
    const headers = await agentStub(this.#env, name).signRequest(name, { of: fingerprint, as: uri }, request)
    if (headers !== null) return headers
    this.#known = undefined
    throw new Error(`the key of ${name} is not the one in its metadata`)
  }

  /** Collects everything to be signed in one turn into a single call. */
  #sign(drafts: readonly NumberedDraft[], fingerprint: string): Promise<readonly string[]> {
    if (this.#toSign.length === 0) queueMicrotask(() => void this.#signAll(fingerprint))
    return new Promise((done, fail) => this.#toSign.push({ drafts, done, fail }))
  }

  async #signAll(fingerprint: string): Promise<void> {
    const all = this.#toSign
    this.#toSign = []
    try {
      const name = this.name
      const drafts = all.flatMap((one) => one.drafts)
      const texts = await agentStub(this.#env, name).signMessages(name, fingerprint, drafts)
      if (texts === null) throw new Error(`the key of ${name} is not the one in its metadata`)
      const rest = [...texts]
      for (const { drafts: own, done } of all) done(rest.splice(0, own.length))
    } catch (error) {
      this.#known = undefined
      for (const one of all) one.fail(error)
    }
  }
}

/** The advertised limit. Without a burst size, a whole minute's messages may come at once. */
function rateIn({ rateLimit }: NonNullable<SelfMetadata['security']>): MessageRate | undefined {
  if (rateLimit === undefined) return undefined
  const { requestsPerMinute, burstSize = requestsPerMinute } = rateLimit
  return { requestsPerMinute, burstSize }
}

// The chat endpoints of agents: opens WebSockets to the agents here, and from them to others.

const RETRY_SECONDS = '10'

/**
 * `GET /agent/chat`: a WebSocket for messages to the agent of this host (ADP/1.1 section 7.2). `GET /agents/{name}/chat`:
 * the same for an agent that is hosted here.
 */
export async function chat(call: Call): Promise<Response> {
  const agent = await agentOrRefuse(call)
  const { request, url, env, bearer } = call
  if (!(await isSpokenToAt(env, agent, `${url.origin.replace(/^http/, 'ws')}${url.pathname}`)))
    throw new Problem('not-found', 'No agent is published here.')
  if (request.method !== 'GET' || request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new Problem('bad-request', 'Connect with a WebSocket.', { headers: { upgrade: 'websocket' } })
  const answer = await knock(env, agent, senderOf(request), bearer !== undefined)
  if (answer.status !== 429) return answer
  throw new Problem('too-many-requests', 'Too many connections, or too many whose callers are not identified yet.', {
    headers: { 'retry-after': RETRY_SECONDS },
  })
}

/**
 * True if `address` is the chat endpoint that the agent publishes and its key is here. A client at any other address
 * got it from someone else.
 */
async function isSpokenToAt(env: Env, agent: AgentHere, address: string): Promise<boolean> {
  return agent.metadata.endpoints['chat'] === address && (await keysOf(env, agent)).kept.length > 0
}

/**
 * Opens a WebSocket to an agent here; the answer is 429 when there are too many. `isInvited`: the caller has a token
 * for this agent.
 */
function knock(env: Env, { name }: AgentHere, sender: string, isInvited: boolean): Promise<Response> {
  const asked = new URLSearchParams({ name, sender, ...(isInvited && { invited: '' }) })
  return gatewayStub(env, name).fetch(`https://gateway.invalid/?${asked}`, { headers: { upgrade: 'websocket' } })
}

/**
 * Calls an agent at the address in its metadata: over the network, or at its object if this deployment serves it, because
 * a Worker cannot call itself.
 */
export async function openChat(env: Env, self: Self, peer: Peer): Promise<Socket> {
  const address = chatEndpoint(peer)
  if (typeof address !== 'string') throw new Error(address.detail)
  const answer = (await answerHere(env, self.name, address)) ?? (await answerThere(env, self, address))
  const socket = socketIn(answer)
  if (socket !== null) return socket
  await answer.body?.cancel()
  throw new Error(`${address} answered ${answer.status} instead of opening a WebSocket`)
}

async function answerHere(env: Env, name: string, address: string): Promise<Response | undefined> {
  const url = new URL(address.replace(/^ws/, 'http'))
  const other = await agentAt(env, url, { own: '/agent/chat', hosted: /^\/agents\/([^/]+)\/chat$/ })
  if (other === undefined) return undefined
  const agent = await findAgent({ env, bearer: undefined }, other)
  if (agent === undefined || !(await isSpokenToAt(env, agent, address)))
    throw new Error(`${address} is on this server, but is not the address of an agent`)
  return knock(env, agent, `agent ${name}`, false)
}

/** Follows no redirects: the peer chose the address itself, so a redirect could lead anywhere. */
async function answerThere(env: Env, self: Self, address: string): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), numberOf(env, 'STEP_PATIENCE_MS'))
  try {
    const url = address.replace(/^ws/, 'http')
    const headers = { upgrade: 'websocket', ...(await self.signRequest({ method: 'GET', url })) }
    return await fetch(url, { headers, redirect: 'manual', signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}
