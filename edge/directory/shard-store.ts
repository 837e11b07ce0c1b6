// All that a shard keeps on disk.

import type { AgentSignals, SignalSource, StoredCard } from 'blazon/directory'
import type { SignalsOfAgent } from '../contracts/directory.ts'
import type { Store } from '../platform/types.ts'
import { rowsOf } from '../storage/log.ts'
import { SqlCardStore } from './card-store.ts'
import { hashOf, ShardRange } from './layout.ts'

/** The agents in one call to another object, each with about 100 bytes of signals. */
const AGENTS_AT_ONCE = 10_000
/** The bytes of cards in one call, which can carry 32 MiB. */
const BYTES_AT_ONCE = 4 << 20

/**
 * What is kept: the cards of the shard's range, the operator's signals for agents (ADP section 5), and the saved
 * index, with which a restarted object answers without reading every card.
 */
export class ShardStore implements SignalSource {
  readonly #storage: Store
  readonly cards: SqlCardStore
  /** Arriving cards, until a layout assigns them to this shard. */
  readonly staged: SqlCardStore
  readonly range: ShardRange

  constructor(storage: Store) {
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
