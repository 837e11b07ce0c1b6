// Messages in transit. Limits how many are unacknowledged, how fast they are sent, and how long each may take.
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { AGP_ENDED, AGP_FULL, AGP_LATE } from './findings.ts'
import { buildMessage, type MessageParts } from './message.ts'
import { type MessageRate, Pace } from './rate.ts'
import { expectSayable } from './sign.ts'

/** The parts of a message within a conversation, where both sides are known. */
export type MessageDraft = Omit<MessageParts, 'from' | 'to'>

/** The result of sending a message: acknowledged with a signature, or the reason why no ack is known. */
export type SendResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly id: string; readonly diagnostic: Diagnostic }

export interface Outgoing extends MessageDraft {
  readonly id: string
  readonly timestamp: string
}

interface Entry {
  /** The order in which messages were first sent, and are sent again. */
  readonly n: number
  readonly message: Outgoing
  readonly until: number
  readonly done: (sent: SendResult) => void
}

export interface OutboxOptions {
  readonly clock: () => Date
  /** How long to wait for the ack of a message. */
  readonly patienceMs: number
  /** Signs and sends messages when a conversation is open. */
  readonly carry: (messages: readonly Outgoing[]) => void
}

/**
 * The maximum number of unacknowledged messages. Beyond it the sender waits, so that a slow receiver is not flooded.
 */
const WINDOW = 64
const MOST_WAITING = 1024

export class Outbox {
  readonly #options: OutboxOptions
  readonly #sent = new Map<string, Entry>()
  readonly #pace = new Pace()
  #waiting: Entry[] = []
  #count = 0
  #open = false
  /** Set once the conversation is over. Later messages fail at once. */
  #end: { readonly kind: FindingKind; readonly detail: string } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Resolves when the outcome is known. Rejects with a RangeError for an invalid message. */
  send(utterance: MessageDraft): Promise<SendResult> {
    const now = this.#options.clock()
    const { id, timestamp } = buildMessage({ ...utterance, from: '', to: '' }, { now })
    return new Promise((done) => {
      expectSayable(utterance)
      if (this.#end !== undefined) return done(failed(id, this.#end.kind, this.#end.detail))
      if (this.#waiting.length >= MOST_WAITING)
        return done(failed(id, AGP_FULL, `${MOST_WAITING} messages wait already`))
      const until = now.getTime() + this.#options.patienceMs
      this.#waiting.push({ n: this.#count++, message: { ...utterance, id, timestamp }, until, done })
      this.#move()
    })
  }

  /** A conversation is open: unacknowledged messages are sent again with the same ids. */
  open(rate: MessageRate | undefined): void {
    this.#open = true
    this.#pace.adopt(rate)
    this.#waiting = [...this.#sent.values(), ...this.#waiting].sort((a, b) => a.n - b.n)
    this.#sent.clear()
    this.#move()
  }

  pause(): void {
    this.#open = false
  }

  acked(id: string): void {
    this.#settle(id, { ok: true, id })
  }

  /** The other agent refused a message because of its rate limit (AGP-134). The message is sent again later. */
  slowDown(of: string | undefined): void {
    this.#pace.slowDown(this.#options.clock().getTime())
    const entry = of === undefined ? undefined : this.#sent.get(of)
    if (entry !== undefined) {
      this.#sent.delete(of!)
      this.#waiting.unshift(entry)
    }
    this.#move()
  }

  refused(id: string, code: string, detail: string): void {
    this.#settle(id, failed(id, AGP_ENDED, `the other agent answered ${code}: ${detail}`))
  }

  end(kind: FindingKind, detail: string): void {
    this.#open = false
    this.#end = { kind, detail }
    clearTimeout(this.#timer)
    const entries = [...this.#sent.values(), ...this.#waiting]
    this.#sent.clear()
    this.#waiting = []
    for (const { message, done } of entries) done(failed(message.id, kind, detail))
  }

  #settle(id: string, sent: SendResult): void {
    const entry = this.#sent.get(id)
    if (entry === undefined) return
    this.#sent.delete(id)
    entry.done(sent)
    this.#move()
  }

  #move(): void {
    const now = this.#options.clock().getTime()
    this.#expire(now)
    const batch: Outgoing[] = []
    while (this.#open && this.#waiting.length > 0 && this.#sent.size < WINDOW && this.#pace.takeOne(now)) {
      const entry = this.#waiting.shift()!
      this.#sent.set(entry.message.id, entry)
      batch.push(entry.message)
    }
    if (batch.length > 0) this.#options.carry(batch)
    this.#wake(now)
  }

  #expire(now: number): void {
    const isOver = ({ until }: Entry) => until <= now
    const over = [...this.#sent.values(), ...this.#waiting].filter(isOver)
    if (over.length === 0) return
    this.#waiting = this.#waiting.filter((entry) => !isOver(entry))
    for (const { message, done } of over) {
      this.#sent.delete(message.id)
      done(failed(message.id, AGP_LATE, 'it was not acknowledged in time'))
    }
  }

  /** Sets the timer for the next message that can be sent or that times out. */
  #wake(now: number): void {
    clearTimeout(this.#timer)
    const entries = [...this.#sent.values(), ...this.#waiting]
    if (entries.length === 0) return
    const over = Math.min(...entries.map(({ until }) => until)) - now
    const isHeldBack = this.#open && this.#waiting.length > 0 && this.#sent.size < WINDOW
    const pause = isHeldBack ? this.#pace.wait(now) : over
    this.#timer = setTimeout(() => this.#move(), Math.max(1, Math.min(over, pause)))
  }
}

const failed = (id: string, kind: FindingKind, detail: string): SendResult => ({
  ok: false,
  id,
  diagnostic: diagnoseNowhere(kind, { detail }),
})
