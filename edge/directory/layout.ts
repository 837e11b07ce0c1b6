// The place of each card. The space of hashes is divided into ranges, one per shard; growing splits a range in two. A
// card moves only when its own range is split. The boundary moves a few cards at a time.
import type { Claim, Layout } from '../contracts/directory.ts'
import type { Values } from '../platform/types.ts'

/** A query asks each shard twice, and a Worker may make a thousand calls per request. */
export const MOST_SHARDS = 256

/** All hashes are below this. */
const SPACE = 2 ** 32

/**
 * FNV-1a over the UTF-16 units, then MurmurHash3's final step, which spreads ids that differ only in their last
 * letters.
 */
export function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The ranges of a layout as claims on its shards. */
export function claimsOf({ version, ranges }: Layout): Claim[] {
  return ranges.map(({ from, shard }, i) => ({ version, shard, from, to: ranges[i + 1]?.from ?? SPACE }))
}

/** The claim on the shard that has an id. */
export function ownerOf(layout: Layout, id: string): Claim {
  const hash = hashOf(id)
  return claimsOf(layout).find(({ from, to }) => hash >= from && hash < to)!
}

/** The range to split next. */
export function widest(layout: Layout): Claim {
  return claimsOf(layout).reduce((best, claim) => (claim.to - claim.from > best.to - best.from ? claim : best))
}

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
  readonly #kv: Values
  #held: RangeState
  /** About to move: it is not written until a layout has its place. */
  #frozen: Range | undefined
  readonly #writes = new Set<Promise<unknown>>()

  constructor(kv: Values) {
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
