/** An error of a value under a schema. */
export interface SchemaError {
  /** JSON Pointer into the value. */
  readonly instancePointer: string
  /** JSON Pointer of the keyword in the schema; for another document its URI with the pointer as fragment. */
  readonly schemaPointer: string
  /** The keyword, such as `required`; `false` for a schema that is false, `limit` where checking had to stop. */
  readonly keyword: string
  /** The expected value and the one that came: `{ name: 'city' }`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** The reason why a schema cannot be used. */
export type ProblemReason =
  | 'shape'
  | 'regex'
  | 'dialect'
  | 'duplicate'
  | 'reference'
  | 'external-reference'
  | 'cycle'
  | 'limit'

export interface SchemaProblem {
  /** JSON Pointer into the schema; for another document its URI with the pointer as fragment. */
  readonly pointer: string
  /** The faulty keyword; empty for the schema as a whole. */
  readonly keyword: string
  readonly reason: ProblemReason
  readonly message: string
}

export interface SchemaOptions {
  /** Other schemas that references may name, by absolute URI. Nothing is ever fetched. */
  readonly documents?: ReadonlyMap<string, unknown>
}

export interface SchemaLimits {
  /** The most errors to report; 100 when absent. */
  readonly maxErrors?: number
  /** The most steps of work: 1,000,000 when absent, which is some hundredths of a second. */
  readonly maxSteps?: number
}
