import type { ReadOptions } from '../document/read-format.ts'
import type { ValidationReport } from '../frame/report.ts'
import type { RuleOptions } from '../frame/rule-settings.ts'
import type { Source } from '../frame/source.ts'
import { validateAs } from '../frame/validate.ts'
import { A2A } from './specification.ts'

export interface ValidateOptions extends RuleOptions, Pick<ReadOptions, 'file' | 'format'> {}

/**
 * Validates an Agent Card of A2A 1.0 or 0.3: its schema and the other rules of the specification. A card with
 * `supportedInterfaces` counts as 1.0.
 *
 * @example
 * validate('{"supportedInterfaces": []}').diagnostics[0].code // 'CARD-180'
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a card.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(A2A, source, options)
}
