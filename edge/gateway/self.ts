// The agent of this gateway: its metadata, and its key, which is in an object of its own.
import type { AgentRequest, MessageRate, NumberedDraft, RequestSignature, Speaker } from 'blazon/agp'
import { parseJson } from 'blazon/document'
import { agentStub, documents, type Env } from '../env.ts'

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
  readonly #kv: SyncKvStorage
  #known: { readonly speaker: Promise<Own>; readonly until: number } | undefined
  #toSign: ToSign[] = []

  constructor(env: Env, kv: SyncKvStorage) {
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
  async signRequest(request: AgentRequest): Promise<RequestSignature> {
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
