const MINUTE = 60_000
/**
 * The senders counted within a minute. Above that, the oldest are dropped: a count does not stop a sender with so many
 * names.
 */
const MOST_SENDERS = 10_000

/** Counts the requests of each sender within a minute. */
export class RateLimit {
  readonly #most: number
  readonly #counts = new Map<string, { readonly since: number; count: number }>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a request. Returns false when the sender has reached the limit. */
  allows(sender: string, now: number): boolean {
    const current = this.#counts.get(sender)
    if (current === undefined || now - current.since >= MINUTE || now < current.since) {
      this.#counts.delete(sender)
      if (this.#counts.size >= MOST_SENDERS) this.#counts.delete(this.#counts.keys().next().value!)
      this.#counts.set(sender, { since: now, count: 1 })
      return this.#most > 0
    }
    if (current.count >= this.#most) return false
    current.count++
    return true
  }
}
