// The messages of one conversation in transit: an outbox in memory, with a timer, and a promise for each message.
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { AGP_ENDED, AGP_FULL, AGP_LATE } from './findings.ts'
import type { OutgoingMessage } from './link.ts'
import type { MessageDraft } from './message.ts'
import {
  type AgentError,
  type ExpiredMessage,
  type Failure,
  type MessageRate,
  type MessageTimes,
  Outbox,
  type OutboxStore,
  type QueuedMessage,
} from './outbox.ts'
import { expectSayable } from './sign.ts'

/** The result of sending a message: acknowledged with a signature, or the reason why no ack is known. */
export type SendResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly id: string; readonly diagnostic: Diagnostic }

/** Sends messages over the current connection. */
interface Connection {
  send(messages: readonly OutgoingMessage[]): void
}

const MOST_WAITING = 1024
/** A conversation has one recipient. */
const PEER = ''

export class Sending {
  readonly #clock: () => Date
  readonly #patienceMs: number
  readonly #store = new MemoryOutbox<MessageDraft>()
  readonly #outbox = new Outbox(this.#store)
  #connection: Connection | undefined
  #rate: MessageRate | undefined
  /** Set once the conversation is over. Later messages fail at once. */
  #end: Failure | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param patienceMs how long to wait for the ack of a message. */
  constructor({ clock, patienceMs }: { readonly clock: () => Date; readonly patienceMs: number }) {
    this.#clock = clock
    this.#patienceMs = patienceMs
  }

  /** Resolves when the outcome is known. Rejects with a RangeError for an invalid message. */
  async send(content: MessageDraft): Promise<SendResult> {
    expectSayable(content)
    const [id, now] = [crypto.randomUUID(), this.#now]
    if (this.#end !== undefined) return resultOf(id, this.#end)
    if (this.#store.waiting >= MOST_WAITING)
      return resultOf(id, failureOf(AGP_FULL, `${MOST_WAITING} messages wait already`, now))
    const settled = this.#store.settled(id)
    this.#store.add({ id, to: PEER, content, until: now + this.#patienceMs }, now)
    this.#move()
    return resultOf(id, await settled)
  }

  /** A connection is open: unacknowledged messages are sent again with the same ids. */
  open(connection: Connection, rate: MessageRate | undefined): void {
    this.#connection = connection
    this.#rate = rate
    this.#outbox.reopen(PEER)
    this.#move()
  }

  pause(): void {
    this.#connection = undefined
  }

  acknowledge(id: string): void {
    if (this.#outbox.acknowledge(PEER, id)) this.#move()
  }

  takeError(error: AgentError): void {
    this.#outbox.takeError(PEER, error, this.#now)
    this.#move()
  }

  end(kind: FindingKind, detail: string): void {
    this.#end = failureOf(kind, detail, this.#now)
    this.#outbox.end(PEER, this.#end)
    this.pause()
    clearTimeout(this.#timer)
  }

  get #now(): number {
    return this.#clock().getTime()
  }

  /** Sends what can be sent, and sets the timer for the next message that can be sent or that expires. */
  #move(): void {
    const now = this.#now
    this.#outbox.expire(now)
    const going = this.#connection === undefined ? [] : this.#outbox.batch(PEER, this.#rate, now)
    if (this.#connection === undefined) this.#store.plan(PEER, Number.POSITIVE_INFINITY)
    if (going.length > 0) this.#connection?.send(going)
    clearTimeout(this.#timer)
    const next = this.#store.nextDue
    if (next !== undefined) this.#timer = setTimeout(() => this.#move(), Math.max(1, next - now))
  }
}

const failureOf = ({ code }: FindingKind, detail: string, at: number): Failure => ({
  outcome: 'undelivered',
  at,
  code,
  detail,
})

function resultOf(id: string, failure: Failure | undefined): SendResult {
  if (failure === undefined) return { ok: true, id }
  const { outcome, code, detail } = failure
  const kind = [AGP_LATE, AGP_FULL].find((one) => outcome === 'undelivered' && one.code === code) ?? AGP_ENDED
  return { ok: false, id, diagnostic: diagnoseNowhere(kind, { detail }) }
}

interface Entry<Content> extends QueuedMessage<Content> {
  readonly sent: number | null
  readonly expires: number
}

/** Stores the messages to one recipient in memory. All of them may wait equally long, so the oldest expires first. */
export class MemoryOutbox<Content> implements OutboxStore<Content> {
  readonly #entries = new Map<string, Entry<Content>>()
  /** The ids of messages in transit, with the times of their last tries. */
  readonly #tried = new Map<string, number>()
  readonly #done = new Map<string, (failure: Failure | undefined) => void>()
  #due = 0
  #failures = 0
  #reason: string | null = null

  /** Resolves when the message is settled: with the reason if it failed. */
  settled(id: string): Promise<Failure | undefined> {
    return new Promise((done) => this.#done.set(id, done))
  }

  /** The number of messages that are not in transit. */
  get waiting(): number {
    return this.#entries.size - this.#tried.size
  }

  /** When the next try is due, or the oldest message expires. */
  get nextDue(): number | undefined {
    const [first] = this.#entries.values()
    return first && Math.min(first.expires, this.#due)
  }

  add(message: QueuedMessage<Content>, now: number): void {
    this.#entries.set(message.id, { ...message, sent: null, expires: message.until })
    if (this.#failures === 0) this.#due = now
  }

  ready(_: string, window: number): Entry<Content>[] {
    const ready: Entry<Content>[] = []
    for (const entry of this.#entries.values()) {
      if (ready.length >= window - this.#tried.size) break
      if (!this.#tried.has(entry.id)) ready.push(entry)
    }
    return ready
  }

  mark(_: string, id: string, { sent, tried, expires }: MessageTimes): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.set(id, { ...entry, sent, expires: expires ?? entry.until })
    if (tried === null) this.#tried.delete(id)
    else this.#tried.set(id, tried)
  }

  release(_: string, tried: number): void {
    for (const [id, at] of this.#tried) if (at <= tried) this.#tried.delete(id)
  }

  expired(now: number): ExpiredMessage[] {
    const over: ExpiredMessage[] = []
    for (const { to, id, sent, expires } of this.#entries.values()) {
      if (expires > now) break
      over.push({ to, id, sent, reason: this.#reason })
    }
    return over
  }

  settle(_: string, id: string | undefined, failure?: Failure): boolean {
    const ids = (id === undefined ? [...this.#entries.keys()] : [id]).filter((one) => this.#entries.delete(one))
    for (const one of ids) {
      this.#tried.delete(one)
      this.#done.get(one)?.(failure)
      this.#done.delete(one)
    }
    if (failure === undefined && ids.length > 0) [this.#failures, this.#reason] = [0, null]
    return ids.length > 0
  }

  failed(_: string, reason: string): number {
    this.#reason = reason
    return ++this.#failures
  }

  plan(_: string, due: number): void {
    this.#due = due
  }
}
