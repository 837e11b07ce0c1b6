import { Document } from '../document/document.ts'
import { parse } from '../document/parse.ts'
import type { ValidationReport } from '../document/report.ts'
import { checkDocument } from './check.ts'
import { limitsOf } from './limits.ts'
import type { CheckOptions } from './options.ts'

export interface ValidateOptions extends CheckOptions {
  /** What diagnostics call the document. */
  readonly file?: string
}

/**
 * Checks an agent definition: how it is written, the schema, and every rule of ADL 0.1.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').diagnostics[0].code // 'ADL-1003'
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for what a document holds.
 */
export function validate(source: Uint8Array | string | Document, options: ValidateOptions = {}): ValidationReport {
  if (source instanceof Document) return checkDocument({ document: source, diagnostics: [] }, options)
  const { file } = options
  const { depth, documentBytes } = limitsOf(options.limits)
  const parsed = parse(source, { ...(file !== undefined && { file }), maxDepth: depth, maxBytes: documentBytes })
  return checkDocument(parsed, options)
}
