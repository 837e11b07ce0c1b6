// The delivery of messages, as a state machine without a network or a timer: which messages go to which recipient, and
// when. Its store is memory for a conversation, and SQLite for an agent at the Worker.
import { AGP_FULL, AGP_LATE, AGP_RATE } from './findings.ts'

/** An error that the other agent signed: a code for `blazon explain`, and the id of the message in question. */
export interface AgentError {
  readonly code: string
  readonly detail: string
  readonly of: string | undefined
}

export interface QueuedMessage<Content> {
  readonly id: string
  /** The recipient. Its messages are sent in the order in which they were added. */
  readonly to: string
  readonly content: Content
  /** When it expires: milliseconds since 1970. */
  readonly until: number
}

export interface ReadyMessage<Content> extends Pick<QueuedMessage<Content>, 'id' | 'content'> {
  /** When it was first sent. Null before that, and after the recipient signed that it did not take the message. */
  readonly sent: number | null
}

/** Why a message was given up. */
export interface Failure {
  readonly outcome: 'undelivered' | 'refused'
  readonly at: number
  readonly code: string
  readonly detail: string
}

/** Stores messages until they are settled, and for each recipient the time of the next try. */
export interface OutboxStore<Content> {
  /** Adds a message. Its recipient is due now, unless a try failed before. */
  add(message: QueuedMessage<Content>, now: number): void
  /** The oldest messages to a recipient that are not in transit, at most `window` minus the number of those that are. */
  ready(to: string, window: number): ReadyMessage<Content>[]
  /** Sets the times of a message. */
  mark(to: string, id: string, times: MessageTimes): void
  /** The messages in transit that were tried at this time or earlier are ready again. */
  release(to: string, tried: number): void
  expired(now: number): ExpiredMessage[]
  /** Removes a message, or all to a recipient: delivered, or given up. Returns false when there was none. */
  settle(to: string, id: string | undefined, failure?: Failure): boolean
  /** Counts a failed try; returns how many failed since the last delivered message. */
  failed(to: string, reason: string): number
  /** Sets the time of the next try. */
  plan(to: string, due: number): void
}

export interface MessageTimes {
  readonly sent: number | null
  /** The time of the last try; null for a message that is not in transit. */
  readonly tried: number | null
  /** Replaces the time at which the message expires; null restores it. */
  readonly expires: number | null
}

export type ExpiredMessage = {
  readonly to: string
  readonly id: string
  readonly sent: number | null
  /** Why the last try of its recipient failed. */
  readonly reason: string | null
}

export interface OutboxOptions {
  /** Messages without an ack are sent again after `afterMs`, until `forMs` after the first time. Default: never. */
  readonly resend?: { readonly afterMs: number; readonly forMs: number }
  /** The longest pause after failed tries; the first is a second. */
  readonly longestPauseMs?: number
}

/**
 * The maximum number of unacknowledged messages. Beyond it the sender waits, so that a slow recipient is not flooded.
 */
const WINDOW = 64
const FIRST_PAUSE_MS = 1000
const MOST_PACES = 1000

export class Outbox<Content> {
  readonly #store: OutboxStore<Content>
  readonly #options: OutboxOptions
  readonly #paces = new Map<string, Pace>()

  constructor(store: OutboxStore<Content>, options: OutboxOptions = {}) {
    this.#store = store
    this.#options = options
  }

  /** The messages to send now, in an open conversation with a recipient that has this rate limit. */
  batch(to: string, rate: MessageRate | undefined, now: number): (ReadyMessage<Content> & { readonly sent: number })[] {
    const { afterMs = Number.POSITIVE_INFINITY, forMs } = this.#options.resend ?? {}
    const pace = this.#paceOf(to)
    pace.adopt(rate)
    this.#store.release(to, now - afterMs)
    const ready = this.#store.ready(to, WINDOW)
    const going = ready.filter(() => pace.takeOne(now)).map((message) => ({ ...message, sent: message.sent ?? now }))
    for (const { id, sent } of going)
      this.#store.mark(to, id, { sent, tried: now, expires: forMs === undefined ? null : sent + forMs })
    this.#store.plan(to, now + (going.length < ready.length ? Math.max(1, pace.wait(now)) : afterMs))
    return going
  }

  /** Another conversation has opened: everything in transit is sent again, with the same ids and times. */
  reopen(to: string): void {
    this.#store.release(to, Number.MAX_SAFE_INTEGER)
  }

  /** Returns false for a message that is not in the outbox. */
  acknowledge(to: string, id: string): boolean {
    return this.#store.settle(to, id)
  }

  /**
   * The recipient has signed an error. A message that it did not take because of its rate limit is sent again, when the
   * pace allows. One that it has no room for is sent again later, if this outbox sends messages again. Both get a new
   * time. Other errors are final.
   */
  takeError(to: string, { code, detail, of }: AgentError, now: number): void {
    const isRate = code === AGP_RATE.code
    if (isRate) this.#paceOf(to).slowDown(now)
    if (of === undefined) return
    const isLater = code === AGP_FULL.code && this.#options.resend !== undefined
    if (isRate || isLater) this.#store.mark(to, of, { sent: null, tried: isRate ? null : now, expires: null })
    else this.#store.settle(to, of, { outcome: 'refused', at: now, code, detail: errorText({ code, detail }) })
    if (isRate) this.#store.plan(to, now + Math.max(1, this.#paceOf(to).wait(now)))
  }

