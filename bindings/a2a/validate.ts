import type { ReadOptions } from '../document/read-format.ts'
import type { ValidationReport } from '../frame/report.ts'
import type { RuleOptions } from '../frame/rule-settings.ts'
import type { Source } from '../frame/source.ts'
import { validateAs } from '../frame/validate.ts'
import { A2A } from './specification.ts'

export interface ValidateOptions extends RuleOptions, Pick<ReadOptions, 'file' | 'format'> {}

/**
 * Checks an Agent Card of A2A 1.0 or 0.3: its schema and what the specification says beside it. A card is of 1.0 when it has
 * `supportedInterfaces`.
 *
 * @example
 * validate('{"supportedInterfaces": []}').diagnostics[0].code // 'CARD-180'
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for what a card holds.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(A2A, source, options)
}
