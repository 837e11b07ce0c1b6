// Delivers an agent's outgoing messages: in a conversation that the recipient has opened, or in one begun for the
// purpose.
import { type MessageRate, Pace, type Sending } from 'blazon/agp'
import type { Chore } from './chores.ts'
import type { OutboxStore } from './outbox.ts'

/** Messages in transit to one agent without an ack, and how long to wait for the ack before they are sent again. */
const WINDOW = 64
const ACK_MS = 60_000
/** Concurrent calls, and how long a call may take until it is open or has failed. */
const MOST_CALLS = 8
const CALL_MS = 60_000
/** Open conversations begun here. A peer that takes messages and never acknowledges them keeps one for four minutes. */
const MOST_CALLED = 256
/** Agents handled in one run of the alarm, so that the object stays responsive. */
const MOST_AT_ONCE = 64
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 900_000
/** Time to keep a conversation open for an immediate reply. */
const LINGER_MS = 2000

const LATER_CODES = { rate: 'AGP-134', full: 'AGP-136' }

/** An open conversation. */
export interface Talk {
  readonly rate: MessageRate | undefined
  say(messages: readonly Sending[]): void
}

export interface Exchange {
  /** The open conversation with an agent, if there is one. */
  talkWith(agent: string): Promise<Talk | undefined>
  /** Begins a conversation; throws an error with the reason when that fails. */
  call(agent: string): Promise<void>
  /** The number of conversations begun here, and whether one of them is with this agent. */
  readonly called: number
  hasCalled(agent: string): boolean
  /** Ends a conversation that was begun here. */
  hangUp(agent: string): Promise<void>
}

/** The agent must not be contacted, even if messages wait for it. */
export class PeerBlocked extends Error {
  readonly code: string

  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

/** Why a conversation ended. An agent that has signed a final refusal is not called again. */
export function reasonOf(told: string | undefined): Error {
  if (told === undefined) return new Error('the conversation was cut')
  const detail = `the other agent answered ${told}`
  return Object.values(LATER_CODES).includes(told) ? new Error(detail) : new PeerBlocked(told, detail)
}

export class Delivery implements Chore {
  readonly #store: OutboxStore
  readonly #exchange: Exchange
  /** Called when the next due time has changed. */
  readonly #planned: () => Promise<void>
  readonly #paces = new Map<string, Pace>()
  readonly #calling = new Set<string>()
  /** No call can begin before this time. */
  #fullUntil = 0

  constructor(store: OutboxStore, exchange: Exchange, planned: () => Promise<void>) {
    this.#store = store
    this.#exchange = exchange
    this.#planned = planned
  }

  readonly due = (): number | undefined => {
    const next = this.#store.nextDue()
    return next && Math.max(next, this.#fullUntil)
  }

  readonly run = async (now: number): Promise<void> => {
    for (const agent of this.#store.expire(now)) this.#hangUpSoon(agent)
    await Promise.all(this.#store.due(now, MOST_AT_ONCE).map((agent) => this.#try(agent, now)))
  }

  /**
   * Sends a new message now if possible. The alarm covers the other cases, but other chores may delay it for seconds.
   */
  async begin(agent: string): Promise<void> {
    const now = Date.now()
    if (this.#store.isDue(agent, now)) await this.#try(agent, now)
  }

  /** A conversation was opened, here or by the other agent. */
  async opened(agent: string, isOurs: boolean): Promise<void> {
    if (isOurs) this.#callIsOver(agent)
    // The waiting messages may have been delivered in another conversation meanwhile.
    if (this.#store.isEmptyFor(agent)) return this.#hangUpSoon(agent)
    this.#store.startOver(agent)
    await this.#try(agent, Date.now())
  }

  async acked(agent: string, id: string): Promise<void> {
    if (!this.#store.delivered(agent, id)) return
    if (this.#store.isEmptyFor(agent)) this.#hangUpSoon(agent)
    else await this.#try(agent, Date.now())
  }

  /** The other agent has signed an error about a message. */
  told(
    agent: string,
    code: string,
    { detail, of }: { readonly detail: string; readonly of: string | undefined },
  ): void {
    const now = Date.now()
    if (code === LATER_CODES.rate) this.#paceOf(agent).slowDown(now)
    if (of === undefined) return
    if (code === LATER_CODES.rate || code === LATER_CODES.full) this.#store.goAgain(agent, of)
    else {
      this.#store.end(agent, of, { at: now, code, detail: `the other agent answered ${code}: ${detail}` })
      this.#hangUpSoon(agent)
    }
  }

  /** A conversation that was begun here has ended. */
  async left(agent: string, reason: Error): Promise<void> {
    this.#callIsOver(agent)
    const now = Date.now()
    const pause = (failures: number) => {
      const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20))
      return now + Math.max(most / 2 + (most / 2) * Math.random(), this.#paceOf(agent).wait(now))
    }
    if (reason instanceof PeerBlocked)
      this.#store.end(agent, undefined, { at: now, code: reason.code, detail: reason.message })
    // The call counts as failed only if the agent has no other open conversation.
    else if ((await this.#exchange.talkWith(agent)) === undefined) this.#store.failed(agent, reason.message, pause)
    await this.#planned()
  }

  /** If it fails or the object hibernates meanwhile, the alarm tries again. */
  async #try(agent: string, now: number): Promise<void> {
    this.#store.plan(agent, now + CALL_MS)
    const talk = await this.#exchange.talkWith(agent)
    if (talk !== undefined) this.#send(agent, talk, now)
    else this.#call(agent, now)
    await this.#planned()
  }

  #send(agent: string, { rate, say }: Talk, now: number): void {
    const pace = this.#paceOf(agent)
    pace.adopt(rate)
    const before = now - ACK_MS
    const room = Math.max(0, WINDOW - this.#store.onTheWay(agent, before))
    const waiting = this.#store.next(agent, before, room)
    const going = waiting.filter(() => pace.takeOne(now))
    for (const { id } of going) this.#store.markSent(id, now)
    if (going.length > 0)
      say(
        going.map(({ id, sent, utterance }) => ({ ...utterance, id, timestamp: new Date(sent ?? now).toISOString() })),
      )
    this.#store.plan(agent, now + (going.length < waiting.length ? Math.max(1, pace.wait(now)) : ACK_MS))
  }

  /** Starts a call without waiting for it. */
  #call(agent: string, now: number): void {
    if (this.#calling.has(agent)) return
    if (this.#calling.size >= MOST_CALLS || this.#exchange.called >= MOST_CALLED) {
      this.#fullUntil = now + FIRST_PAUSE_MS
      this.#store.plan(agent, this.#fullUntil)
      return
    }
    this.#calling.add(agent)
    void this.#exchange
      .call(agent)
      .catch((error) => this.left(agent, error instanceof Error ? error : new Error(String(error))))
  }

  #callIsOver(agent: string): void {
    this.#calling.delete(agent)
    this.#fullUntil = 0
  }

  #hangUpSoon(agent: string): void {
    if (!this.#exchange.hasCalled(agent)) return
    setTimeout(() => this.#store.isEmptyFor(agent) && void this.#exchange.hangUp(agent), LINGER_MS)
  }

  #paceOf(agent: string): Pace {
    const pace = this.#paces.get(agent) ?? new Pace()
    if (this.#paces.size >= 1000) this.#paces.clear()
    this.#paces.set(agent, pace)
    return pace
  }
}
