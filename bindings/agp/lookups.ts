// Lookups that callers cause before anybody has proved anything: none of them keeps another caller's agent from being looked for.

/** Lookups at once that callers cause, and as many that this side starts of its own accord. */
const MOST_AT_ONCE = 16
/** Of one address at once. */
const MOST_OF_SENDER = 8

export interface LookupOf<T> {
  /** The network address of the caller; empty when nobody knows it, undefined when this side looks of its own accord. */
  readonly sender: string | undefined
  /** Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<T>
}

interface Running<T> {
  readonly sender: string | undefined
  readonly found: Promise<T>
  /** Gives its place to another. */
  end(): void
}

/**
 * Runs one lookup for each domain. When an address or all of them together have too many, the oldest ends in favor of the new one: a
 * domain whose server never answers holds a place only until somebody needs it.
 */
export class Lookups<T> {
  readonly #busy: T
  /** By domain; the oldest are first. */
  readonly #running = new Map<string, Running<T>>()

  /** @param busy the result of a lookup that gave its place to another. */
  constructor(busy: T) {
    this.#busy = busy
  }

  async run(domain: string, lookup: LookupOf<T>): Promise<T> {
    const same = this.#running.get(domain)
    if (same !== undefined) {
      const found = await same.found
      // It ended because of its own caller, which is not this one.
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
