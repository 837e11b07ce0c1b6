import { boundsFor, checkOpened, knownRules, type ValidateOptions } from './check.ts'
import type { Source, ValidationReport } from './frame/source.ts'
import { expectKnownRules } from './frame/verbs.ts'
import { open } from './open.ts'

/**
 * Checks a document by the rules of its kind.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').kind // 'adl'
 *
 * @throws {TypeError} or {RangeError} for invalid arguments; never because of the document's content.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  if (typeof options !== 'object' || options === null) throw new TypeError('options: expected an object')
  expectKnownRules(options.rules, () => knownRules(options))
  const bounds = boundsFor(options)
  return checkOpened(open(source, bounds === undefined ? options : { ...options, bounds }), options)
}
