import type { Claim, Layout } from '../contracts/directory.ts'
import { claimsOf, hashOf } from './layout.ts'

interface Range {
  readonly from: number
  readonly to: number
}

/** The range of a shard, as far as it knows. */
interface RangeState extends Range {
  readonly version: number
}

/**
 * The range of cards that a shard has, and the part that may be written. Both are on disk: after a crash, a shard must not
 * accept a write that its successor would not get.
 */
export class ShardRange {
  readonly #kv: SyncKvStorage
  #held: RangeState
  /** About to move: it is not written until a layout has its place. */
  #frozen: Range | undefined
  readonly #writes = new Set<Promise<unknown>>()

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
    this.#held = kv.get<RangeState>('held') ?? { version: 0, from: 0, to: 0 }
    this.#frozen = kv.get<Range>('frozen')
  }

  get held(): RangeState {
    return this.#held
  }

  /**
   * Checks a claim: `holds`, `moved` if it is wrong, or `newer` if the caller has a newer layout than this shard.
   */
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

  /** Begins a write; a freeze waits for its end. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    const writing = work()
    this.#writes.add(writing)
    try {
      return await writing
    } finally {
      this.#writes.delete(writing)
    }
  }

  /** Stops all writes in the range; resolves when those that had begun are done. */
  async freeze(range: Range): Promise<void> {
    this.#frozen = range
    this.#kv.put('frozen', range)
    await Promise.allSettled(this.#writes)
  }

  /** The frozen range of a step that may or may not be complete. */
  get frozen(): Range | undefined {
    return this.#frozen
  }

  /** Sets the range of `shard` from the layout; returns true if the layout is new. */
  applyLayout(layout: Layout, shard: number): boolean {
    if (layout.version <= this.#held.version) return false
    const claim = claimsOf(layout).find((candidate) => candidate.shard === shard)
    // A shard that is not in the layout yet has no cards until the first boundary has moved.
    this.#held = { version: layout.version, from: claim?.from ?? 0, to: claim?.to ?? 0 }
    this.#kv.put('held', this.#held)
    if (this.#frozen !== undefined && this.#frozen.from >= this.#held.to) {
      this.#frozen = undefined
      this.#kv.delete('frozen')
    }
    return true
  }
}
