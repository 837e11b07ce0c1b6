/** The files of a folder or an archive: their bytes by path, with `/` between names. */
export type Files = ReadonlyMap<string, Uint8Array>

/** The severity of a finding: an `error` makes a document invalid, the others do not. */
export type Severity = 'error' | 'warning' | 'info'

/**
 * A range in a source. Offsets count UTF-8 bytes from 0; lines and columns begin at 1, and columns count UTF-16 units.
 */
export interface SourceRange {
  /** The document's name, as given by the caller. */
  readonly file?: string
  /** JSON Pointer (RFC 6901) of the innermost affected value. */
  readonly pointer: string
  readonly offset: number
  /** The offset after the last byte. */
  readonly endOffset: number
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Another place that is relevant to a finding. */
export interface RelatedPlace {
  readonly pointer: string
  /** Describes the other place; has its line and column when the pointer does not show them. */
  readonly message: string
}

/** Replaces the bytes from `offset` to `endOffset` with `text`. */
export interface Edit {
  readonly offset: number
  readonly endOffset: number
  readonly text: string
}

/** The remedy for a finding. The optional `edits` apply it and change nothing else; they do not overlap. */
export interface Fix {
  readonly hint: string
  readonly edits?: readonly Edit[]
}

/** The common form of all findings. */
export interface Diagnostic {
  /** Stable: `DOC-107`. `blazon explain` prints more about each code. */
  readonly code: string
  readonly severity: Severity
  /** The kind of fault: the same for every finding with this code. */
  readonly title: string
  /** What was expected and what was found, in one line. */
  readonly detail: string
  /** Stable: `json/duplicate-member`. */
  readonly rule: string
  /** The violated section. */
  readonly spec: string
  readonly source: SourceRange
  readonly related?: readonly RelatedPlace[]
  readonly fix?: Fix
}

/** One line of a source that has a document in each line. */
export interface SourceLine {
  /** Counted from 1. */
  readonly number: number
  /** The bytes of the source before it. */
  readonly offset: number
  /** Its bytes without the line end; undefined when they are more than the limit. */
  readonly bytes: Uint8Array | undefined
  /** False for a last line without a line end. */
  readonly hasEnd: boolean
}
