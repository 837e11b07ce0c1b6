import type { Code } from '../codes.ts'

/** The weight of a finding: an `error` makes a document invalid, the others do not. */
export type Severity = 'error' | 'warning' | 'info'

/** A range in a source. Offsets count UTF-8 bytes from 0; lines and columns begin at 1, columns count UTF-16 units. */
export interface SourceRange {
  /** The name that the caller gave the document. */
  readonly file?: string
  /** JSON Pointer (RFC 6901) of the innermost value that is concerned. */
  readonly pointer: string
  readonly offset: number
  /** Behind the last byte. */
  readonly endOffset: number
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Another place that a finding has to do with. */
export interface Related {
  readonly pointer: string
  /** Describes the other place and, where the pointer does not tell, gives its line and column. */
  readonly message: string
}

/** Replaces the bytes from `offset` to `endOffset` by `text`. */
export interface Edit {
  readonly offset: number
  readonly endOffset: number
  readonly text: string
}

/** The remedy for a finding. `edits`, when present, carry it out and change nothing else; they do not overlap. */
export interface Fix {
  readonly hint: string
  readonly edits?: readonly Edit[]
}

/** The one shape of every finding, whatever found it. */
export interface Diagnostic {
  /** Stable: `DOC-107`. `blazon explain` says more of each. */
  readonly code: Code
  readonly severity: Severity
  /** The kind of fault: the same words for every finding with this code. */
  readonly title: string
  /** The expectation and the value found, in one line. */
  readonly detail: string
  /** Stable: `json/duplicate-member`. */
  readonly rule: string
  /** The section that is violated. */
  readonly spec: string
  readonly source: SourceRange
  readonly related?: readonly Related[]
  readonly fix?: Fix
}
