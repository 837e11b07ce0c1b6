// Columns that tables of an earlier deployment lack, and the sizes that are kept in them.

const encoder = new TextEncoder()

/** The bytes of a text in UTF-8, as SQLite stores it: neither `length` nor LENGTH() counts these. */
export const bytesOf = (text: string): number => encoder.encode(text).length

/** Adds a column to a table that lacks it. `fill`: an expression for the rows that are there. */
export function addColumn(sql: SqlStorage, table: string, column: string, fill?: string): void {
  const columns = sql.exec<{ name: string }>(`PRAGMA table_info(${table})`).toArray()
  if (columns.some(({ name }) => name === column.split(' ')[0])) return
  sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`)
  if (fill !== undefined) sql.exec(`UPDATE ${table} SET ${column.split(' ')[0]} = ${fill}`)
}

/** The bytes of texts that may be absent. */
export const bytesIn = (...columns: readonly string[]): string =>
  columns.map((column) => `COALESCE(LENGTH(CAST(${column} AS BLOB)), 0)`).join(' + ')

/** Rows for one answer: as many as there may be, or fewer where they are large; one at least. An RPC takes 32 MiB. */
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

/** In memory and on the way each may take two. */
const PAGE_BYTES = 4 << 20
