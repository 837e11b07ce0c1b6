/** What is wrong with a value, held against a schema. */
export interface SchemaError {
  /** JSON Pointer into the value. */
  readonly instancePointer: string
  /** JSON Pointer of the keyword in the schema; in another document its URI, and the pointer as fragment. */
  readonly schemaPointer: string
  /** `required`; `false` for a schema that is false, `limit` where checking had to end. */
  readonly keyword: string
  /** What the keyword wanted and what came: `{ name: 'city' }`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** Why something is no schema that can be used. */
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
  /** JSON Pointer into the schema; in another document its URI, and the pointer as fragment. */
  readonly pointer: string
  /** The keyword at fault; empty when the schema as a whole is. */
  readonly keyword: string
  readonly reason: ProblemReason
  readonly message: string
}

export interface SchemaOptions {
  /** Other schemas that references may name, by absolute URI. Nothing is ever fetched. */
  readonly documents?: ReadonlyMap<string, unknown>
}

export interface ValidateOptions {
  /** How many errors are wanted at the most; 100 when not said. */
  readonly maxErrors?: number
  /** How many steps of work may be done; 1,000,000 when not said, which is some hundredths of a second. */
  readonly maxSteps?: number
}
