import type { Source, ValidationReport } from '../frame/source.ts'
import { type ValidateOptions, validateAs } from '../frame/verbs.ts'
import { RUN } from './specification.ts'

/**
 * Validates a run record: its members, the order of its steps, and the verdicts in them. The report has the level of
 * ADP-1 that the record shows.
 *
 * @example
 * validate(record).conformance.level // 1
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a record.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(RUN, source, options)
}
