import type { ReadOptions } from '../document/read-format.ts'
import type { ValidationReport } from '../frame/report.ts'
import type { Source } from '../frame/source.ts'
import { validateAs } from '../frame/validate.ts'
import type { CheckOptions } from './options.ts'
import { ADL } from './specification.ts'

export interface ValidateOptions extends CheckOptions, Pick<ReadOptions, 'file' | 'format'> {}

/**
 * Checks an agent definition: its syntax, the schema, and every rule of ADL 0.1.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').diagnostics[0].code // 'ADL-1003'
 *
 * @throws {TypeError} or {RangeError} for invalid arguments; never for the content of a document.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(ADL, source, options)
}
