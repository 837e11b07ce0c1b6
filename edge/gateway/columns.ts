// Adds columns that tables from an earlier deployment lack, and computes the sizes stored in them.

const encoder = new TextEncoder()

/** The size of a text in UTF-8 bytes, as SQLite stores it. Neither `length` nor LENGTH() counts bytes. */
export const bytesOf = (text: string): number => encoder.encode(text).length

/** Adds a column to a table that lacks it. `fill`: an SQL expression for the existing rows. */
export function addColumn(sql: SqlStorage, table: string, column: string, fill?: string): void {
  const columns = sql.exec<{ name: string }>(`PRAGMA table_info(${table})`).toArray()
  if (columns.some(({ name }) => name === column.split(' ')[0])) return
  sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`)
  if (fill !== undefined) sql.exec(`UPDATE ${table} SET ${column.split(' ')[0]} = ${fill}`)
}

/** An SQL expression for the total bytes of columns that may be NULL. */
export const bytesIn = (...columns: readonly string[]): string =>
  columns.map((column) => `COALESCE(LENGTH(CAST(${column} AS BLOB)), 0)`).join(' + ')

/**
 * The rows for one answer: all of `rows`, or fewer when they are large, but at least one. An RPC carries at most 32
 * MiB.
 */
export function pageOf<Row extends { readonly bytes: number }>(rows: Iterable<Row>): Row[] {
  const page: Row[] = []
  let sum = 0
  for (const row of rows) {
    sum += row.bytes
    if (page.length > 0 && sum > PAGE_BYTES) break
    page.push(row)
  }
  return page
}

/** Each byte may take two, both in memory and in transit. */
const PAGE_BYTES = 4 << 20
