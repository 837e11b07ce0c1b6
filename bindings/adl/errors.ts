import type { ValidationReport } from '../frame/report.ts'

/** An error in the format of ADL section 16.1. */
export interface AdlError {
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source: { readonly pointer: string; readonly line: number; readonly column: number }
}

/** The codes of ADL section 16.2 with their descriptions. Our own codes keep their titles. */
export const ADL_TITLES: Readonly<Record<string, string>> = {
  'ADL-1001': 'Invalid JSON syntax',
  'ADL-1002': 'Document is not a JSON object',
  'ADL-1003': 'Missing required member',
  'ADL-1004': 'Invalid member type',
  'ADL-1005': 'Invalid enum value',
  'ADL-1006': 'Value does not match pattern',
  'ADL-2001': 'Unsupported ADL version',
  'ADL-2002': 'Duplicate tool name',
  'ADL-2003': 'Duplicate resource name',
  'ADL-2004': 'Duplicate prompt name',
  'ADL-2005': 'Invalid timestamp format',
  'ADL-2006': 'Invalid URI format',
  'ADL-2007': 'Invalid JSON Schema',
  'ADL-2008': 'Invalid tool name pattern',
  'ADL-2009': 'Invalid resource type value',
  'ADL-2010': 'Temperature out of range',
  'ADL-2011': 'Invalid authentication type',
  'ADL-2012': 'Invalid attestation type',
  'ADL-2013': 'Invalid error handling action',
  'ADL-2014': 'Invalid output format',
  'ADL-2015': 'Invalid model capability',
  'ADL-2016': 'Invalid host pattern syntax',
  'ADL-2017': 'Invalid filesystem path pattern',
  'ADL-2018': 'Invalid environment variable pattern',
  'ADL-2019': 'Missing digest fields for digest-mode signature',
  'ADL-2020': 'Invalid data classification sensitivity level',
  'ADL-2021': 'Invalid data classification category',
  'ADL-2022': 'Retention min_days exceeds max_days',
  'ADL-2023': 'Top-level sensitivity below tool/resource sensitivity (high-water mark violation)',
  'ADL-3001': 'Profile requirements not satisfied',
  'ADL-3002': 'Unknown profile',
  'ADL-4001': 'Weak key algorithm',
  'ADL-4002': 'Invalid signature',
  'ADL-4003': 'Expired attestation',
  'ADL-5001': 'Invalid lifecycle status value',
  'ADL-5002': 'Successor present on active/draft agent',
  'ADL-5003': 'Sunset date in the past with non-retired status',
}

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
