// One side of a conversation as a state machine without a network: texts go in, acts come out. It waits only for keys
// and discovery. Its state is data, so that a Worker can store it between two messages.
import type { ReachedLevel } from '../discover/trust/levels.ts'
import type { Diagnostic } from '../document/types.ts'
import { decodeBase64url } from '../keys/base64.ts'
import { importKey } from '../keys/import.ts'
import { publicMembers } from '../keys/key.ts'
import { openVerifier, type Verifier } from '../keys/verify.ts'
import { CLOSE_CODES } from '../net/frames.ts'
import type { JsonObject } from '../text/members.ts'
import { PROTOCOL } from '../wellknown/identity.ts'
import { countOne, type LinkMemory } from './memory.ts'
import {
  buildMessage,
  type Control,
  contentOf,
  type Draft,
  diagnosticOf,
  type Hello,
  isFault,
  type Message,
  type MessageDraft,
  type MessageFault,
  newNonce,
  type ParsedMessage,
  parseMessage,
  readControl,
} from './message.ts'
import type { AgentError, MessageRate } from './outbox.ts'
import type { FindPeer, Peer } from './peer.ts'
import { messageDigest, saysOther } from './sign.ts'
import * as judge from './verify.ts'

const decoder = new TextDecoder()

export declare namespace Link {
  type Act =
    | {
        readonly act: 'open'
        readonly peer: string
        readonly rate: MessageRate | undefined
        /** The levels of the discovery, and `peer-verified`, because signed messages went both ways. */
        readonly levels: readonly ReachedLevel[]
      }
    | { readonly act: 'deliver'; readonly message: Message; readonly text: string }
    | { readonly act: 'acked'; readonly id: string }
    | ({ readonly act: 'told' } & AgentError)
    | { readonly act: 'close'; readonly code: number; readonly diagnostic: Diagnostic | undefined }

  interface Options {
    readonly memory: LinkMemory
    readonly findPeer: FindPeer
    /** The network address of a calling peer. Empty when unknown. */
    readonly sender?: string
    /** Decides whether a proved peer may speak. Undefined admits it. */
    readonly admit?: ((peer: Peer) => MessageFault | undefined | Promise<MessageFault | undefined>) | undefined
    readonly clock: () => Date
    readonly skewMs: number
  }

  /** The whole state of a conversation, as data. */
  interface State {
    readonly role: 'caller' | 'receiver'
    /** `waiting` for a hello; `greeted`: waiting for the answer to its own hello; `open`; `over`. */
    phase: 'waiting' | 'greeted' | 'open' | 'over'
    /** The other agent, once it is known, with its key as base64url. */
    peer?: { readonly uri: string; readonly key: string; readonly rate: MessageRate | undefined }
    /** The id of the hello that this side sent. */
    hello?: string
    /** The numbers of the next strict messages of the other side and of this side. */
    strict?: { in: number; out: number }
    /**
     * How many messages the other side still has to acknowledge. Its acks for these do not count against its rate limit.
     */
    owed: number
  }
}

export class Link {
  readonly state: Link.State
  readonly #self: Speaker
  readonly #options: Link.Options
  #verifier: Verifier | undefined
  #levels: readonly ReachedLevel[] = []
  #last: Promise<unknown> = Promise.resolve()
  readonly #texts: Promise<readonly string[]>[] = []

  constructor(self: Speaker, options: Link.Options, state: Link.State) {
    this.#self = self
    this.#options = options
    this.state = state
  }

  /** Sends the caller's first message: its hello to an agent that it has found. */
  greet(peer: Peer): void {
    this.#know(peer)
    this.#sendHello(this.#self.strict, undefined)
  }

  /** Processes received texts, one after the other. */
  receive(source: Uint8Array | string): Promise<Link.Act[]> {
    const acts = this.#last.then(() => this.#receive(source))
    this.#last = acts.catch(() => undefined)
    return acts
  }

  /**
   * Takes the texts that are to be sent, in this order. They may take a while, because they have to be signed. Call it
   * after every other method.
   */
  takeTexts(): Promise<readonly string[]>[] {
    return this.#texts.splice(0)
  }

  /** Signs messages for the other side. Only for an open conversation. */
  send(messages: readonly OutgoingMessage[]): void {
    this.#sign(messages.map(({ id, sent, content }) => this.#draft(content, { id, now: new Date(sent) })))
  }

