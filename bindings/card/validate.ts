import type { ReadOptions } from '../document/read-format.ts'
import type { ValidationReport } from '../frame/report.ts'
import type { RuleOptions } from '../frame/rule-settings.ts'
import type { Source } from '../frame/source.ts'
import { validateAs } from '../frame/validate.ts'
import { AGENT_CARD } from './specification.ts'

export interface ValidateOptions extends RuleOptions, Pick<ReadOptions, 'file' | 'format'> {}

/**
 * Validates an Agent Card: its syntax, its members, and every rule of draft-song-anp-adp-00.
 *
 * @example
 * validate('{"id": "agent://scout", "name": "Scout"}').valid // true
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a card.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(AGENT_CARD, source, options)
}
