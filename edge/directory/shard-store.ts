// All that a shard keeps on disk.
import type { AgentSignals, SignalSource, StoredCard } from 'blazon/directory'
import type { Claim, Layout, SignalsOfAgent } from '../contracts/directory.ts'
import { rowsOf } from '../storage/log.ts'
import { SqlCardStore } from './card-store.ts'

/** The agents in one call to another object, each with about 100 bytes of signals. */
const AGENTS_AT_ONCE = 10_000
/** The bytes of cards in one call, which can carry 32 MiB. */
const BYTES_AT_ONCE = 4 << 20

/**
 * What is kept: the cards of the shard's range, the operator's signals for agents (ADP section 5), and the saved
 * index, with which a restarted object answers without reading every card.
 */
export class ShardStore implements SignalSource {
  readonly #storage: DurableObjectStorage
  readonly cards: SqlCardStore
  /** Arriving cards, until a layout assigns them to this shard. */
  readonly staged: SqlCardStore
  readonly range: ShardRange

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.cards = new SqlCardStore(storage.sql)
    this.staged = new SqlCardStore(storage.sql, 'staged')
    this.range = new ShardRange(storage.kv)
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS signals (id TEXT PRIMARY KEY, told TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS saved_index (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    `)
  }

  signals(id: string): AgentSignals | undefined {
    const [row] = rowsOf<{ told: string }>(this.#storage.sql, 'SELECT told FROM signals WHERE id = ?', id)
    return row === undefined ? undefined : (JSON.parse(row.told) as AgentSignals)
  }

  /** Every agent with signals. */
  known(): string[] {
    return rowsOf<{ id: string }>(this.#storage.sql, 'SELECT id FROM signals').map(({ id }) => id)
  }

  setSignals(id: string, signals: AgentSignals): void {
    this.#storage.sql.exec('INSERT OR REPLACE INTO signals VALUES (?, ?)', id, JSON.stringify(signals))
  }

  /** The cards in a range of hashes, some at a time. */
  cardsWithin(from: number, to: number): StoredCard[][] {
    const batches: StoredCard[][] = [[]]
    let bytes = 0
    for (const card of this.cards.within(from, to)) {
      const size = card.equivocations.reduce((sum, other) => sum + other.length, card.bytes.length)
      if (bytes + size > BYTES_AT_ONCE && bytes > 0) {
        batches.push([])
        bytes = 0
      }
      batches.at(-1)!.push(card)
      bytes += size
    }
    return batches
  }

  /** The signals of the agents in a range of hashes, some at a time. Includes agents without a card. */
  *signalsWithin(from: number, to: number): Generator<readonly SignalsOfAgent[]> {
    const rows = rowsOf<{ id: string; told: string }>(this.#storage.sql, 'SELECT id, told FROM signals')
    const isWithin = (hash: number) => hash >= from && hash < to
    const all = rows.flatMap(({ id, told }): SignalsOfAgent[] => (isWithin(hashOf(id)) ? [[id, JSON.parse(told)]] : []))
    for (let i = 0; i < all.length; i += AGENTS_AT_ONCE) yield all.slice(i, i + AGENTS_AT_ONCE)
  }

  savedIndex(): Uint8Array[] {
    const query = 'SELECT bytes FROM saved_index ORDER BY number'
    return rowsOf<{ bytes: ArrayBuffer }>(this.#storage.sql, query).map(({ bytes }) => new Uint8Array(bytes))
  }

  /** The number of changes of cards that the saved index does not have. */
  get unsaved(): number {
    return this.cards.revision - (this.#storage.kv.get<number>('saved revision') ?? 0)
  }

  /**
   * Writes all or nothing, so that a crash leaves the previous index. A Durable Object stores no value larger than 2
   * MB.
   */
  saveIndex(chunks: readonly Uint8Array[]): void {
    this.#storage.transactionSync(() => {
      this.dropIndex()
      for (const [number, chunk] of chunks.entries()) {
        this.#storage.sql.exec('INSERT INTO saved_index VALUES (?, ?)', number, new Uint8Array(chunk).buffer)
      }
      this.#storage.kv.put('saved revision', this.cards.revision)
    })
  }

  /** Call it when cards were removed: the saved index still has them. */
  dropIndex(): void {
    this.#storage.sql.exec('DELETE FROM saved_index')
    this.#storage.kv.delete('saved revision')
  }
}

// The place of each card. The space of hashes is divided into ranges, one per shard; growing splits a range in two. A
// card moves only when its own range is split. The boundary moves a few cards at a time.

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
class ShardRange {
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
