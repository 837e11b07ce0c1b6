import type { AgentSignals, SignalSource } from 'blazon/directory'

/** The operator's signals for agents (ADP section 5), beside their cards. */
export class Signals implements SignalSource {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec('CREATE TABLE IF NOT EXISTS signals (id TEXT PRIMARY KEY, told TEXT NOT NULL) WITHOUT ROWID')
  }

  signals(id: string): AgentSignals | undefined {
    const [row] = this.#sql.exec<{ told: string }>('SELECT told FROM signals WHERE id = ?', id).toArray()
    return row === undefined ? undefined : (JSON.parse(row.told) as AgentSignals)
  }

  /** Every agent with signals. */
  *known(): Generator<string> {
    for (const { id } of this.#sql.exec<{ id: string }>('SELECT id FROM signals').toArray()) yield id
  }

  put(id: string, signals: AgentSignals): void {
    this.#sql.exec('INSERT OR REPLACE INTO signals VALUES (?, ?)', id, JSON.stringify(signals))
  }
}
