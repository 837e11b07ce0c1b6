// The account of a conversion of runs. Its rows are patterns: a record with 10,000 steps has as many rows as one with two.
import type { LossOutcome, LossReport, LossRow } from '../types.ts'

/** Counts what became of the values of a source, by patterns of their places. */
export class Account {
  readonly #counts = new Map<LossRow, number>()
  readonly #rows = new Map<string, LossRow>()

  /** Counts a value under a row that the caller keeps: the fastest way. */
  count(row: LossRow): void {
    this.#counts.set(row, (this.#counts.get(row) ?? 0) + 1)
  }

  note(outcome: LossOutcome, pointer: string, detail: string, target?: string): void {
    const key = `${outcome} ${pointer} ${target} ${detail}`
    let row = this.#rows.get(key)
    if (row === undefined) {
      const from = outcome === 'added' ? {} : { pointer }
      row = { ...from, ...(target !== undefined && { target }), outcome, detail }
      this.#rows.set(key, row)
    }
    this.count(row)
  }

  /** The rows, additions last. */
  get report(): LossReport {
    const rows = Array.from(this.#counts, ([row, count]) => ({ ...row, count }))
    return [...rows.filter(({ outcome }) => outcome !== 'added'), ...rows.filter(({ outcome }) => outcome === 'added')]
  }
}
