// Reads from the SQLite of a Durable Object.

/** The rows of a query. */
export function rowsOf<Row extends object>(sql: SqlStorage, query: string, ...values: SqlStorageValue[]): Row[] {
  return sql.exec<Row & Record<string, SqlStorageValue>>(query, ...values).toArray()
}

/** The only number of a query's only row. */
export function numberIn(sql: SqlStorage, query: string, ...values: SqlStorageValue[]): number {
  return Number(Object.values(sql.exec(query, ...values).one())[0])
}