  ack(id: string): void {
    this.#say('ack', { ack: id })
  }

  /** Sends a signed error. The text depends only on the kind of fault. */
  tell({ kind }: Pick<MessageFault, 'kind'>, of?: string): void {
    this.#say('system', { error: kind.code, detail: kind.title, ...(of !== undefined && { of }) })
  }

  leave(): void {
    this.#say('system', { disconnect: 1 })
  }

  #say(type: 'system' | 'ack', content: JsonObject): void {
    this.#sign([this.#controlDraft(type, content)])
  }

  #controlDraft(type: 'system' | 'ack', value: JsonObject): Draft {
    const parts = { type, content: contentOf(value), contentType: 'application/json' } as const
    return this.#draft(parts, { now: this.#options.clock() })
  }

  #draft(parts: MessageDraft, options: buildMessage.Options): Draft {
    return buildMessage({ ...parts, from: this.#self.uri, to: this.state.peer!.uri }, options)
  }

  #sign(drafts: readonly Draft[]): void {
    const { strict } = this.state
    this.state.owed += drafts.filter(({ type }) => type !== 'ack').length
    // Numbers are assigned here, before any await, so that they have no gaps.
    this.#texts.push(this.#self.sign(drafts.map((draft) => ({ draft, n: strict && strict.out++ }))))
  }

  async #receive(source: Uint8Array | string): Promise<Link.Act[]> {
    if (this.state.phase === 'over') return []
    const parsed = parseMessage(source)
    const { message } = parsed
    if (message === undefined) return this.#end(CLOSE_CODES.policy, parsed.diagnostics[0])
    const { peer } = this.state
    const fault =
      judge.recipientFault(message, this.#self.uri) ??
      (peer === undefined ? undefined : judge.senderFault(message, peer.uri))
    if (fault !== undefined) return this.#refuse(parsed, fault)
    if (this.state.phase === 'open') return this.#takeMessage(parsed, message)
    const late = this.#timeFault(message)
    if (late !== undefined) return this.#refuse(parsed, late)
    const said = message.type === 'system' || message.type === 'ack' ? readControl(message) : judge.noHello(message)
    if (isFault(said)) return this.#refuse(parsed, said)
    if (this.state.phase === 'waiting') return this.#takeGreeting(parsed, said)
    return this.state.role === 'caller' ? this.#takeAnswer(parsed, said) : this.#takeConfirmation(parsed, said)
  }

  /** The receiver's part: finds the calling agent by its domain, verifies it, admits it, and sends its own hello. */
  async #takeGreeting(parsed: ParsedMessage, said: Control): Promise<Link.Act[]> {
    const message = parsed.message!
    if (!('hello' in said) || said.hello.answers !== undefined) return this.#refuse(parsed, judge.noHello(message))
    const { memory, clock, admit, findPeer, sender = '' } = this.#options
    const peer = await findPeer(message.from, { sender, hasKey: hasKeyOf(said.hello) })
    if (isFault(peer)) return this.#refuse(parsed, peer)
    const fault = await judge.helloFault(message, said.hello, peer)
    if (fault !== undefined) return this.#refuse(parsed, fault)
    this.#know(peer)
    if (memory.has(peer.uri, message.id)) return this.#refuse(parsed, judge.replayed(message))
    const refusal = judge.termsFault(said.hello, this.#termsFor(peer)) ?? (await admit?.(peer))
    if (refusal !== undefined) return this.#refuseAloud(parsed, refusal)
    if (!memory.add(peer.uri, message.id, clock(), messageDigest(message)))
      return this.#refuseAloud(parsed, judge.TOO_MANY)
    this.#sendHello(this.#agree(said.hello), message.id.toLowerCase())
    return []
  }

  /** The caller's part: the answer to its hello must have been made for exactly this hello. */
  async #takeAnswer(parsed: ParsedMessage, said: Control): Promise<Link.Act[]> {
    const message = parsed.message!
    const { peer: known, hello } = this.state
    if (!('hello' in said)) return this.#notOpened(parsed, said)
    if (said.hello.answers !== hello) return this.#refuse(parsed, judge.noHello(message))
    const peer = await this.#options.findPeer(known!.uri, { hasKey: hasKeyOf(said.hello) })
    if (isFault(peer)) return this.#refuse(parsed, peer)
    const fault = await judge.helloFault(message, said.hello, peer)
    if (fault !== undefined) return this.#refuse(parsed, fault)
    const refusal = judge.termsFault(said.hello, this.#termsFor(peer))
    this.#agree(said.hello)
    if (refusal !== undefined) return this.#refuseAloud(parsed, refusal)
    this.state.phase = 'open'
    this.ack(message.id)
    return [this.#openAct()]
  }

  /** The third message: proves that the caller has just signed something made for this handshake. */
  async #takeConfirmation(parsed: ParsedMessage, said: Control): Promise<Link.Act[]> {
    const message = parsed.message!
    const fault = await this.#proofFault(parsed)
    if (fault !== undefined) return this.#refuse(parsed, fault)
    if ('error' in said) return [{ act: 'told', ...said.error }, ...this.#end(CLOSE_CODES.policy, undefined)]
    if (!('ack' in said) || said.ack !== this.state.hello) return this.#refuse(parsed, judge.noHello(message))
    this.state.phase = 'open'
    return [this.#openAct()]
  }

  /** An error instead of a hello counts if the other agent signed it. */
  async #notOpened(parsed: ParsedMessage, said: Control): Promise<Link.Act[]> {
    const fault = await judge.signatureFault(parsed.message!, await this.#verifierOf())
    if (fault !== undefined || !('error' in said)) return this.#refuse(parsed, fault ?? judge.noHello(parsed.message!))
    return [{ act: 'told', ...said.error }, ...this.#end(CLOSE_CODES.policy, undefined)]
  }

  async #takeMessage(parsed: ParsedMessage, message: Message): Promise<Link.Act[]> {
    if (!this.#hasRoom(message)) return this.#refuseAloud(parsed, judge.TOO_OFTEN, CLOSE_CODES.later)
    const fault = await this.#proofFault(parsed)
    if (fault !== undefined) return this.#refuse(parsed, fault)
    const late = this.#timeFault(message)
    if (late !== undefined) return this.#answer(late, message)
    if (message.type === 'system' || message.type === 'ack') return this.#takeControl(parsed, message)
    const [{ memory }, { uri }] = [this.#options, this.state.peer!]
    // Sent again because its ack was lost: acknowledges it without a second delivery.
    if (memory.has(uri, message.id)) {
      const isOther = saysOther(memory.digestOf(uri, message.id), message)
      return this.#answer(isOther ? judge.replayed(message) : undefined, message)
    }
    return [{ act: 'deliver', message, text: decoder.decode(parsed.document!.bytes) }]
  }

  async #takeControl(parsed: ParsedMessage, message: Message): Promise<Link.Act[]> {
    const said = readControl(message)
    if (isFault(said) && message.type === 'system') return this.#answer(said, message)
    if (isFault(said)) return this.#refuse(parsed, said)
    if ('ack' in said) {
      this.state.owed = Math.max(0, this.state.owed - 1)
      return [{ act: 'acked', id: said.ack }]
    }
    if ('heartbeat' in said) return this.#answer(undefined, message)
    if ('disconnect' in said) return this.#end(CLOSE_CODES.normal, undefined)
    if ('error' in said) return [{ act: 'told', ...said.error }]
    return this.#refuse(parsed, judge.REPEATED_HELLO)
  }

  #answer(fault: MessageFault | undefined, { id }: Message): Link.Act[] {
    if (fault === undefined) this.ack(id)
    else this.tell(fault, id)
    return []
  }

  /** Checks the signature and, in a strict conversation, the second signature and the number, which is then used up. */
  async #proofFault({ message, document }: ParsedMessage): Promise<MessageFault | undefined> {
    const verifier = await this.#verifierOf()
    const fault = await judge.signatureFault(message!, verifier)
    const { strict, peer } = this.state
    if (fault !== undefined || strict === undefined) return fault
    const wrong = await judge.strictFault(message!, document!, { verifier, n: strict.in })
    const { memory } = this.#options
    if (wrong === undefined) memory.keep(peer!.uri, { ...memory.record(peer!.uri), next: ++strict.in })
    return wrong
  }

  #termsFor({ uri, strict }: Peer) {
    const { strict: canBeStrict, minProtocolVersion: least } = this.#self
    const isStrict = canBeStrict && (strict || this.#options.memory.record(uri).next !== undefined)
    return { least, isStrict }
  }

  /** Returns whether the conversation is strict, which needs the numbers of both hellos. */
  #agree({ strict }: Hello): boolean {
    if (strict === undefined || !this.#self.strict) return false
    const [{ memory }, { uri }] = [this.#options, this.state.peer!]
    this.state.strict = { in: memory.record(uri).next ?? 0, out: strict }
    memory.keep(uri, { ...memory.record(uri), next: this.state.strict.in })
    return true
  }

  /** Sends a hello. Hellos are the only messages without a number. */
  #sendHello(strict: boolean, answers: string | undefined): void {
    const { uri, fingerprint } = this.#self
    const peer = this.state.peer!.uri
    const hello: Hello = {
      agent: uri,
      fingerprint,
      protocol: PROTOCOL,
      nonce: newNonce(),
      ...(answers !== undefined && { answers }),
      ...(strict && { strict: this.#options.memory.record(peer).next ?? 0 }),
    }
    const draft = this.#controlDraft('system', { hello: 1, ...hello })
    this.state.hello = draft.id
    this.state.phase = 'greeted'
    this.#texts.push(this.#self.sign([{ draft, n: undefined }]))
  }

  #know({ uri, verifier, rate, levels }: Peer): void {
    this.#verifier = verifier
    this.#levels = levels
    this.state.peer = { uri, key: publicMembers(verifier.publicKey)['x']!, rate }
  }

  /** Opens the conversation. Both sides have signed a challenge, so the level is that of the key (section 8.1). */
  #openAct(): Link.Act {
    const { uri, rate } = this.state.peer!
    const quality = this.#levels.find(({ level }) => level === 'key-verified')?.quality ?? 'not shown'
    return { act: 'open', peer: uri, rate, levels: [...this.#levels, { level: 'peer-verified', quality }] }
  }

  async #verifierOf(): Promise<Verifier> {
    const { key } = this.state.peer!
    this.#verifier ??= await openVerifier(await importKey(decodeBase64url(key), { format: 'raw' }))
    return this.#verifier
  }

  #timeFault(message: Message): MessageFault | undefined {
    return judge.timeFault(message, this.#options.clock(), this.#options.skewMs)
  }

  /** Counts the message before any expensive check. */
  #hasRoom({ type }: Message): boolean {
    const { rate } = this.#self
    if (type === 'ack' && this.state.owed > 0) return true
    const { memory, clock } = this.#options
    return countOne(memory, this.state.peer!.uri, { rate, now: clock() })
  }

  /** Ends the conversation without an answer, because the peer is not proved. */
  #refuse({ document }: ParsedMessage, fault: MessageFault): Link.Act[] {
    return this.#end(CLOSE_CODES.policy, diagnosticOf(document!, fault))
  }

  /** Ends the conversation with a signed error, because the peer is proved. */
  #refuseAloud(parsed: ParsedMessage, fault: MessageFault, code: number = CLOSE_CODES.policy): Link.Act[] {
    this.tell(fault, parsed.message!.id)
    return this.#end(code, diagnosticOf(parsed.document!, fault))
  }

  #end(code: number, diagnostic: Diagnostic | undefined): Link.Act[] {
    this.state.phase = 'over'
    return [{ act: 'close', code, diagnostic }]
  }
}

const hasKeyOf = (hello: Hello) => (peer: Peer) => peer.fingerprint === hello.fingerprint

// The parts of a link: the local agent, the state and the acts.

/** The local agent. */
export interface Speaker {
  readonly uri: string
  readonly fingerprint: string
  /** Offers strict conversations, and accepts them. */
  readonly strict: boolean
  /** Peers that speak a lower version get an error and are disconnected. */
  readonly minProtocolVersion: string | undefined
  /** How many messages it accepts from each agent, as in its metadata. */
  readonly rate: MessageRate | undefined
  /** Signs messages in order, with numbers in a strict conversation, and returns their texts. */
  sign(drafts: readonly NumberedDraft[]): Promise<readonly string[]>
}

export interface NumberedDraft {
  readonly draft: Draft
  readonly n: number | undefined
}

/** A message of this side. One that is sent again keeps its id and time. */
export interface OutgoingMessage {
  readonly id: string
  readonly content: MessageDraft
  /** When it was first sent: milliseconds since 1970. */
  readonly sent: number
}
