import type { AgentSignals, SignalSource } from 'blazon/directory'
import { hashOf } from './layout.ts'

type Told = readonly [id: string, told: AgentSignals]

/** The agents in one call to another object, each with about 100 bytes of signals. */
const AT_ONCE = 10_000

/** The operator's signals for agents (ADP section 5), stored separately from their cards. */
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

  /** The signals of the agents in a range of hashes, some at a time. Includes agents without a card. */
  *within(from: number, to: number): Generator<readonly Told[]> {
    const rows = this.#sql.exec<{ id: string; told: string }>('SELECT id, told FROM signals').toArray()
    const isWithin = (hash: number) => hash >= from && hash < to
    const all = rows.flatMap(({ id, told }): Told[] => (isWithin(hashOf(id)) ? [[id, JSON.parse(told)]] : []))
    for (let i = 0; i < all.length; i += AT_ONCE) yield all.slice(i, i + AT_ONCE)
  }

  put(id: string, signals: AgentSignals): void {
    this.#sql.exec('INSERT OR REPLACE INTO signals VALUES (?, ?)', id, JSON.stringify(signals))
  }
}
