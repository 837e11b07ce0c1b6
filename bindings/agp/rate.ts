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
export const waitFor = (rate: MessageRate, { left }: Bucket): number =>
  Math.max(0, Math.ceil(((1 - left) * MINUTE) / rate.requestsPerMinute))
