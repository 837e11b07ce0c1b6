import type { ReadOptions } from '../document/read-format.ts'
import type { ValidationReport } from '../frame/report.ts'
import type { RuleOptions } from '../frame/rule-settings.ts'
import type { Source } from '../frame/source.ts'
import { validateAs } from '../frame/validate.ts'
import { METADATA } from './specification.ts'

export interface ValidateOptions extends RuleOptions, Pick<ReadOptions, 'file' | 'format'> {}

/**
 * Validates the metadata of an agent: its syntax, its members, and every rule of draft-pro-adp-agent-discovery-02.
 *
 * @example
 * validate('{"protocol": "ADP/1.1"}').valid // false
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a document.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(METADATA, source, options)
}
