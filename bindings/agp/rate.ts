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
const below = ({ requestsPerMinute, burstSize }: MessageRate): MessageRate => ({
  requestsPerMinute: requestsPerMinute * 0.95,
  burstSize: Math.max(1, burstSize - 1),
})

const halved = ({ requestsPerMinute, burstSize }: MessageRate): MessageRate => ({
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
    if (rate !== undefined || this.#isAdvertised) this.#rate = rate && below(rate)
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
      this.#rate = this.#rate === undefined ? below(ASSUMED_RATE) : halved(this.#rate)
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
