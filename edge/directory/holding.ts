import { type Claim, claimsOf, hashOf, type Layout } from './layout.ts'

/** The range of a shard, as it last learnt it. */
interface Held {
  readonly version: number
  readonly from: number
  readonly to: number
}

/** What is about to move: nobody writes there until a layout says where it is. */
interface Frozen {
  readonly from: number
  readonly to: number
}

/**
 * Which cards a shard has, and which of them may be written. Both are on disk: a shard that comes back from a crash must not take
 * a write that its successor would not know of.
 */
export class Holding {
  readonly #kv: SyncKvStorage
  #held: Held
  #frozen: Frozen | undefined
  readonly #writes = new Set<Promise<unknown>>()

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
    this.#held = kv.get<Held>('held') ?? { version: 0, from: 0, to: 0 }
    this.#frozen = kv.get<Frozen>('frozen')
  }

  get held(): Held {
    return this.#held
  }

  /** Whether what the claim says is so. `newer` when whoever makes it knows a layout that this shard does not. */
  check({ version, from, to }: Claim): 'holds' | 'newer' | 'moved' {
    if (from === this.#held.from && to === this.#held.to) return 'holds'
    return version > this.#held.version ? 'newer' : 'moved'
  }

  mayWrite(id: string): boolean {
    const hash = hashOf(id)
    const { from, to } = this.#held
    const frozen = this.#frozen !== undefined && hash >= this.#frozen.from && hash < this.#frozen.to
    return hash >= from && hash < to && !frozen
  }

  /** Takes part in a write: what freezes waits for its end. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    const writing = work()
    this.#writes.add(writing)
    try {
      return await writing
    } finally {
      this.#writes.delete(writing)
    }
  }

  /** From now on nothing of the range is written; it resolves when the writes that had begun are through. */
  async freeze(range: Frozen): Promise<void> {
    this.#frozen = range
    this.#kv.put('frozen', range)
    await Promise.allSettled(this.#writes)
  }

  /** The range that froze for a step of which nobody knows yet whether it was taken. */
  get frozen(): Frozen | undefined {
    return this.#frozen
  }

  /** Takes over what a layout says of `shard`; whether it said something new. */
  learn(layout: Layout, shard: number): boolean {
    if (layout.version <= this.#held.version) return false
    const claim = claimsOf(layout).find((candidate) => candidate.shard === shard)
    // A shard that is not in the layout yet has nothing, until the first boundary has moved.
    this.#held = { version: layout.version, from: claim?.from ?? 0, to: claim?.to ?? 0 }
    this.#kv.put('held', this.#held)
    if (this.#frozen !== undefined && this.#frozen.from >= this.#held.to) {
      this.#frozen = undefined
      this.#kv.delete('frozen')
    }
    return true
  }
}
