import type { ReadOptions } from '../../document/read-format.ts'
import type { ValidationReport } from '../../frame/report.ts'
import type { RuleOptions } from '../../frame/rule-settings.ts'
import type { Source } from '../../frame/source.ts'
import { validateAs } from '../../frame/validate.ts'
import { INVITE } from './specification.ts'

export interface ValidateOptions extends RuleOptions, Pick<ReadOptions, 'file' | 'format'> {}

/**
 * Validates an invitation: its syntax, its members, and every rule of section 8.3.1.
 *
 * @example
 * validate('{"protocol": "ADP/1.1", "invite": {}}').valid // false
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a document.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(INVITE, source, options)
}
