import type { ValidationReport } from '../frame/source.ts'
import titles from './titles.json' with { type: 'json' }

/** An error in the format of ADL section 16.1. */
export interface AdlError {
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source: { readonly pointer: string; readonly line: number; readonly column: number }
}

/** The codes of ADL section 16.2 with their descriptions. Our own codes keep their titles. */
export const ADL_TITLES: Readonly<Record<string, string>> = titles

/**
 * The errors of a report in the format of ADL section 16.1. The format has no warnings, so they are left out.
 *
 * @example
 * formatErrors(validate('[]')).errors[0]
 * // { code: 'ADL-1002', title: 'Document is not a JSON object', detail: 'Expected a JSON object', source: { pointer: '', line: 1, column: 1 } }
 */
export function formatErrors({ diagnostics }: ValidationReport): { readonly errors: readonly AdlError[] } {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return {
    errors: errors.map(({ code, title, detail, source: { pointer, line, column } }) => ({
      code,
      title: ADL_TITLES[code] ?? title,
      detail,
      source: { pointer, line, column },
    })),
  }
}
