/** An error of a value under a schema. */
export interface SchemaError {
  /** JSON Pointer into the value. */
  readonly instancePointer: string
  /** JSON Pointer of the keyword in the schema; in another document, its URI with the pointer as fragment. */
  readonly schemaPointer: string
  /**
   * The keyword, such as `required`; `false` for a schema that is `false`, `limit` when checking stopped at a limit.
   */
  readonly keyword: string
  /** Details for programs, such as the expected and the actual value: `{ name: 'city' }`. */
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
  /** JSON Pointer into the schema; in another document, its URI with the pointer as fragment. */
  readonly pointer: string
  /** The faulty keyword; empty for the schema as a whole. */
  readonly keyword: string
  readonly reason: ProblemReason
  readonly message: string
}

export interface SchemaOptions {
  /** Other schemas that references may name, by absolute URI. Nothing is fetched. */
  readonly documents?: ReadonlyMap<string, unknown>
}

export interface SchemaLimits {
  /** The most errors to report; default: 100. */
  readonly maxErrors?: number
  /** The limit of work in steps; default: 1,000,000, which takes some hundredths of a second. */
  readonly maxSteps?: number
}
