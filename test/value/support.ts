import { canonicalizeValue } from '../../bindings/core/value.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The canonical form as text; throws when it is not valid UTF-8. */
export function textOf(value: unknown, maxDepth?: number): string {
  return strict.decode(canonicalizeValue(value, maxDepth === undefined ? undefined : { maxDepth }))
}

/** The single finding with which a value is refused. */
export function refusalOf(value: unknown, maxDepth?: number): Diagnostic {
  try {
    textOf(value, maxDepth)
  } catch (error) {
    if (error instanceof DocumentError && error.diagnostics.length === 1) return error.diagnostics[0]!
    throw error
  }
  throw new Error('the value was not refused')
}
