const MINUTE = 60_000
/** Senders that are remembered within a minute. Beyond them the oldest are forgotten: who has so many names is not held by a count. */
const MOST_SENDERS = 10_000

/** Counts what each sender asks for within a minute. */
export class RateLimit {
  readonly #most: number
  readonly #counts = new Map<string, { readonly since: number; count: number }>()

  constructor(most: number) {
    this.#most = most
  }

  /** True when a sender may ask once more, and it is counted then. */
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
