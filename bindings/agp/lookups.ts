// Lookups that unproved callers cause. They must not prevent lookups for other callers.

/** The maximum number of concurrent lookups for callers. Lookups for this side have the same limit of their own. */
const MOST_AT_ONCE = 16
/** The maximum number of concurrent lookups for one address. */
const MOST_OF_SENDER = 8

export interface LookupOf<T> {
  /** The network address of the caller. Empty when unknown; undefined when the lookup is for this side. */
  readonly sender: string | undefined
  /** Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<T>
}

interface Running<T> {
  readonly sender: string | undefined
  readonly found: Promise<T>
  /** Ends the lookup to make room for another. */
  end(): void
}

/**
 * Runs one lookup per domain. When one address, or all together, reach the limit, the oldest lookup ends in favor of
 * the new one. A domain whose server never answers blocks a place only until it is needed.
 */
export class Lookups<T> {
  readonly #busy: T
  /** Lookups by domain, oldest first. */
  readonly #running = new Map<string, Running<T>>()

  /** @param busy the result of a lookup that ended to make room for another. */
  constructor(busy: T) {
    this.#busy = busy
  }

  async run(domain: string, lookup: LookupOf<T>): Promise<T> {
    const same = this.#running.get(domain)
    if (same !== undefined) {
      const found = await same.found
      // Another caller's lookup was ended. That must not affect this caller.
      return found === this.#busy && same.sender !== lookup.sender ? this.run(domain, lookup) : found
    }
    return this.#makeRoom(lookup) ? this.#start(domain, lookup) : this.#busy
  }

  #start(domain: string, { sender, look }: LookupOf<T>): Promise<T> {
    const ending = new AbortController()
    const ended = new Promise<T>((done) => ending.signal.addEventListener('abort', () => done(this.#busy)))
    const over = () => {
      if (this.#running.get(domain) === running) this.#running.delete(domain)
    }
    const found = Promise.race([look(ending.signal), ended]).finally(over)
    const end = () => {
      over()
      ending.abort()
    }
    const running: Running<T> = { sender, found, end }
    this.#running.set(domain, running)
    return found
  }

  #makeRoom({ sender }: LookupOf<T>): boolean {
    const own = this.#of(sender)
    if (sender === undefined) return own.length < MOST_AT_ONCE
    const most = sender === '' ? MOST_AT_ONCE : MOST_OF_SENDER
    if (own.length >= most) own[0]!.end()
    const callers = [...this.#running.values()].filter((one) => one.sender !== undefined)
    if (callers.length >= MOST_AT_ONCE) {
      const counts = callers.map((one) => this.#of(one.sender).length)
      callers[counts.indexOf(Math.max(...counts))]!.end()
    }
    return true
  }

  #of(sender: string | undefined): Running<T>[] {
    return [...this.#running.values()].filter((one) => one.sender === sender)
  }
}
