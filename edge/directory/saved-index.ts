// The index of a shard on disk, so that a restarted object answers without reading every card.

export class SavedIndex {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    storage.sql.exec('CREATE TABLE IF NOT EXISTS saved_index (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)')
  }

  /** The revision of the cards that it covers; -1 when nothing is saved. */
  get revision(): number {
    return this.#storage.kv.get<number>('saved revision') ?? -1
  }

  read(): Uint8Array[] {
    return this.#storage.sql
      .exec<{ bytes: ArrayBuffer }>('SELECT bytes FROM saved_index ORDER BY number')
      .toArray()
      .map(({ bytes }) => new Uint8Array(bytes))
  }

  /** Call it when cards were removed: the saved index still has them. */
  clear(): void {
    this.#storage.sql.exec('DELETE FROM saved_index')
    this.#storage.kv.delete('saved revision')
  }

  /**
   * Writes all or nothing, so that a crash leaves the previous index. A Durable Object stores no value larger than 2
   * MB.
   */
  write(chunks: readonly Uint8Array[], revision: number): void {
    this.#storage.transactionSync(() => {
      this.clear()
      for (const [number, chunk] of chunks.entries()) {
        this.#storage.sql.exec('INSERT INTO saved_index VALUES (?, ?)', number, new Uint8Array(chunk).buffer)
      }
      this.#storage.kv.put('saved revision', revision)
    })
  }
}