  /** The recipient could not be reached. The pauses grow, and half of each is random. */
  failed(to: string, reason: string, now: number): void {
    const failures = this.#store.failed(to, reason)
    const pause = pauseAfter(failures, FIRST_PAUSE_MS, this.#options.longestPauseMs ?? FIRST_PAUSE_MS)
    this.#store.release(to, now)
    this.#store.plan(to, now + Math.max(pause, this.#paceOf(to).wait(now)))
  }

  /** Gives up all messages to a recipient. */
  end(to: string, failure: Failure): void {
    this.#store.settle(to, undefined, failure)
  }

  /** Gives up expired messages; returns their recipients. */
  expire(now: number): ReadonlySet<string> {
    const over = this.#store.expired(now)
    for (const { to, id, sent, reason } of over) {
      const known = sent === null ? [] : ['it was sent but not acknowledged; the recipient may have received it']
      const detail = [...known, ...(reason === null ? [] : [reason])].join(': ') || 'it was not reached in time'
      this.#store.settle(to, id, { outcome: 'undelivered', at: now, code: AGP_LATE.code, detail })
    }
    return new Set(over.map(({ to }) => to))
  }

  #paceOf(to: string): Pace {
    const pace = this.#paces.get(to) ?? new Pace()
    if (this.#paces.size >= MOST_PACES) this.#paces.clear()
    this.#paces.set(to, pace)
    return pace
  }
}

/** The words for an error that the other agent signed. */
export const errorText = ({ code, detail }: Pick<AgentError, 'code' | 'detail'>): string =>
  `the other agent answered ${code}: ${detail}`

// The rate limit of an agent (`security.rateLimit`, section 6.3.5): a bucket that holds `burstSize` messages and is
// refilled with `requestsPerMinute`.

export interface MessageRate {
  readonly requestsPerMinute: number
  readonly burstSize: number
}

/** How many messages are left, and the time of that count. Plain data, so that it can be stored. */
export interface Bucket {
  readonly left: number
  /** Milliseconds since 1970. */
  readonly at: number
}

const MINUTE = 60_000

/** Takes one message from the bucket. Null when the bucket is empty. */
export function takeOne(rate: MessageRate, { left, at }: Bucket, now: number): Bucket | null {
  // A clock that was set back refills nothing.
  const filled = Math.min(rate.burstSize, left + (Math.max(0, now - at) * rate.requestsPerMinute) / MINUTE)
  return filled < 1 ? null : { left: filled - 1, at: now }
}

export const fullBucket = ({ burstSize }: MessageRate, now: number): Bucket => ({ left: burstSize, at: now })

/** Milliseconds until one message is allowed. */
const waitFor = (rate: MessageRate, { left }: Bucket): number =>
  Math.max(0, Math.ceil(((1 - left) * MINUTE) / rate.requestsPerMinute))

/** Assumed for an agent that refuses messages without advertising a limit. It is the default of the Worker. */
const ASSUMED_RATE: MessageRate = { requestsPerMinute: 600, burstSize: 60 }
/** Refusals within this time count as one: a burst gets a refusal for each message. */
const REFUSALS_MS = 1000
const LEAST_PER_MINUTE = 6

/** Stays a little below a limit, because messages that were sent apart may arrive together. */
const justBelow = ({ requestsPerMinute, burstSize }: MessageRate): MessageRate => ({
  requestsPerMinute: requestsPerMinute * 0.95,
  burstSize: Math.max(1, burstSize - 1),
})

const halve = ({ requestsPerMinute, burstSize }: MessageRate): MessageRate => ({
  requestsPerMinute: Math.max(LEAST_PER_MINUTE, requestsPerMinute / 2),
  burstSize: Math.max(1, burstSize / 2),
})

/** Milliseconds until the next try after failed ones. The pauses double up to the longest, and half of each is random. */
export function pauseAfter(failures: number, first: number, longest: number): number {
  const most = Math.min(longest, first * 2 ** Math.min(failures - 1, 20))
  return most / 2 + (most / 2) * Math.random()
}

/** Keeps to the rate limit of another agent: the advertised one, or one that is learned from refusals. */
export class Pace {
  #rate: MessageRate | undefined
  #isAdvertised = false
  #bucket: Bucket | undefined
  #refusedAt = Number.NEGATIVE_INFINITY

  /**
   * Sets the advertised limit. Messages that were already counted stay counted. A learned limit stays if none is
   * advertised.
   */
  adopt(rate: MessageRate | undefined): void {
    if (rate !== undefined || this.#isAdvertised) this.#rate = rate && justBelow(rate)
    this.#isAdvertised = rate !== undefined
  }

  /** Counts one message. Returns false when it has to wait. */
  takeOne(now: number): boolean {
    if (this.#rate === undefined) return true
    const bucket = takeOne(this.#rate, this.#bucket ?? fullBucket(this.#rate, now), now)
    if (bucket !== null) this.#bucket = bucket
    return bucket !== null
  }

  /**
   * The other side refused a message (AGP-134), so the next one waits. A limit that is not advertised is halved each
   * time.
   */
  slowDown(now: number): void {
    if (!this.#isAdvertised && now - this.#refusedAt >= REFUSALS_MS) {
      this.#rate = this.#rate === undefined ? justBelow(ASSUMED_RATE) : halve(this.#rate)
      this.#refusedAt = now
    }
    this.#bucket = { left: 0, at: now }
  }

  /** Milliseconds until the next message is allowed; 0 if it is allowed now. */
  wait(now: number): number {
    if (this.#rate === undefined || this.#bucket === undefined) return 0
    return Math.max(0, this.#bucket.at + waitFor(this.#rate, this.#bucket) - now)
  }
}
