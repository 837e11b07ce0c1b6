// The limit of an agent (`security.rateLimit`, section 6.3.5), kept as it is advertised: a bucket that holds `burstSize` messages
// and is filled with `requestsPerMinute`.

export interface MessageRate {
  readonly requestsPerMinute: number
  readonly burstSize: number
}

/** What is left, and when that was so: data, to be stored. */
export interface Bucket {
  readonly left: number
  /** Milliseconds since 1970. */
  readonly at: number
}

const MINUTE = 60_000

/** The bucket after one more message; null when it has none. */
export function takeOne(rate: MessageRate, { left, at }: Bucket, now: number): Bucket | null {
  // A clock that was put back fills nothing.
  const filled = Math.min(rate.burstSize, left + (Math.max(0, now - at) * rate.requestsPerMinute) / MINUTE)
  return filled < 1 ? null : { left: filled - 1, at: now }
}

export const fullBucket = ({ burstSize }: MessageRate, now: number): Bucket => ({ left: burstSize, at: now })

/** Milliseconds until there is room for one. */
const waitFor = (rate: MessageRate, { left }: Bucket): number =>
  Math.max(0, Math.ceil(((1 - left) * MINUTE) / rate.requestsPerMinute))

/** Keeps to the limit of another agent, a little below it: messages that were sent apart may arrive together. */
export class Pace {
  #rate: MessageRate | undefined
  #bucket: Bucket | undefined

  /** What was counted under an earlier limit stays counted. */
  adopt(rate: MessageRate | undefined): void {
    this.#rate = rate && {
      requestsPerMinute: rate.requestsPerMinute * 0.95,
      burstSize: Math.max(1, rate.burstSize - 1),
    }
  }

  /** True when one more may go, which is counted then. */
  takeOne(now: number): boolean {
    if (this.#rate === undefined) return true
    const bucket = takeOne(this.#rate, this.#bucket ?? fullBucket(this.#rate, now), now)
    if (bucket !== null) this.#bucket = bucket
    return bucket !== null
  }

  /** The other side has counted more than this one: nothing more goes before it has room again. */
  slowDown(now: number): void {
    this.#bucket = { left: 0, at: now }
  }

  /** Milliseconds until one more may go; 0 when that is now. */
  wait(now: number): number {
    if (this.#rate === undefined || this.#bucket === undefined) return 0
    return Math.max(0, this.#bucket.at + waitFor(this.#rate, this.#bucket) - now)
  }
}
