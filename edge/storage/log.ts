// Lists in the SQLite of an object that only grow at their end, and the pages in which they are read.
import type { Page } from '../http/query.ts'
import type { Sql, SqlValue } from '../platform/types.ts'

const encoder = new TextEncoder()

/** The size of a text in UTF-8 bytes, as SQLite stores it. Neither `length` nor LENGTH() counts bytes. */
export const bytesOf = (text: string): number => encoder.encode(text).length

interface Limits {
  readonly rows: number
  readonly bytes: number
}

/** The number of rows in a table, and the sum of their column `bytes`. They are counted once, then kept up to date. */
export class TableSize {
  rows: number
  bytes: number

  constructor(sql: Sql, table: string) {
    this.rows = numberIn(sql, `SELECT COUNT(*) FROM ${table}`)
    this.bytes = numberIn(sql, `SELECT COALESCE(SUM(bytes), 0) FROM ${table}`)
  }

  /** True if one more row with these bytes stays within limits. */
  hasRoom(bytes: number, limits: Limits): boolean {
    return this.rows < limits.rows && this.bytes + bytes <= limits.bytes
  }

  change(rows: number, bytes: number): void {
    this.rows += rows
    this.bytes += bytes
  }
}

/** Each byte may take two, both in memory and in transit. An RPC carries at most 32 MiB. */
const PAGE_BYTES = 4 << 20

/**
 * Reads a page in the order of `seq`. It ends before its rows have more than 4 MiB, but has at least one.
 *
 * @param rows a table and a condition, such as `tasks WHERE state = ?`, with its values at the end.
 */
export function readPage<Row extends { readonly bytes: number }>(
  sql: Sql,
  rows: string,
  { after, limit }: Page,
  ...values: SqlValue[]
): Row[] {
  const page: Row[] = []
  let sum = 0
  const query = `SELECT * FROM ${rows} AND seq > ? ORDER BY seq LIMIT ?`
  for (const row of sql.exec<Row & Record<string, SqlValue>>(query, ...values, after, limit)) {
    sum += row.bytes
    if (page.length > 0 && sum > PAGE_BYTES) break
    page.push(row)
  }
  return page
}

interface LogRow {
  /** Numbers are never used again. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly about: string
  readonly text: string
  /** The size of the text in UTF-8. */
  readonly bytes: number
}

interface LogLimits extends Limits {
  /** What a full list does: it refuses new rows (default), or drops the oldest. */
  readonly drops?: true
}

export class Log {
  readonly size: TableSize
  readonly #sql: Sql
  readonly #table: string
  readonly #limits: LogLimits

  constructor(sql: Sql, table: string, limits: LogLimits) {
    this.#sql = sql
    this.#table = table
    this.#limits = limits
    sql.exec(`
      CREATE TABLE IF NOT EXISTS ${table} (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, about TEXT NOT NULL, bytes INTEGER NOT NULL,
        text TEXT NOT NULL
      );
    `)
    this.size = new TableSize(sql, table)
  }

  hasRoom(bytes: number): boolean {
    return this.size.hasRoom(bytes, this.#limits)
  }

  /** Returns false when there is no room. */
  append({ at, about, text }: Pick<LogRow, 'at' | 'about' | 'text'>): boolean {
    const bytes = bytesOf(text)
    const canDrop = this.#limits.drops === true && bytes <= this.#limits.bytes
    const first = `SELECT MIN(seq) FROM ${this.#table}`
    while (canDrop && !this.hasRoom(bytes)) this.removeThrough(numberIn(this.#sql, first))
    if (!this.hasRoom(bytes)) return false
    const row = `INSERT INTO ${this.#table} (at, about, bytes, text) VALUES (?, ?, ?, ?)`
    this.#sql.exec(row, at, about, bytes, text)
    this.size.change(1, bytes)
    return true
  }

  read(page: Page, condition = 'TRUE', ...values: SqlValue[]): LogRow[] {
    return readPage(this.#sql, `${this.#table} WHERE ${condition}`, page, ...values)
  }

  /** The latest rows about something, the latest first. */
  latest(about: string, limit: number): LogRow[] {
    const query = `SELECT * FROM ${this.#table} WHERE about = ? ORDER BY seq DESC LIMIT ?`
    return rowsOf<LogRow>(this.#sql, query, about, limit)
  }

  /** Removes rows that were read; returns their number. */
  removeThrough(seq: number): number {
    return this.remove('seq <= ?', seq)
  }

  /** Removes the rows with a condition; returns their number. */
  remove(condition: string, value: SqlValue): number {
    const removed = `DELETE FROM ${this.#table} WHERE ${condition} RETURNING bytes`
    const rows = rowsOf<{ bytes: number }>(this.#sql, removed, value)
    for (const { bytes } of rows) this.size.change(-1, -bytes)
    return rows.length
  }
}

// Reads from the SQLite of an object.

/** The rows of a query. */
export function rowsOf<Row extends object>(sql: Sql, query: string, ...values: SqlValue[]): Row[] {
  return sql.exec<Row & Record<string, SqlValue>>(query, ...values).toArray()
}

/** The only number of a query's only row. */
export function numberIn(sql: Sql, query: string, ...values: SqlValue[]): number {
  return Number(Object.values(sql.exec(query, ...values).one())[0])
}
