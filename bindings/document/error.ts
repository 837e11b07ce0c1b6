import { formatDiagnostic } from './format.ts'
import type { Diagnostic } from './types.ts'

/** Thrown when a verb cannot process a document. The message is the first diagnostic in one line. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics[0] === undefined ? 'the document has faults' : formatDiagnostic(diagnostics[0]), options)
    this.diagnostics = diagnostics
  }
}
